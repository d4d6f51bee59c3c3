package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.commit.CommitMarks;
import io.skep.metastore.commit.CommitOwner;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * This server's turn to change some tables. As long as it goes on, its mark is changed now and then; when this could not be done
 * for half a lease, nothing more is done to the files until it could, since another server may believe that this one is dead.
 * Safe for the thread that commits and the one that beats.
 */
final class TableLease {
    private final CommitMarks marks;
    private final long halfLease;
    private CommitOwner owner;
    private long beaten;
    private @Nullable CommitJournal journal;
    private boolean isWritten;
    private boolean over;
    private boolean isLost;

    /** @param began {@link System#nanoTime} before the mark was set */
    TableLease(CommitMarks marks, CommitOwner owner, Duration lease, long began) {
        this.marks = marks;
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
        this.journal = written;
        isWritten = true;
    }

    /** What was written down last. */
    synchronized Optional<CommitJournal> journal() {
        return Optional.ofNullable(journal);
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
        return marks.end(owner);
    }

    private SkepException lost() {
        over = true;
        isLost = true;
        return new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "commit " + owner.commit() + " was ended by another server, to which this one looked dead")
                .withHint("look whether the rows are there before you run the statement again");
    }
}
