package io.skep.metastore.hive;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.database;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.table;
import static io.skep.metastore.CatalogFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.DataOperation;
import io.skep.metastore.transaction.LockComponent;
import io.skep.metastore.transaction.LockKind;
import io.skep.metastore.transaction.TransactionKind;
import io.skep.metastore.transaction.TransactionStore;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.metastore.txn.TxnStore;
import org.apache.hadoop.hive.metastore.txn.entities.CompactionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what definitions of tables do to the rows about transactions. */
interface TransactionRecordsContract {
    TestingMetastore metastore();

    MetastoreConfig config();

    String url();

    TransactionStore transactions();

    TxnStore hive();

    @BeforeEach
    default void makeDatabase() {
        metastore().clear();
        catalog().createDatabase(database("db", ""));
    }

    private Catalog catalog() {
        return metastore().catalog();
    }

    private Table create(String name, boolean isTransactional) {
        Table plain = table("db", name, columns("a", "int"), columns("ds", "string"));
        catalog()
                .createTable(with(
                        plain,
                        "db",
                        name,
                        plain.storage(),
                        Map.of("transactional", Boolean.toString(isTransactional))));
        return catalog().table("db", name).orElseThrow();
    }

    /** Returns the write id of a committed insert into a partition. */
    private long write(String table, String partition) {
        long transaction = transactions().open(TransactionContract.ALICE, TransactionKind.DEFAULT);
        long id = transactions().allocateWriteId(transaction, "db", table);
        LockComponent lock = LockComponent.ofTable(LockKind.SHARED_READ, DataOperation.INSERT, "db", table);
        assertThat(transactions()
                        .lock(transaction, TransactionContract.ALICE, List.of(lock.withPartition(partition)))
                        .isAcquired())
                .isTrue();
        transactions().commit(transaction, true);
        return id;
    }

    /** Returns the tables and partitions with committed writes, as the initiator of compactions finds them. */
    private List<String> written(String table) throws Exception {
        return hive().findPotentialCompactions(10, -1).stream()
                .filter(found -> found.tableName.equals(table))
                .map(CompactionInfo::getFullPartitionName)
                .sorted()
                .toList();
    }

    @Test
    default void aNewTableDoesNotInheritTheWriteIdsOfADroppedOne() throws Exception {
        create("reused", true);
        assertThat(write("reused", "ds=x")).isEqualTo(1);
        assertThat(write("reused", "ds=y")).isEqualTo(2);
        catalog().dropTable("db", "reused", DroppedFiles.PURGED);
        assertThat(written("reused")).isEmpty();
        create("reused", true);
        assertThat(write("reused", "ds=x")).isEqualTo(1);
    }

    @Test
    default void aDropThatFailsKeepsTheWriteIds() {
        Table kept = create("kept", true);
        write("kept", "ds=x");
        StorePool stores = new StorePool(LibrarySettings.of(config(), url()), 1, (_, _) -> {});
        try {
            TransactionRecords records = new TransactionRecords(stores.configuration());
            SkepException failure = new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "after the records");
            assertThatThrownBy(() -> stores.write("drop", store -> {
                        records.droppedTable(store, HiveTables.require(store, kept.database(), kept.name()));
                        throw failure;
                    }))
                    .isSameAs(failure);
        } finally {
            stores.close();
        }
        assertThat(write("kept", "ds=x")).isEqualTo(2);
    }

    @Test
    default void aRenamedTableKeepsItsWriteIds() throws Exception {
        Table before = create("before", true);
        write("before", "ds=x");
        catalog().alterTable("db", "before", with(before, "db", "after", before.storage(), Map.of()), false);
        assertThat(write("after", "ds=x")).isEqualTo(2);
        assertThat(written("before")).isEmpty();
        assertThat(written("after")).containsExactly("db.after.ds=x");
        create("before", true);
        assertThat(write("before", "ds=x")).isEqualTo(1);
    }

    /** The rows that it has already have the write id 0, and Hive leaves room for them. */
    @Test
    default void aPlainTableThatGetsRowIdsBeginsItsWriteIdsLate() {
        Table plain = create("converted", false);
        Map<String, String> full = Map.of("transactional", "true", "transactional_properties", "default");
        catalog().alterTable("db", "converted", with(plain, "db", "converted", plain.storage(), full), false);
        assertThat(write("converted", "ds=x")).isEqualTo(10_000_001);
        Table other = create("moved", false);
        write("moved", "ds=x");
        catalog().alterTable("db", "moved", with(other, "db", "moved", other.storage(), full), false);
        assertThat(write("moved", "ds=x")).isEqualTo(10_000_001);
        Map<String, String> insertOnly = Map.of("transactional", "true", "transactional_properties", "insert_only");
        Table plainToo = create("inserts", false);
        catalog().alterTable("db", "inserts", with(plainToo, "db", "inserts", plainToo.storage(), insertOnly), false);
        assertThat(write("inserts", "ds=x")).isEqualTo(1);
        Table inserts = catalog().table("db", "inserts").orElseThrow();
        catalog().alterTable("db", "inserts", with(inserts, "db", "inserts", inserts.storage(), full), false);
        assertThat(write("inserts", "ds=x")).isEqualTo(2);
    }

    @Test
    default void partitionsAreForgottenAndRenamed() throws Exception {
        Table table = create("parts", true);
        catalog().addPartitions(table, List.of(partition(table, "x"), partition(table, "y")), false);
        write("parts", "ds=x");
        write("parts", "ds=y");
        Partition moved = catalog().partition(table, List.of("x")).orElseThrow();
        catalog()
                .renamePartition(
                        table, List.of("x"), new Partition(List.of("z"), 0, 0, moved.storage(), moved.properties()));
        assertThat(written("parts")).containsExactly("db.parts.ds=y", "db.parts.ds=z");
        catalog().dropPartitions(table, List.of(List.of("y")), DroppedFiles.PURGED);
        assertThat(written("parts")).containsExactly("db.parts.ds=z");
        assertThat(write("parts", "ds=z")).isEqualTo(3);
    }

    /** Its rows about transactions belong to something else, such as an earlier transactional table. */
    @Test
    default void rowsOfPlainTablesAreLeftAlone() throws Exception {
        create("plain", false);
        write("plain", "ds=x");
        catalog().dropTable("db", "plain", DroppedFiles.PURGED);
        assertThat(written("plain")).containsExactly("db.plain.ds=x");
    }
}
