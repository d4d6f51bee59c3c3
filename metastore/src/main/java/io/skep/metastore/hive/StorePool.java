package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.commit.CommitFence;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.hive.DatabaseThreads.Effect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import javax.jdo.JDOFatalUserException;
import javax.jdo.JDOHelper;
import javax.jdo.JDOUserException;
import javax.jdo.PersistenceManager;
import javax.jdo.datastore.JDOConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.Deadline;
import org.apache.hadoop.hive.metastore.ObjectStore;
import org.apache.hadoop.hive.metastore.RawStore;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.jspecify.annotations.Nullable;

/**
 * A pool of object stores of Hive's library and of the few threads that use them ({@link DatabaseThreads}). Each store
 * is used by one thread at a time. An interrupted caller returns immediately, unless its write has begun. In that case
 * it waits for the outcome. The driver limits how long a database may be silent
 * ({@link io.skep.metastore.database.SilenceLimits}).
 */
final class StorePool implements AutoCloseable {
    private static final int ATTEMPTS = 8;

    /** The time after which a failure is not retried, because a caller is waiting. */
    private static final long LAST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Prefixes of the SQLSTATEs of failures that may succeed on a retry. They include PostgreSQL's codes for a shutdown
     * (57P), and for a transaction that it ended because its process did not continue (25P03).
     */
    private static final List<String> TRANSIENT = List.of("40", "08", "23", "57P", "25P03");

    /** The package of Derby's compiled statements. */
    private static final String DERBY_SQL = "org.apache.derby.impl.sql.";

    /** The beginning of the library's message when a transaction keeps it from closing its factory. */
    private static final String IN_USE = "Transaction is still active";

    /** The table with the library's key counters for each kind of row. It is part of the schema. */
    private static final String COUNTERS = "SEQUENCE_TABLE";

    /**
     * Held while a store connects. The library has one factory in a process. A store first connects that factory to its
     * own database, and then takes a connection from it. Without this lock, another server of the process may connect
     * the factory to its database in between.
     */
    private static final ReentrantLock CONNECTING = new ReentrantLock();

    private static final long CONNECTING_SECONDS = 3;

    private final Configuration configuration;
    private final int batchSize;
    private final Ending ending;
    private final DatabaseThreads threads;
    private final ConcurrentLinkedDeque<ObjectStore> idle = new ConcurrentLinkedDeque<>();
    private final LongAdder readNanos = new LongAdder();

