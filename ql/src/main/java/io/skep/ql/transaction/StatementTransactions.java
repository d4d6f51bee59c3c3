package io.skep.ql.transaction;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.local.LocalMetastore;
import io.skep.metastore.transaction.TransactionConfig;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Begins the transactions of a server's statements, and keeps them alive by heartbeats. Statements that use no
 * transactional table do not come here. A few threads send all heartbeats; they start with the first transaction.
 */
public final class StatementTransactions implements AutoCloseable {
    private static final int HEARTBEAT_THREADS = 2;

    private final TransactionStore store;
    private final Duration heartbeat;
    private final String host;
    private final ScheduledThreadPoolExecutor heartbeats;
    private final SeenSnapshots snapshots = new SeenSnapshots();
    private final Queue<Runnable> firstUse = new ConcurrentLinkedQueue<>();

    /** @param host this server's name, for listings */
    public StatementTransactions(TransactionStore store, TransactionConfig config, String host) {
        this.store = store;
        this.heartbeat = config.heartbeat();
        this.host = host;
        this.heartbeats = new ScheduledThreadPoolExecutor(
                HEARTBEAT_THREADS,
                Thread.ofPlatform().daemon().name("transaction-heartbeat-", 0).factory());
        heartbeats.setRemoveOnCancelPolicy(true);
        heartbeats.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Creates the transactions of a server's statements on its metastore. */
    public static StatementTransactions of(LocalMetastore metastore) {
        return new StatementTransactions(metastore.transactions(), metastore.transactionConfig(), host());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /**
     * Begins a statement's transaction, and returns when it has its write ids, its locks and its snapshot. It runs on
     * the statement's thread, and an interrupt ends it. Nothing is left of a transaction whose begin fails.
     *
     * @param queryId the id of the statement, for listings
     * @param uses at least one
     * @param cancel is called with the error when the transaction is lost while the statement runs
     * @throws SkepException LOCK_TIMED_OUT, OPERATION_CANCELED, TRANSACTION_ABORTED, NOT_SUPPORTED when the session's
     *     settings have no transactions
     */
    public StatementTransaction begin(
            String user,
            String queryId,
            List<TableUse> uses,
            TransactionSettings settings,
            Consumer<SkepException> cancel) {
        if (uses.isEmpty()) {
            throw new IllegalArgumentException("a transaction without tables");
        }
        settings.checkOn(uses.getFirst());
        used();
        TransactionOwner owner = new TransactionOwner(user, host, queryId);
        return new TransactionBegin(this, store, owner, uses, settings, cancel).run();
    }

    /**
     * Refreshes those of the tables whose snapshot differs from that of the last statement on this server, so that what
     * the server knows of their partitions may be older.
     */
    public void refresh(
            StatementTransaction transaction, Collection<Table> tables, Consumer<Collection<Table>> refresh) {
        snapshots.refresh(transaction, tables, refresh);
    }

    /**
     * Returns a write id of a table whose transaction has committed. Files that get into its folder are visible at
     * once, so the caller must keep readers away.
     */
    public long committedWriteId(String user, String queryId, Table table) {
        TransactionOwner owner = new TransactionOwner(user, host, queryId);
        try (StatementTransaction transaction =
                new StatementTransaction(store, store.open(owner, TransactionKind.DEFAULT), true, _ -> {})) {
            long writeId = transaction.writeId(table);
            transaction.commit();
            return writeId;
        }
    }

    /**
     * Begins the transaction of a compaction, which has the table's snapshot.
     *
     * @param worker the worker, for listings
     * @param partition the name of the partition that is compacted
     * @param cancel is called with the error when the transaction is lost
     * @throws SkepException LOCK_TIMED_OUT when the table is being dropped or changed; OPERATION_CANCELED
     */
    public StatementTransaction beginCompaction(
            String user, String worker, Table table, Optional<String> partition, Consumer<SkepException> cancel) {
        TransactionOwner owner = new TransactionOwner(user, host, worker);
        return new CompactionBegin(this, store).run(owner, table, partition, cancel);
    }

    /**
     * Begins the transaction of a rebalance, which has the table's snapshot, a write id above all that the snapshot
     * sees, and a lock that keeps out whatever changes rows.
     *
     * @param worker the worker, for listings
     * @param partition the name of the partition that is rebalanced
     * @param cancel is called with the error when the transaction is lost
     * @throws SkepException LOCK_TIMED_OUT; TRANSACTION_ABORTED when others do not stop writing; OPERATION_CANCELED
     */
    public StatementTransaction beginRebalance(
            String user, String worker, Table table, Optional<String> partition, Consumer<SkepException> cancel) {
        TransactionOwner owner = new TransactionOwner(user, host, worker);
        return new RebalanceBegin(this, store, owner, table, partition).run(cancel);
    }

    /** Calls a listener once, before the first statement of this server that uses a transactional table. */
    public void whenUsed(Runnable listener) {
        firstUse.add(listener);
    }

    private void used() {
        for (Runnable listener = firstUse.poll(); listener != null; listener = firstUse.poll()) {
            listener.run();
        }
    }

    /** Returns this server's name, for listings. */
    public String serverName() {
        return host;
    }

    /** Returns the transactions of all servers on the metastore's database. */
    public TransactionStore store() {
        return store;
    }

    /** Schedules a transaction's heartbeats until they are canceled. */
    ScheduledFuture<?> everyHeartbeat(Runnable beat) {
        long millis = Math.max(1, heartbeat.toMillis());
        try {
            return heartbeats.scheduleWithFixedDelay(beat, millis, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the server stops", e);
        }
    }

    /** Returns the number of transactions that are kept alive. */
    int active() {
        return heartbeats.getQueue().size();
    }

    /** Ends the heartbeats. Statements that still run abort their transactions themselves. */
    @Override
    public void close() {
        heartbeats.shutdown();
        try {
            if (!heartbeats.awaitTermination(1, TimeUnit.SECONDS)) {
                // Their threads wait for the metastore's, which are not interrupted.
                heartbeats.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
