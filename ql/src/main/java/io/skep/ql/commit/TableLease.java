package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.metastore.commit.CommitFence;
import io.skep.metastore.commit.CommitMarks;
import io.skep.metastore.commit.CommitOwner;
import java.time.Duration;

/**
 * This server's turn to change some tables. As long as it goes on, its mark is changed now and then; when this could not be done
 * for half a lease, nothing more is done to the files until it could, since another server may believe that this one is dead.
 * Safe for the thread that commits and the one that beats.
 */
final class TableLease {
    private final CommitMarks marks;
    private final long halfLease;
    private final String table;
    private CommitOwner owner;
    private long beaten;
    private boolean isWritten;
    private boolean over;
    private boolean isLost;
    private boolean isLeft;

    /**
     * @param table one of those that are marked
     * @param began {@link System#nanoTime} before the mark was set
     */
    TableLease(CommitMarks marks, String table, CommitOwner owner, Duration lease, long began) {
        this.marks = marks;
        this.table = table;
        this.owner = owner;
        this.halfLease = lease.toNanos() / 2;
        this.beaten = began;
    }

    /** Persists the journal. After this the commit is completed, or rolled back, by this server or by one that takes it over. */
    synchronized void write(CommitJournal written) {
        check();
        if (!marks.write(owner, CommitJournalCodec.pack(written))) {
            throw lost();
        }
        isWritten = true;
    }

    /** What keeps this server from changing the catalog once another one has taken the lease over. */
    synchronized CommitFence fence() {
        return new CommitFence(table, owner);
    }

    /** The commit is over, completed or rolled back: there is nothing left that anyone could do. */
    synchronized void settle() {
        check();
        isWritten = false;
    }

    /** Whether another server may end it when this one does not. */
    synchronized boolean isWritten() {
        return isWritten;
    }

    /** To be called before each change of a file. */
    synchronized void check() {
        if (isLost) {
            throw lost();
        }
        if (System.nanoTime() - beaten > halfLease) {
            beat();
        }
    }

    /** Says that this server is alive. */
    synchronized void beat() {
        if (over) {
            return;
        }
        long now = System.nanoTime();
        CommitOwner next = owner.beaten();
        if (!marks.replace(owner, next)) {
            throw lost();
        }
        owner = next;
        beaten = now;
    }

    /** Makes way for others; false when another server has done so, and ended the commit before. */
    synchronized boolean end() {
        over = true;
        return isLeft || marks.end(owner);
    }

    /** Ends the lease of a drop whose files cannot be deleted now. The next change of the table deletes them first. */
    synchronized void leave() {
        check();
        owner = marks.leave(owner).orElseThrow(this::lost);
        over = true;
        isLeft = true;
        isWritten = false;
    }

    private SkepException lost() {
        over = true;
        isLost = true;
        return fence().lost();
    }
}
