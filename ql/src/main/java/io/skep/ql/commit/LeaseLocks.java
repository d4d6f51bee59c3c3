package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks on which the commits of one server to a table queue, so that only the first of them asks the database for its
 * turn.
 */
final class LeaseLocks {
    private static final int STRIPES = 256;

    private final List<ReentrantLock> stripes = new ArrayList<>();

    LeaseLocks() {
        for (int i = 0; i < STRIPES; i++) {
            stripes.add(new ReentrantLock(true));
        }
    }

    /** The held locks. Closing releases them. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    Held take(Set<String> tables, LeaseBackoff patience) {
        // All threads lock in the same order, so that two that want the same tables do not deadlock.
        List<ReentrantLock> wanted = tables.stream()
                .map(table -> Math.floorMod(table.hashCode(), STRIPES))
                .distinct()
                .sorted(Comparator.naturalOrder())
                .map(stripes::get)
                .toList();
        List<ReentrantLock> held = new ArrayList<>();
        boolean all = false;
        try {
            for (ReentrantLock lock : wanted) {
                lock(lock, tables, patience);
                held.add(lock);
            }
            all = true;
        } finally {
            if (!all) {
                held.forEach(ReentrantLock::unlock);
            }
        }
        return () -> held.forEach(ReentrantLock::unlock);
    }

    private static void lock(ReentrantLock lock, Set<String> tables, LeaseBackoff patience) {
        try {
            if (!lock.tryLock(patience.left(), TimeUnit.NANOSECONDS)) {
                throw new SkepException(
                                StandardErrorCode.COMMIT_UNDER_WAY,
                                "other statements of this server have been changing "
                                        + String.join(
                                                ", ", tables.stream().sorted().toList()) + " all the time")
                        .withHint("run the statement again");
            }
        } catch (InterruptedException e) {
            throw LeaseBackoff.interrupted();
        }
    }
}
