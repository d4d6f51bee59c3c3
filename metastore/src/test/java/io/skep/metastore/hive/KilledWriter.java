package io.skep.metastore.hive;

import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.local.LocalMetastore;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process that opens a transaction, locks and writes a table in it, reports it, and waits until it is killed. */
final class KilledWriter {
    private KilledWriter() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        DataDirectory data = DataDirectory.open(folder);
        LocalMetastore metastore = LocalMetastore.open(MetastoreConfig.of(Map.of(), folder), data);
        TransactionStore transactions = metastore.transactions();
        TransactionOwner owner = new TransactionOwner("alice", "host", "query");
        long transaction = transactions.open(owner, TransactionKind.DEFAULT);
        transactions.allocateWriteId(transaction, "db", "t");
        transactions.lock(
                transaction,
                owner,
                List.of(LockComponent.ofTable(LockKind.EXCL_WRITE, DataOperation.UPDATE, "db", "t")));
        System.out.println(transaction);
        System.out.flush();
        int end = System.in.read();
        System.exit(end);
    }
}
