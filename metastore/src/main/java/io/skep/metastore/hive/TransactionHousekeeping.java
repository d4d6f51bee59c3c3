package io.skep.metastore.hive;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.metastore.transaction.TransactionConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.apache.hadoop.hive.metastore.txn.TxnStore.MUTEX_KEY;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends transactions and locks whose owners are gone, and removes rows about ended ones. These are the tasks that Hive's
 * metastore runs on threads of its own: AcidHouseKeeperService, AcidTxnCleanerService, AcidOpenTxnsCounterService, and
 * those of CompactionHouseKeeperService. The first two and the last run in one server or metastore at a time, by Hive's
 * own mutexes in the database; a second one waits for its turn and then finds little to do. One thread keeps the time.
 * It does not use the database itself, and starts with the first transaction.
 */
final class TransactionHousekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionHousekeeping.class);

    private final TransactionLibrary library;
    private final List<Task> tasks;
    private final CountDownLatch closing = new CountDownLatch(1);

    @GuardedBy("this")
    private @Nullable Thread thread;

    @FunctionalInterface
    private interface Step {
        void in(TxnStore store) throws Exception;
    }

    /**
     * @param mutex the name of Hive's mutex for the task; null for none
     * @param steps independent steps; a step that fails does not keep the others from running
     */
    private record Task(String what, @Nullable String mutex, Duration interval, List<Step> steps) {}

    TransactionHousekeeping(TransactionLibrary library, TransactionConfig config) {
        this.library = library;
        Duration counting = Duration.ofMillis(
                MetastoreConf.getTimeVar(library.settings(), ConfVars.COUNT_OPEN_TXNS_INTERVAL, TimeUnit.MILLISECONDS));
        Duration history = Duration.ofMillis(MetastoreConf.getTimeVar(
                library.settings(), ConfVars.COMPACTION_HOUSEKEEPER_SERVICE_INTERVAL, TimeUnit.MILLISECONDS));
        String houseKeeper = MUTEX_KEY.HouseKeeper.name();
        this.tasks = List.of(
                new Task(
                        "end transactions and locks that have timed out",
                        houseKeeper,
                        config.timeoutChecks(),
                        List.of(
                                TxnStore::performTimeOuts,
                                TxnStore::performWriteSetGC,
                                TxnStore::cleanTxnToWriteIdTable)),
                new Task(
                        "remove rows of ended transactions",
                        MUTEX_KEY.TxnCleaner.name(),
                        config.cleaning(),
                        List.of(TxnStore::cleanEmptyAbortedAndCommittedTxns)),
                new Task("count the open transactions", null, counting, List.of(TxnStore::countOpenTxns)),
                new Task(
                        "remove old rows about compactions",
                        houseKeeper,
                        history,
                        List.of(TxnStore::removeDuplicateCompletedTxnComponents, TxnStore::purgeCompactionHistory)));
    }

    /** Starts the thread, unless it runs or the metastore is closed. */
    synchronized void start() {
        if (thread == null && closing.getCount() > 0) {
            thread = Thread.ofPlatform()
                    .daemon()
                    .name("metastore-transaction-timeouts")
                    .start(this::keepTime);
        }
    }

    private void keepTime() {
        long[] next = new long[tasks.size()];
        long begin = System.nanoTime();
        try {
            while (true) {
                long now = System.nanoTime() - begin;
                long wait = Long.MAX_VALUE;
                for (int i = 0; i < next.length; i++) {
                    if (next[i] <= now) {
                        run(tasks.get(i));
                        next[i] = System.nanoTime()
                                - begin
                                + tasks.get(i).interval().toNanos();
                    }
                    wait = Math.min(wait, next[i]);
                }
                if (closing.await(wait - (System.nanoTime() - begin), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A task that fails runs again after its interval. */
    private void run(Task task) {
        try {
            library.write(task.what(), store -> {
                if (task.mutex() == null) {
                    runSteps(task, store);
                    return true;
                }
                TxnStore.MutexAPI.LockHandle mutex = store.getMutexAPI().acquireLock(task.mutex());
                try {
                    runSteps(task, store);
                } finally {
                    mutex.releaseLocks();
                }
                return true;
            });
        } catch (SkepException e) {
            if (closing.getCount() > 0) {
                LOG.warn(
                        "{}; it is tried again in {} s",
                        e.getMessage(),
                        task.interval().toSeconds());
            }
        }
    }

    private static void runSteps(Task task, TxnStore store) {
        for (Step step : task.steps()) {
            try {
                step.in(store);
            } catch (Exception e) {
                LOG.warn(
                        "failed to {}: {}; it is tried again in {} s",
                        task.what(),
                        e,
                        task.interval().toSeconds());
            }
        }
    }

    /** Waits for a running task, whose thread is not interrupted. */
    @Override
    public void close() {
        closing.countDown();
        Thread running;
        synchronized (this) {
            running = thread;
        }
        if (running != null) {
            try {
                running.join(TimeUnit.SECONDS.toMillis(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
