package io.skep.ql.transaction;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * The begin of one statement's transaction, in Hive's order: open, write ids, locks, snapshot. A snapshot ends at the
 * transaction's own id. When a transaction that began later has changed the same rows before this one got its locks,
 * the snapshot would miss that change and the statement would undo it. A new transaction is begun then. Hive does the
 * same, and compiles the statement again; here the snapshot is not part of what was compiled.
 */
final class TransactionBegin {
    private final StatementTransactions shared;
    private final TransactionStore store;
    private final TransactionOwner owner;
    private final List<TableUse> uses;
    private final TransactionSettings settings;
    private final Consumer<SkepException> cancel;
    private final List<LockComponent> locks;

    TransactionBegin(
            StatementTransactions shared,
            TransactionStore store,
            TransactionOwner owner,
            List<TableUse> uses,
            TransactionSettings settings,
            Consumer<SkepException> cancel) {
        this.shared = shared;
        this.store = store;
        this.owner = owner;
        this.uses = uses;
        this.settings = settings;
        this.cancel = cancel;
        this.locks = LockPlan.of(uses, settings);
    }

    StatementTransaction run() {
        boolean changes = LockPlan.changesRows(uses);
        for (int restart = 0; ; restart++) {
            StatementTransaction transaction = open();
            boolean begun = false;
            try {
                transaction.keepAlive(shared::everyHeartbeat);
                Map<String, Long> writeIds = writeIds(transaction);
                new LockWait(store, settings).acquire(transaction.id(), owner, locks, () -> check(transaction));
                if (!changes || store.latestConflict(transaction.id()).isEmpty()) {
                    takeSnapshot(transaction, writeIds);
                    begun = !changes || writeIds.entrySet().stream().allMatch(written -> isLast(transaction, written));
                    if (begun) {
                        return transaction;
                    }
                }
            } finally {
                if (!begun) {
                    transaction.abort();
                }
            }
            if (restart == settings.restarts()) {
                throw outdated(transaction.id());
            }
        }
    }

    private static void check(StatementTransaction transaction) {
        Interruption.check();
        transaction.check();
    }

    private StatementTransaction open() {
        Interruption.check();
        boolean writes = uses.stream().anyMatch(use -> use.access() != TableAccess.READ);
        long id = store.open(owner, writes ? TransactionKind.DEFAULT : TransactionKind.READ_ONLY);
        return new StatementTransaction(store, id, settings.exclusiveWrites(), cancel);
    }

    /** The write ids come before the locks, because the lock request records them for the cleaner. */
    private Map<String, Long> writeIds(StatementTransaction transaction) {
        Map<String, Long> ids = new LinkedHashMap<>();
        for (TableUse use : uses) {
            if (use.access().writesRows()) {
                Table table = use.table();
                ids.computeIfAbsent(
                        table.qualifiedName(),
                        _ -> store.allocateWriteId(transaction.id(), table.database(), table.name()));
            }
        }
        return ids;
    }

    private void takeSnapshot(StatementTransaction transaction, Map<String, Long> writeIds) {
        List<String> tables =
                uses.stream().map(use -> use.table().qualifiedName()).distinct().toList();
        ValidTxnList visible = store.validTransactions(transaction.id());
        transaction.begun(visible, store.validWriteIds(visible, tables), writeIds);
    }

    /**
     * Whether a snapshot has no rows with later write ids than the transaction's own. An earlier transaction may have
     * got its write id later. For its rows, Hive ignores the deletes of this transaction, and all readers ignore its
     * bases.
     */
    private static boolean isLast(StatementTransaction transaction, Map.Entry<String, Long> written) {
        ValidWriteIdList snapshot = transaction.snapshot(written.getKey());
        long last = snapshot.getHighWatermark();
        return last <= written.getValue()
                || snapshot.isWriteIdRangeValid(written.getValue() + 1, last) == ValidWriteIdList.RangeResponse.NONE;
    }

    private SkepException outdated(long transaction) {
        return new SkepException(
                        StandardErrorCode.TRANSACTION_ABORTED,
                        "Operation could not be executed, snapshot was outdated when locks were acquired, "
                                + (settings.restarts() + 1) + " times; the last transaction was txnid:" + transaction)
                .withHint("run the statement again, or raise " + TransactionSettings.RESTARTS.name());
    }
}
