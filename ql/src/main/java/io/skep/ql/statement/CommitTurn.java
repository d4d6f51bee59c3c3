package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.commit.CommitMarks;
import io.skep.metastore.commit.CommitOwner;
import io.skep.ql.statement.TableCommits.Step;
import java.time.Duration;
import java.util.List;

/**
 * This server's turn to change some tables. As long as it goes on, its mark is changed now and then; when this could not be done
 * for half a lease, nothing more is done to the files until it could, since another server may believe that this one is dead.
 * Safe for the thread that commits and the one that beats.
 */
final class CommitTurn {
    private final CommitMarks marks;
    private final long halfLease;
    private CommitOwner owner;
    private long beaten;
    private List<Step> written = List.of();
    private boolean isWritten;
    private boolean over;

    /** @param began {@link System#nanoTime} before the mark was set */
    CommitTurn(CommitMarks marks, CommitOwner owner, Duration lease, long began) {
        this.marks = marks;
        this.owner = owner;
        this.halfLease = lease.toNanos() / 2;
        this.beaten = began;
    }

    /** From now on the commit is ended, by whomever. */
    synchronized void write(List<Step> steps) {
        check();
        if (!marks.write(owner, CommitSteps.pack(steps))) {
            throw lost();
        }
        written = List.copyOf(steps);
        isWritten = true;
    }

    /** Whether another server may end it when this one does not. */
    synchronized boolean isWritten() {
        return isWritten;
    }

    /** Of what the catalog is told. */
    synchronized List<Step> places() {
        return written.stream().filter(Step.InCatalog.class::isInstance).toList();
    }

    /** To be called before each change of a file. */
    synchronized void check() {
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
        return new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "commit " + owner.commit() + " was ended by another server, to which this one looked dead")
                .withHint("look whether the rows are there before you run the statement again");
    }
}
