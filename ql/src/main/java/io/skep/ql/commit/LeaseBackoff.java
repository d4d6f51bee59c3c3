package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.commit.CommitOwner;
import io.skep.metastore.commit.LeaseStore.Mark;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The back-off of one statement that waits for other commits. Belongs to the statement's thread. */
final class LeaseBackoff {
    private static final long SHORTEST_MILLIS = 2;
    private static final long LONGEST_MILLIS = 50;

    private final CommitConfig config;
    private final long began = System.nanoTime();
    private long pause = SHORTEST_MILLIS;
    private @Nullable CommitOwner seen;
    private long seenSince;

    LeaseBackoff(CommitConfig config) {
        this.config = config;
    }

    /** Whether an owner has not changed for the length of a lease, measured by this machine's clock alone. */
    boolean isSilent(CommitOwner owner) {
        if (!owner.equals(seen)) {
            seen = owner;
            seenSince = System.nanoTime();
        }
        return System.nanoTime() - seenSince > config.lease().toNanos();
    }

    /** Returns the remaining time in nanoseconds. */
    long left() {
        return Math.max(0, config.patience().toNanos() - (System.nanoTime() - began));
    }

    /** @throws SkepException COMMIT_UNDER_WAY when the time limit is reached */
    void pause(Mark mark) {
        if (left() == 0) {
            throw new SkepException(
                            StandardErrorCode.COMMIT_UNDER_WAY,
                            "another server has been changing table " + mark.table() + " for longer than "
                                    + config.patience().toSeconds() + "s: "
                                    + mark.owner().place() + ", commit "
                                    + mark.owner().commit())
                    .withHint("run the statement again; when that server hangs, end its process,"
                            + " and the next statement ends its commit");
        }
        sleep(ThreadLocalRandom.current().nextLong(SHORTEST_MILLIS, pause + SHORTEST_MILLIS));
        pause = Math.min(LONGEST_MILLIS, pause * 2);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    static SkepException interrupted() {
        Thread.currentThread().interrupt();
        return new SkepException(
                StandardErrorCode.OPERATION_CANCELED, "canceled while it waited for another commit on its table");
    }
}
