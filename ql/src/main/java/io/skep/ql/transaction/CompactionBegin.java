package io.skep.ql.transaction;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
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
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hive.common.ValidTxnList;

/**
 * The begin of a compaction's transaction. It gets no write id, and locks its table or partition as a reader does, so
 * that it runs beside readers and writers, and not while the table is dropped or changed.
 */
final class CompactionBegin {
    private static final TransactionSettings WAITING =
            new TransactionSettings(false, 20, Duration.ofSeconds(1), true, true, 0);

    private final StatementTransactions shared;
    private final TransactionStore store;

    CompactionBegin(StatementTransactions shared, TransactionStore store) {
        this.shared = shared;
        this.store = store;
    }

    StatementTransaction run(
            TransactionOwner owner, Table table, Optional<String> partition, Consumer<SkepException> cancel) {
        Interruption.check();
        long id = store.open(owner, TransactionKind.COMPACTION);
        StatementTransaction transaction = new StatementTransaction(store, id, true, cancel);
        boolean begun = false;
        try {
            transaction.keepAlive(shared::everyHeartbeat);
            LockComponent lock =
                    LockComponent.ofTable(LockKind.SHARED_READ, DataOperation.SELECT, table.database(), table.name());
            new LockWait(store, WAITING)
                    .acquire(
                            id,
                            owner,
                            List.of(partition.map(lock::withPartition).orElse(lock)),
                            transaction::check);
            ValidTxnList visible = store.validTransactions(id);
            transaction.begun(visible, store.validWriteIds(visible, List.of(table.qualifiedName())), Map.of());
            begun = true;
            return transaction;
        } finally {
            if (!begun) {
                transaction.abort();
            }
        }
    }
}
