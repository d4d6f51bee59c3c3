package io.skep.ql.transaction;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * The begin of a rebalance's transaction. It gives the rows of a table other identifiers, so it is an update of all of
 * them: it gets a write id, keeps other writers that change rows out, and the metastore records it as one, so that
 * those who have waited for it take a new snapshot. Inserts go on beside. Those with a lower write id have to end
 * first, because the new base hides what they write, and so does everything that the snapshot sees has to have a lower
 * write id. An insert that does not end soon, and a writer that waits for this transaction's lock, get it out of the
 * way: it is aborted, and begins again later.
 */
final class RebalanceBegin {
    private static final TransactionSettings WAITING =
            new TransactionSettings(false, 20, Duration.ofSeconds(1), true, true, 0);
    private static final int ATTEMPTS = 8;

    /** How long an attempt holds its lock and waits for inserts. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);

    private final StatementTransactions shared;
    private final TransactionStore store;
    private final TransactionOwner owner;
    private final Table table;
    private final LockComponent lock;

    RebalanceBegin(
            StatementTransactions shared,
            TransactionStore store,
            TransactionOwner owner,
            Table table,
            Optional<String> partition) {
        this.shared = shared;
        this.store = store;
        this.owner = owner;
        this.table = table;
        LockComponent whole =
                LockComponent.ofTable(LockKind.EXCL_WRITE, DataOperation.UPDATE, table.database(), table.name());
        this.lock = partition.map(whole::withPartition).orElse(whole);
    }

    StatementTransaction run(Consumer<SkepException> cancel) {
        Duration pause = SHORTEST_PAUSE;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StatementTransaction> begun = attempt(cancel);
            if (begun.isPresent()) {
                return begun.get();
            }
            pause = pause.multipliedBy(2);
            sleep(pause);
        }
        throw new SkepException(
                        StandardErrorCode.TRANSACTION_ABORTED,
                        "other transactions keep writing to " + table.qualifiedName()
                                + ", and a rebalance needs a moment without them; it has tried " + ATTEMPTS + " times")
                .withHint("SHOW TRANSACTIONS lists them; request the rebalance again when they have ended");
    }

    private Optional<StatementTransaction> attempt(Consumer<SkepException> cancel) {
        Interruption.check();
        long id = store.open(owner, TransactionKind.REBALANCE_COMPACTION);
        StatementTransaction transaction = new StatementTransaction(store, id, true, cancel);
        boolean begun = false;
        try {
            transaction.keepAlive(shared::everyHeartbeat);
            // Before the lock, whose request records the write id for the cleaner.
            long writeId = store.allocateWriteId(id, table.database(), table.name());
            new LockWait(store, WAITING).acquire(id, owner, List.of(lock), transaction::check);
            begun = store.latestConflict(id).isEmpty() && takeSnapshot(transaction, writeId);
            return begun ? Optional.of(transaction) : Optional.empty();
        } finally {
            if (!begun) {
                transaction.abort();
            }
        }
    }

    /** Waits for lower write ids. Returns whether the transaction has its snapshot. */
    private boolean takeSnapshot(StatementTransaction transaction, long writeId) {
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (true) {
            transaction.check();
            ValidTxnList visible = store.validTransactions(transaction.id());
            Map<String, ValidWriteIdList> snapshot = store.validWriteIds(visible, List.of(table.qualifiedName()));
            ValidWriteIdList ids = Objects.requireNonNull(snapshot.get(table.qualifiedName()));
            if (hasLater(ids, writeId)) {
                return false;
            }
            if (!hasOpen(ids, writeId)) {
                transaction.begun(visible, snapshot, Map.of(table.qualifiedName(), writeId));
                return true;
            }
            if (System.nanoTime() > end) {
                return false;
            }
            sleep(SHORTEST_PAUSE);
        }
    }

    /** Whether the snapshot sees rows that the base would not replace, or deletes of rows that get new identifiers. */
    private static boolean hasLater(ValidWriteIdList ids, long writeId) {
        long last = ids.getHighWatermark();
        return last > writeId && ids.isWriteIdRangeValid(writeId + 1, last) != ValidWriteIdList.RangeResponse.NONE;
    }

    /** Whether a lower write id is one of a transaction that the snapshot does not see, and that is not aborted. */
    private static boolean hasOpen(ValidWriteIdList ids, long writeId) {
        for (long invalid : ids.getInvalidWriteIds()) {
            if (invalid < writeId && !ids.isWriteIdAborted(invalid)) {
                return true;
            }
        }
        return ids.getHighWatermark() < writeId - 1;
    }

    private static void sleep(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Interruption.check();
        }
    }
}
