package io.skep.ql.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.TransactionStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of one statement. It ends exactly once: by {@link #commit}, or by {@link #abort} or {@link #close} in
 * whatever other way the statement ends. Until then heartbeats keep it alive. One that finds the transaction aborted by
 * others cancels the statement. What a killed server leaves open is aborted by others after a timeout, and the files
 * that it has written stay invisible. Fields are guarded by this; no call of the metastore is made under that lock.
 * Thread-safe, because a client may end the statement on another thread.
 */
public final class StatementTransaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatementTransaction.class);

    private final TransactionStore store;
    private final long id;
    private final boolean exclusiveWrites;
    private final Consumer<SkepException> cancel;

    @GuardedBy("this")
    private @Nullable ScheduledFuture<?> heartbeat;

    @GuardedBy("this")
    private State state = State.OPEN;

    /** Why the transaction has ended without the statement's doing. */
    @GuardedBy("this")
    private @Nullable SkepException lost;

    @GuardedBy("this")
    private @Nullable ValidTxnList visible;

    @GuardedBy("this")
    private final Map<String, ValidWriteIdList> snapshots = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Long> writeIds = new HashMap<>();

    private enum State {
        OPEN,
        /** A thread commits or aborts it. */
        ENDING,
        COMMITTED,
        ABORTED,
        /** Committed or open in the database, which does not answer. */
        UNKNOWN
    }

    /** @param id an open transaction, which this object ends */
    StatementTransaction(TransactionStore store, long id, boolean exclusiveWrites, Consumer<SkepException> cancel) {
        this.store = store;
        this.id = id;
        this.exclusiveWrites = exclusiveWrites;
        this.cancel = cancel;
    }

    /** @param schedule begins heartbeats */
    synchronized void keepAlive(Function<Runnable, ScheduledFuture<?>> schedule) {
        heartbeat = schedule.apply(this::beat);
    }

    private synchronized void endHeartbeats() {
        if (heartbeat != null) {
            heartbeat.cancel(false);
        }
    }

    synchronized void begun(
            ValidTxnList transactions, Map<String, ValidWriteIdList> snapshot, Map<String, Long> allocated) {
        visible = transactions;
        snapshots.putAll(snapshot);
        writeIds.putAll(allocated);
    }

    public long id() {
        return id;
    }

    /** Returns the transactions whose changes the statement sees. */
    public synchronized ValidTxnList visibleTransactions() {
        if (visible == null) {
            throw new IllegalStateException("transaction " + id + " has not begun");
        }
        return visible;
    }

    /** Returns the write ids of a table whose rows the statement sees. The table is one of those it was begun for. */
    public ValidWriteIdList snapshot(Table table) {
        return snapshot(table.qualifiedName());
    }

    /** As above, by the table's name with its database. */
    synchronized ValidWriteIdList snapshot(String table) {
        ValidWriteIdList snapshot = snapshots.get(table);
        if (snapshot == null) {
            throw new IllegalStateException("transaction " + id + " was not begun for " + table);
        }
        return snapshot;
    }

    /**
     * Returns the write id under which the statement writes into a table. A table that the statement itself creates
     * gets one on the first call.
     */
    public long writeId(Table table) {
        synchronized (this) {
            Long known = writeIds.get(table.qualifiedName());
            if (known != null) {
                return known;
            }
        }
        check();
        long allocated = store.allocateWriteId(id, table.database(), table.name());
        synchronized (this) {
            writeIds.put(table.qualifiedName(), allocated);
        }
        return allocated;
    }

    /** Records written partitions that were not known when the transaction began, so that conflicts are found. */
    public void addPartitions(Table table, Collection<String> partitions, TableAccess access) {
        check();
        DataOperation operation = switch (access) {
            case INSERT -> DataOperation.INSERT;
            case OVERWRITE, TRUNCATE, UPDATE -> DataOperation.UPDATE;
            case DELETE -> DataOperation.DELETE;
            case READ, DEFINE_SHARED, DEFINE_ALONE, DEFINE_EXCLUSIVE ->
                throw new IllegalArgumentException(access + " writes no partition");
        };
        store.addPartitions(id, writeId(table), table.database(), table.name(), partitions, operation);
    }

    /** @throws SkepException the error with which the transaction was lost */
    public synchronized void check() {
        if (lost != null) {
            throw lost;
        }
        if (state != State.OPEN) {
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "transaction txnid:" + id + " has been ended");
        }
    }

    private void beat() {
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
        }
        try {
            store.heartbeat(id);
        } catch (SkepException e) {
            if (hasEnded(e)) {
                lose(e);
            } else {
                LOG.warn("transaction {}: a heartbeat failed, the next one follows: {}", id, e.fullMessage());
            }
        } catch (RuntimeException e) {
            LOG.warn("transaction {}: a heartbeat failed, the next one follows", id, e);
        }
    }

    private static boolean hasEnded(SkepException error) {
        return error.code() == StandardErrorCode.TRANSACTION_ABORTED
                || error.code() == StandardErrorCode.TRANSACTION_NOT_FOUND;
    }

    private void lose(SkepException error) {
        synchronized (this) {
            if (state != State.OPEN) {
                // The statement has ended it meanwhile.
                return;
            }
            state = State.ABORTED;
            lost = error;
        }
        endHeartbeats();
        cancel.accept(error);
    }

    /**
     * Commits the transaction. Once begun, the commit is carried out even if the thread is interrupted.
     *
     * @throws SkepException TRANSACTION_ABORTED, TRANSACTION_NOT_FOUND when it is aborted instead, also because of a
     *     conflict; METASTORE_ERROR when the database failed, and it is aborted or {@link #isOutcomeUnknown};
     *     OPERATION_CANCELED when the statement has ended it, or its thread was interrupted before
     */
    public void commit() {
        synchronized (this) {
            check();
            state = State.ENDING;
        }
        State outcome = State.UNKNOWN;
        try {
            store.commit(id, exclusiveWrites);
            outcome = State.COMMITTED;
        } catch (SkepException e) {
            outcome = hasEnded(e) ? State.ABORTED : outcome(e);
            if (outcome != State.COMMITTED) {
                throw e;
            }
        } finally {
            endHeartbeats();
            ended(outcome);
        }
    }

    /** Finds out whether a commit has happened whose answer is lost. */
    private State outcome(SkepException lostAnswer) {
        try {
            return store.abortUnlessCommitted(id) ? State.COMMITTED : State.ABORTED;
        } catch (SkepException e) {
            lostAnswer.addSuppressed(e);
            return State.UNKNOWN;
        }
    }

    synchronized boolean isCommitted() {
        return state == State.COMMITTED;
    }

    /**
     * Whether the database has failed in a commit, and in finding out its outcome. The transaction is committed, or
     * will be aborted by its timeout.
     */
    public synchronized boolean isOutcomeUnknown() {
        return state == State.UNKNOWN;
    }

    private synchronized void ended(State how) {
        state = how;
    }

    /**
     * Aborts the transaction, unless it has ended or another thread commits it. Its locks are released, and what it has
     * written stays invisible. Also for an interrupted thread. A failure is logged: the transaction times out then.
     */
    public void abort() {
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            state = State.ENDING;
        }
        endHeartbeats();
        try {
            store.abort(id);
        } catch (SkepException e) {
            LOG.warn("transaction {} could not be aborted, it will time out: {}", id, e.fullMessage());
        } finally {
            ended(State.ABORTED);
        }
    }

    /** Aborts the transaction if it is still open. */
    @Override
    public void close() {
        abort();
    }
}
