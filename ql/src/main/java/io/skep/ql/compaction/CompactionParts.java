package io.skep.ql.compaction;

import io.skep.metastore.Catalog;
import io.skep.metastore.transaction.CompactionStore;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.transaction.StatementTransactions;
import io.skep.storage.compaction.CompactionFiles;

/**
 * What compactions use of a server.
 *
 * @param catalog the catalog without a cache: what has been written is described by what it says now
 * @param staging notes folders, so that those of a killed server are deleted
 */
public record CompactionParts(
        Catalog catalog, StatementTransactions transactions, CompactionFiles io, StagingFolders staging) {
    TransactionStore store() {
        return transactions.store();
    }

    CompactionStore queue() {
        return store().compactionQueue();
    }
}
