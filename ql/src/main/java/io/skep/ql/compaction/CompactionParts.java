package io.skep.ql.compaction;

import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.metastore.transaction.CompactionStore;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.transaction.StatementTransactions;
import io.skep.storage.compaction.CompactionFiles;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;

/**
 * What compactions use of a server.
 *
 * @param catalog the catalog without a cache: what has been written is described by what it says now
 * @param commits notes folders, so that those of a killed server are deleted, and ends commits of killed servers
 */
public record CompactionParts(
        Catalog catalog, StatementTransactions transactions, CompactionFiles io, TableCommits commits) {
    TransactionStore store() {
        return transactions.store();
    }

    CompactionStore queue() {
        return store().compactionQueue();
    }

    /** Returns which write ids of a table are committed or aborted, of the transactions that are visible. */
    ValidWriteIdList writeIds(ValidTxnList visible, Table table) {
        String name = table.qualifiedName();
        return Objects.requireNonNull(
                store().validWriteIds(visible, List.of(name)).get(name));
    }
}
