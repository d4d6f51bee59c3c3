package io.skep.ql.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.metastore.commit.CommitFence;
import io.skep.metastore.commit.CommitOwner;
import io.skep.metastore.commit.LeaseStore;
import java.time.Duration;

/**
 * This server's lease to change some tables. While it lasts, its mark is renewed periodically. If the mark could not be
 * renewed for half a lease, no file is changed until a renewal succeeds, since another server may believe that this one
 * is dead. Thread-safe for the committing thread and the thread that renews it.
 */
final class TableLease {
    private final LeaseStore marks;
    private final long halfLease;
    private final String table;

    @GuardedBy("this")
    private CommitOwner owner;

    @GuardedBy("this")
    private long beaten;

    @GuardedBy("this")
    private boolean isWritten;

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private boolean isLost;

    @GuardedBy("this")
    private boolean isLeft;

    /**
     * @param table one of the leased tables
     * @param began {@link System#nanoTime} before the mark was set
     */
    TableLease(LeaseStore marks, String table, CommitOwner owner, Duration lease, long began) {
        this.marks = marks;
        this.table = table;
        this.owner = owner;
        this.halfLease = lease.toNanos() / 2;
        this.beaten = began;
    }

    /**
     * Persists the journal. After this, the commit is completed or rolled back, by this server or by one that takes it
     * over.
     */
    synchronized void write(CommitJournal written) {
        check();
        if (!marks.write(owner, CommitJournalCodec.pack(written))) {
            throw lost();
        }
        isWritten = true;
    }

    /**
     * Returns the fence that keeps this server from changing the catalog after another server has taken the lease over.
     */
    synchronized CommitFence fence() {
        return new CommitFence(table, owner);
    }

    /** Records that the commit is completed or rolled back, so that no work is left for any server. */
    synchronized void settle() {
        check();
        isWritten = false;
    }

    /** Whether another server may end the commit when this server does not. */
    synchronized boolean isWritten() {
        return isWritten;
    }

    /** Checks the lease. Must be called before each change of a file. */
    synchronized void check() {
        if (isLost) {
            throw lost();
        }
        if (System.nanoTime() - beaten > halfLease) {
            renew();
        }
    }

    /** Renews the mark, which shows that this server is alive. */
    synchronized void renew() {
        if (over) {
            return;
        }
        long now = System.nanoTime();
        CommitOwner next = owner.nextBeat();
        if (!marks.replace(owner, next)) {
            throw lost();
        }
        owner = next;
        beaten = now;
    }

    /** Releases the lease. Returns false when another server has taken it over and ended the commit. */
    synchronized boolean end() {
        over = true;
        return isLeft || marks.end(owner);
    }

    /**
     * Releases the lease of a drop whose files cannot be deleted at present. The next change of the table deletes them
     * first.
     */
    synchronized void leave() {
        check();
        owner = marks.releaseTable(owner).orElseThrow(this::lost);
        over = true;
        isLeft = true;
        isWritten = false;
    }

    @GuardedBy("this")
    private SkepException lost() {
        over = true;
        isLost = true;
        return fence().takenOverException();
    }
}
