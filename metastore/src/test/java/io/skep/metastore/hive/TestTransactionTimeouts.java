package io.skep.metastore.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.local.LocalMetastore;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.LockResult;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionOwner;
import io.skep.metastore.transaction.TransactionStore;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how transactions end whose servers are gone. */
final class TestTransactionTimeouts {
    private static final TransactionOwner OWNER = new TransactionOwner("alice", "host", "query");
    private static final Map<String, String> SHORT = Map.of(
            "hive.txn.timeout", "4s",
            "metastore.acid.housekeeper.interval", "200ms",
            "hive.metastore.acid.txn.cleaner.interval", "200ms");
    private static final LockComponent WRITE =
            LockComponent.ofTable(LockKind.EXCL_WRITE, DataOperation.UPDATE, "db", "t");

    private static boolean isOpen(TransactionStore store, long transaction) {
        return store.transactions().stream()
                .filter(listed -> !listed.isAborted())
                .map(ListedTransaction::id)
                .anyMatch(id -> id == transaction);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("metastore-transaction") || name.startsWith("skep-"))
                .toList();
    }

    @Test
    void aVanishedServersTransactionIsAbortedAndOthersAreNot() {
        try (TestingMetastore metastore = TestingMetastore.open()) {
            MetastoreConfig config = MetastoreConfig.of(SHORT, metastore.folder());
            String url = "jdbc:derby:" + metastore.folder().resolve("metastore");
            assertThat(threads()).as("before a transaction").isEmpty();
            long left;
            try (HiveTransactions vanished = new HiveTransactions(config, url)) {
                left = vanished.open(OWNER, TransactionKind.DEFAULT);
                assertThat(vanished.lock(left, OWNER, List.of(WRITE)).isAcquired())
                        .isTrue();
            }
            Polling.await("the end of its threads").until(() -> threads().isEmpty());
            try (HiveTransactions alive = new HiveTransactions(config, url)) {
                assertThat(isOpen(alive, left)).isTrue();
                long next = alive.open(OWNER, TransactionKind.DEFAULT);
                LockResult waiting = alive.lock(next, OWNER, List.of(WRITE));
                assertThat(waiting.isAcquired()).isFalse();
                Polling.await("the end of the vanished server's transaction").until(() -> {
                    alive.heartbeat(next);
                    return !isOpen(alive, left);
                });
                assertThat(alive.checkLock(next, waiting.lock()).isAcquired()).isTrue();
                assertThat(isOpen(alive, next)).isTrue();
                alive.commit(next, true);
                assertThat(alive.locks(LockFilter.ALL)).isEmpty();
            }
            Polling.await("the end of their threads").until(() -> threads().isEmpty());
        }
    }

    @Test
    void aKilledServersTransactionIsAborted(@TempDir Path folder) throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "--add-opens=java.base/java.net=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWriter.class.getName(),
                        folder.toString())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        long left;
        try (BufferedReader lines = server.inputReader()) {
            left = Long.parseLong(lines.readLine());
        } finally {
            server.destroyForcibly().waitFor();
        }
        try (DataDirectory data = DataDirectory.open(folder);
                LocalMetastore metastore = LocalMetastore.open(MetastoreConfig.of(SHORT, folder), data)) {
            TransactionStore transactions = metastore.transactions();
            assertThat(isOpen(transactions, left)).isTrue();
            assertThat(transactions.locks(LockFilter.ALL)).hasSize(1);
            Polling.await("the end of the killed server's transaction").until(() -> !isOpen(transactions, left));
            assertThat(transactions.locks(LockFilter.ALL)).isEmpty();
            long reader = transactions.open(OWNER, TransactionKind.READ_ONLY);
            assertThat(transactions
                            .validWriteIds(transactions.validTransactions(reader), List.of("db.t"))
                            .values())
                    .singleElement()
                    .satisfies(rows -> assertThat(rows.isWriteIdValid(1)).isFalse());
        }
    }

    @Test
    void rowsOfEndedTransactionsAreRemoved() {
        try (TestingMetastore metastore = TestingMetastore.open(SHORT)) {
            TransactionStore transactions = metastore.metastore().transactions();
            long aborted = transactions.open(OWNER, TransactionKind.DEFAULT);
            transactions.abort(aborted);
            long open = transactions.open(OWNER, TransactionKind.DEFAULT);
            Polling.await("the removal of the aborted transaction").until(() -> {
                transactions.heartbeat(open);
                return transactions.transactions().stream().noneMatch(one -> one.id() == aborted);
            });
            assertThat(isOpen(transactions, open)).isTrue();
        }
    }
}
