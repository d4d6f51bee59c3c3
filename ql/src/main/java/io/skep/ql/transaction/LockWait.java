package io.skep.ql.transaction;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.transaction.ListedLock;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockResult;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A statement's wait for its locks, on the statement's thread. It checks again and again, at intervals that double from
 * 50 ms to the longest one, as Hive does. An interrupt ends the wait.
 */
final class LockWait {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

    /** The most holders of locks that an error names. */
    private static final int MAX_NAMED = 5;

    private final TransactionStore store;
    private final TransactionSettings settings;

    LockWait(TransactionStore store, TransactionSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    /**
     * Returns when the locks are granted.
     *
     * @param check is called before each request; fails when the transaction is lost or the statement cancelled
     * @throws SkepException LOCK_TIMED_OUT
     */
    void acquire(long transaction, TransactionOwner owner, List<LockComponent> components, Runnable check) {
        long began = System.nanoTime();
        check.run();
        LockResult result = store.lock(transaction, owner, components);
        Duration pause = SHORTEST_PAUSE;
        for (int retry = 0; !result.isAcquired(); retry++) {
            check.run();
            if (retry == settings.lockRetries()) {
                throw timedOut(transaction, components, result, System.nanoTime() - began);
            }
            sleep(pause.compareTo(settings.longestPause()) < 0 ? pause : settings.longestPause());
            pause = pause.compareTo(settings.longestPause()) < 0 ? pause.multipliedBy(2) : pause;
            check.run();
            result = store.checkLock(transaction, result.lock());
        }
    }

    private static void sleep(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Interruption.check();
        }
    }

    private SkepException timedOut(
            long transaction, List<LockComponent> components, LockResult result, long waitedNanos) {
        String wanted = components.stream().map(LockWait::text).collect(Collectors.joining(", "));
        return new SkepException(
                        StandardErrorCode.LOCK_TIMED_OUT,
                        "Lock acquisition for " + wanted + " timed out after "
                                + TimeUnit.NANOSECONDS.toMillis(waitedNanos) + "ms.  Request lockid:" + result.lock()
                                + " waits for " + holders(transaction, result.lock()))
                .withHint("SHOW LOCKS lists all locks, and ABORT TRANSACTIONS ends what holds them; "
                        + TransactionSettings.LOCK_RETRIES.name() + " says how often a statement tries");
    }

    private static String text(LockComponent lock) {
        return lock.kind() + " of " + lock.database()
                + lock.table().map(table -> "." + table).orElse("")
                + lock.partition().map(partition -> "/" + partition).orElse("");
    }

    private String holders(long transaction, long request) {
        List<ListedLock> locks = store.locks(LockFilter.ALL);
        List<Long> blocking = locks.stream()
                .filter(lock -> lock.lock() == request)
                .map(ListedLock::blockedBy)
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .distinct()
                .toList();
        List<String> named = locks.stream()
                .filter(lock -> blocking.contains(lock.lock()) && lock.transaction() != transaction)
                .map(lock -> "txnid:" + lock.transaction() + " of user " + lock.user() + " on " + lock.host())
                .distinct()
                .limit(MAX_NAMED)
                .toList();
        return named.isEmpty() ? "others" : String.join(", ", named);
    }
}