    /**
     * Work with a store, which runs in a transaction when it writes. It may run again when the database requires a
     * retry.
     */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T in(RawStore store) throws Exception;
    }

    /** Read-only work in several parts. */
    @FunctionalInterface
    interface LongWork<T extends @Nullable Object> {
        /** @param wanted must run before each part; fails when no caller waits for the result */
        T in(RawStore store, Runnable wanted) throws Exception;
    }

    /** A listener for the outcome of each transaction. */
    @FunctionalInterface
    interface Ending {
        void ended(RawStore store, boolean committed);
    }

    StorePool(Configuration configuration, int size, Ending ending) {
        this.ending = ending;
        this.configuration = configuration;
        this.batchSize = LibrarySettings.batchSize(configuration);
        this.threads = new DatabaseThreads("metastore-", size);
    }

    Configuration configuration() {
        return configuration;
    }

    /** Returns the total duration of reads so far, over all threads. */
    long readNanos() {
        return readNanos.sum();
    }

    /** Splits a long list into the batches that the library accepts. */
    <T> List<List<T>> batches(List<T> list) {
        List<List<T>> batches = new ArrayList<>();
        for (int start = 0; start < list.size(); start += batchSize) {
            batches.add(new ArrayList<>(list.subList(start, Math.min(list.size(), start + batchSize))));
        }
        return batches;
    }

    <T extends @Nullable Object> T read(String what, Work<T> work) {
        return run(what, work, Effect.READ, new AtomicBoolean());
    }

    /** Reads in parts. The work stops when its caller has stopped waiting. */
    <T extends @Nullable Object> T readInParts(String what, LongWork<T> work) {
        AtomicBoolean unwanted = new AtomicBoolean();
        Runnable wanted = () -> {
            if (unwanted.get()) {
                throw DatabaseThreads.canceled(what);
            }
        };
        return run(what, store -> work.in(store, wanted), Effect.READ, unwanted);
    }

    /** Writes all or nothing. Writes nothing when another server has taken over the caller's commit. */
    <T extends @Nullable Object> T write(String what, Work<T> work) {
        return run(what, inTransaction(work, CommitFence.current()), Effect.WRITE, new AtomicBoolean());
    }

    /** Calls the library, which writes in a transaction of its own. A call that fails may run again. */
    <T extends @Nullable Object> T call(String what, Work<T> work) {
        return run(what, work, Effect.WRITE, new AtomicBoolean());
    }

    private <T extends @Nullable Object> Work<T> inTransaction(Work<T> work, Optional<CommitFence> fence) {
        return store -> {
            boolean committed = false;
            store.openTransaction();
            try {
                T result = work.in(store);
                if (fence.isPresent()) {
                    check(fence.get(), store);
                }
                committed = store.commitTransaction();
                if (!committed) {
                    throw new MetaException("the transaction was rolled back");
                }
                return result;
            } finally {
                ending.ended(store, committed);
            }
        };
    }

    /**
     * This check runs last, so that the mark is locked only briefly. The heartbeats of its owner wait for that lock.
     */
    private static void check(CommitFence fence, RawStore store) throws SQLException {
        JDOConnection connection = transaction(fence, store).getDataStoreConnection();
        try {
            fence.check((Connection) connection.getNativeConnection());
        } finally {
            connection.close();
        }
    }

    /** The library does not expose its transaction, but an object read in it does. */
    private static PersistenceManager transaction(CommitFence fence, RawStore store) {
        PersistenceManager transaction = ((ObjectStore) store)
                .fetchProperties(LeaseStore.PREFIX + fence.table(), JDOHelper::getPersistenceManager);
        if (transaction == null) {
            throw fence.takenOverException();
        }
        return transaction;
    }

    private <T extends @Nullable Object> T run(String what, Work<T> work, Effect effect, AtomicBoolean unwanted) {
        return threads.run(
                what,
                () -> {
                    long start = System.nanoTime();
                    try {
                        return attempt(what, work);
                    } finally {
                        if (effect == Effect.READ) {
                            readNanos.add(System.nanoTime() - start);
                        }
                    }
                },
                effect,
                unwanted);
    }

    private <T extends @Nullable Object> T attempt(String what, Work<T> work) {
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                return once(what, work);
            } catch (SkepException e) {
                throw e;
            } catch (Exception e) {
                if (isClosed(e)) {
                    idle.clear();
                }
                boolean last =
                        threads.isAbandoned() || attempt == ATTEMPTS || System.nanoTime() - start > LAST_RETRY_NANOS;
                if (last || !(isTransient(e) || isClosed(e) || isFirstKey(e) || isRecompiled(e))) {
                    throw new SkepException(
                            StandardErrorCode.METASTORE_ERROR, "the metastore failed to " + what + ": " + reason(e), e);
                }
                pause(attempt);
            }
        }
    }

    private <T extends @Nullable Object> T once(String what, Work<T> work) throws Exception {
        ObjectStore store = borrow();
        boolean good = false;
        try {
            Deadline.registerIfNot(DatabaseThreads.REQUEST_MILLIS);
            Deadline.startTimer(what);
            T result = work.in(store);
            good = true;
            return result;
        } finally {
            Deadline.clear();
            release(store, good);
        }
    }

    private ObjectStore borrow() {
        ObjectStore store = idle.pollFirst();
        return store == null ? connect() : store;
    }

    private ObjectStore connect() {
        ObjectStore store = new ObjectStore();
        boolean isAlone = waitForOthers();
        try {
            if (threads.isAbandoned()) {
                // The store would connect the library's factory to this database.
                throw new SkepException(StandardErrorCode.METASTORE_ERROR, "the metastore is closed");
            }
            store.setConf(configuration);
        } finally {
            if (isAlone) {
                CONNECTING.unlock();
            }
        }
        return store;
    }

    /** Takes the lock, unless another store connects for long: its database may be silent, and others must not wait. */
    private static boolean waitForOthers() {
        try {
            return CONNECTING.tryLock(CONNECTING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A store whose work failed may contain an incomplete transaction and is not reused. */
    private void release(ObjectStore store, boolean good) {
        if (good && !store.isActiveTransaction()) {
            idle.addFirst(store);
            return;
        }
        if (store.isActiveTransaction()) {
            store.rollbackTransaction();
        }
        store.shutdown();
    }

    /**
     * Whether a retry may succeed: after a deadlock, a serialization failure or a lost connection. After a unique key
     * violation, the retry finds what the other writer created and reports it.
     */
    private static boolean isTransient(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException) {
                // The pool has already tried to connect for its whole timeout.
                return false;
            }
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                String state = sql.getSQLState();
                return TRANSIENT.stream().anyMatch(state::startsWith);
            }
        }
        return false;
    }

    /**
     * Whether the library has closed its only factory and with it all stores, or could not close it because of another
     * thread's transaction. This happens when another server of the process starts or stops.
     */
    private static boolean isClosed(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean isInUse = String.valueOf(cause.getMessage()).startsWith(IN_USE);
            if (cause instanceof JDOFatalUserException || isInUse) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether two servers requested the first key of a kind of row at the same time. The library mistakes the conflict
     * with the other server's counter for a missing table, and drops the database's error. The next attempt finds the
     * counter.
     */
    private static boolean isFirstKey(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JDOUserException
                    && String.valueOf(cause.getMessage()).contains(COUNTERS)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether Derby compiled a statement anew while this thread ran it. Threads share compiled statements. Derby
     * compiles one again when the number of rows of its tables has changed much, and then a run in another thread may
     * find a part of the old one and a part of the new one.
     */
    private static boolean isRecompiled(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            StackTraceElement[] stack = cause.getStackTrace();
            if (cause instanceof RuntimeException
                    && stack.length > 0
                    && stack[0].getClassName().startsWith(DERBY_SQL)) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }

    private static void pause(int attempt) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(10L << attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for running work, but not for a database that does not respond. */
    @Override
    public void close() {
        threads.close();
        for (ObjectStore store = idle.pollFirst(); store != null; store = idle.pollFirst()) {
            store.shutdown();
        }
    }
}
