package io.skep.itests.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.IMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.ColumnStatistics;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsData;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsDesc;
import org.apache.hadoop.hive.metastore.api.ColumnStatisticsObj;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.FireEventRequest;
import org.apache.hadoop.hive.metastore.api.FireEventRequestData;
import org.apache.hadoop.hive.metastore.api.Function;
import org.apache.hadoop.hive.metastore.api.FunctionType;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.InsertEventRequestData;
import org.apache.hadoop.hive.metastore.api.LongColumnStatsData;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.PrincipalType;
import org.apache.hadoop.hive.metastore.api.SQLCheckConstraint;
import org.apache.hadoop.hive.metastore.api.SQLDefaultConstraint;
import org.apache.hadoop.hive.metastore.api.SQLForeignKey;
import org.apache.hadoop.hive.metastore.api.SQLNotNullConstraint;
import org.apache.hadoop.hive.metastore.api.SQLPrimaryKey;
import org.apache.hadoop.hive.metastore.api.SQLUniqueConstraint;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.SetPartitionsStatsRequest;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf.ConfVars;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hive's own client of the metastore service and a client of the server see each other's tables. The server caches what
 * it has read until it reads of a change in the notification log.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestMetastoreService {
    private static final String TEXT = "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe";

    private MetastoreSite site;
    private IMetaStoreClient client;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        site = new MetastoreSite(folder);
        Configuration settings = new Configuration(false);
        MetastoreConf.setVar(settings, ConfVars.THRIFT_URIS, site.service().uri());
        client = new HiveMetaStoreClient(settings);
    }

    @AfterAll
    void stop() throws Exception {
        try {
            client.close();
        } finally {
            site.close();
        }
    }

    private Table table(String name, String... columns) {
        Table table = new Table();
        table.setDbName("default");
        table.setTableName(name);
        table.setOwner("test");
        table.setOwnerType(PrincipalType.USER);
        table.setTableType("MANAGED_TABLE");
        table.setParameters(new HashMap<>());
        table.setPartitionKeys(List.of());
        table.setSd(descriptor(site.warehouse().resolve(name), columns));
        return table;
    }

    private static StorageDescriptor descriptor(Path location, String... columns) {
        StorageDescriptor descriptor = new StorageDescriptor();
        descriptor.setCols(List.of(columns).stream()
                .map(column -> new FieldSchema(column, "int", null))
                .toList());
        descriptor.setLocation("file:" + location);
        descriptor.setInputFormat("org.apache.hadoop.mapred.TextInputFormat");
        descriptor.setOutputFormat("org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat");
        descriptor.setSerdeInfo(new SerDeInfo(null, TEXT, new HashMap<>(Map.of("field.delim", ","))));
        descriptor.setBucketCols(List.of());
        descriptor.setSortCols(List.of());
        descriptor.setParameters(new HashMap<>());
        return descriptor;
    }

    private Partition partition(Table table, String value) {
        Path folder = site.warehouse().resolve(table.getTableName()).resolve("k=" + value);
        Partition partition = new Partition();
        partition.setDbName(table.getDbName());
        partition.setTableName(table.getTableName());
        partition.setValues(List.of(value));
        partition.setSd(descriptor(folder, "a"));
        partition.setParameters(new HashMap<>());
        return partition;
    }

    private static void write(Path folder, String text) throws Exception {
        Files.writeString(Files.createDirectories(folder).resolve("part"), text);
    }

    private Table read(String database, String name) throws Exception {
        return client.getTable(new GetTableRequest(database, name));
    }

    private static List<FieldSchema> columns(Table table) {
        return requireNonNull(requireNonNull(table.getSd()).getCols());
    }

    @Test
    void clientsOfTheServiceSeeWhatTheServerDoes() throws Exception {
        site.run(
                "CREATE DATABASE seen",
                "CREATE TABLE seen.t (a INT, b STRING) PARTITIONED BY (k STRING) STORED AS ORC",
                "INSERT INTO seen.t PARTITION (k = 'x') VALUES (1, 'one'), (2, 'two')");
        assertThat(client.getAllDatabases()).contains("seen");
        Table table = read("seen", "t");
        assertThat(table.getTableType()).isEqualTo("MANAGED_TABLE");
        assertThat(columns(table)).extracting(FieldSchema::getName).containsExactly("a", "b");
        assertThat(client.listPartitionNames("seen", "t", (short) -1)).containsExactly("k=x");
        assertThat(client.listPartitionsByFilter("seen", "t", "k = \"x\"", (short) -1))
                .singleElement()
                .satisfies(partition -> assertThat(partition.getParameters()).containsEntry("numRows", "2"));
        site.run("ALTER TABLE seen.t ADD COLUMNS (c INT)", "ALTER TABLE seen.t DROP PARTITION (k = 'x')");
        assertThat(columns(read("seen", "t"))).hasSize(3);
        assertThat(client.listPartitionNames("seen", "t", (short) -1)).isEmpty();
        site.run("DROP DATABASE seen CASCADE");
        assertThat(client.getAllDatabases()).doesNotContain("seen");
    }

    @Test
    void theServerSeesTablesOfClientsOfTheService() throws Exception {
        long before = site.lastEvent();
        Table table = table("made", "a", "b");
        client.createTable(table);
        write(site.warehouse().resolve("made"), "1,10\n2,20\n");
        site.awaitRows("SELECT a FROM made ORDER BY a", "1", "2");
        assertThat(read("default", "made").getTableType()).isEqualTo("MANAGED_TABLE");

        // The server has the definition in its cache.
        Table wider = read("default", "made");
        requireNonNull(wider.getSd()).addToCols(new FieldSchema("c", "int", null));
        client.alter_table("default", "made", wider);
        site.awaitRows("SELECT count(*) FROM made WHERE c IS NULL", "2");

        Table renamed = read("default", "made");
        renamed.setTableName("remade");
        client.alter_table("default", "made", renamed);
        site.awaitRows("SELECT b FROM remade WHERE a = 2", "20");
        Polling.await("the old name is gone").until(() -> !runs("SELECT a FROM made"));

        site.run("INSERT INTO remade VALUES (3, 30, 300)");
        assertThat(read("default", "remade").getParameters()).containsEntry("numFiles", "2");
        client.dropTable("default", "remade");
        Polling.await("the table is gone").until(() -> !runs("SELECT a FROM remade"));
        assertThat(site.eventsAfter(before)).contains("CREATE_TABLE", "ALTER_TABLE", "DROP_TABLE");
    }

    @Test
    void theServerSeesPartitionsOfClientsOfTheService() throws Exception {
        Table table = table("parts", "a");
        table.setPartitionKeys(List.of(new FieldSchema("k", "string", null)));
        client.createTable(table);
        site.awaitRows("SELECT a FROM parts");
        for (String value : List.of("x", "y")) {
            write(site.warehouse().resolve("parts").resolve("k=" + value), value.equals("x") ? "1\n" : "2\n");
            client.add_partition(partition(table, value));
        }
        site.awaitRows("SELECT a FROM parts ORDER BY k", "1", "2");
        Partition moved = client.getPartition("default", "parts", "k=y");
        write(site.warehouse().resolve("elsewhere"), "5\n");
        requireNonNull(moved.getSd()).setLocation("file:" + site.warehouse().resolve("elsewhere"));
        client.alter_partition("default", "parts", moved);
        site.awaitRows("SELECT a FROM parts ORDER BY k", "1", "5");
        client.dropPartition("default", "parts", List.of("x"), true);
        site.awaitRows("SELECT a FROM parts", "5");
        client.dropTable("default", "parts");
    }

    /** The library writes statistics of several partitions past its own store. */
    @Test
    void theServerSeesStatisticsOfClientsOfTheService() throws Exception {
        site.run(
                "CREATE TABLE counted (a INT) PARTITIONED BY (k STRING) STORED AS ORC",
                "INSERT INTO counted PARTITION (k = 'x') VALUES (1)",
                "INSERT INTO counted PARTITION (k = 'y') VALUES (2)");
        assertThat(site.rows("DESCRIBE FORMATTED counted PARTITION (k = 'x') a"))
                .isNotEmpty();
        long before = site.lastEvent();
        SetPartitionsStatsRequest request =
                new SetPartitionsStatsRequest(List.of(statistics("k=x", 41), statistics("k=y", 42)));
        request.setEngine("hive");
        client.setPartitionColumnStatistics(request);
        assertThat(site.eventsAfter(before))
                .containsExactly("UPDATE_PART_COL_STAT_EVENT", "UPDATE_PART_COL_STAT_EVENT");
        Polling.await("the server's statistics").until(() -> describes("x", "41") && describes("y", "42"));
        // The numbers of the log go on.
        site.run("ALTER TABLE counted SET TBLPROPERTIES ('p' = 'q')");
        assertThat(read("default", "counted").getParameters()).containsEntry("p", "q");
        client.dropTable("default", "counted");
        Polling.await("the table is gone").until(() -> !runs("SELECT a FROM counted"));
        assertThat(site.eventsAfter(before)).hasSize(4).endsWith("ALTER_TABLE", "DROP_TABLE");
    }

    private static ColumnStatistics statistics(String partition, long greatest) {
        ColumnStatisticsDesc of = new ColumnStatisticsDesc(false, "default", "counted");
        of.setPartName(partition);
        return statistics(of, greatest);
    }

    private static ColumnStatistics statistics(ColumnStatisticsDesc of, long greatest) {
        LongColumnStatsData numbers = new LongColumnStatsData(0, 1);
        numbers.setLowValue(1);
        numbers.setHighValue(greatest);
        ColumnStatistics statistics = new ColumnStatistics(
                of, List.of(new ColumnStatisticsObj("a", "int", ColumnStatisticsData.longStats(numbers))));
        statistics.setEngine("hive");
        return statistics;
    }

    private boolean describes(String partition, String greatest) throws SQLException {
        return site.table("DESCRIBE FORMATTED counted PARTITION (k = '" + partition + "') a").stream()
                .anyMatch(row -> row.contains(greatest));
    }

    @Test
    void everyKindOfChangeHasAnEvent() throws Exception {
        long before = site.lastEvent();
        String folder = "file:" + site.warehouse().resolve("kinds.db");
        client.createDatabase(new Database("kinds", null, folder, new HashMap<>()));
        client.alterDatabase("kinds", new Database("kinds", "changed", folder, new HashMap<>()));
        client.createFunction(
                new Function("f", "kinds", "a.B", "test", PrincipalType.USER, 1, FunctionType.JAVA, new ArrayList<>()));
        client.dropFunction("kinds", "f");
        client.dropDatabase("kinds");
        assertThat(site.eventsAfter(before))
                .containsExactly(
                        "CREATE_DATABASE", "ALTER_DATABASE", "CREATE_FUNCTION", "DROP_FUNCTION", "DROP_DATABASE");
        client.createTable(table("kinds", "a", "b"));
        client.createTable(table("kinds2", "a"));
        long made = site.lastEvent();
        constrain("kinds");
        assertThat(site.eventsAfter(made))
                .containsExactly(
                        "ADD_PRIMARYKEY",
                        "ADD_FOREIGNKEY",
                        "ADD_UNIQUECONSTRAINT",
                        "ADD_NOTNULLCONSTRAINT",
                        "ADD_DEFAULTCONSTRAINT",
                        "ADD_CHECKCONSTRAINT",
                        "DROP_CONSTRAINT");
        long constrained = site.lastEvent();
        client.updateTableColumnStatistics(statistics(new ColumnStatisticsDesc(true, "default", "kinds"), 9));
        client.deleteTableColumnStatistics("default", "kinds", "a", "hive");
        FireEventRequestData insert = new FireEventRequestData();
        insert.setInsertData(new InsertEventRequestData(List.of()));
        FireEventRequest request = new FireEventRequest(true, insert);
        request.setDbName("default");
        request.setTableName("kinds");
        assertThat(client.fireListenerEvent(request).getEventIds()).containsExactly(site.lastEvent());
        assertThat(site.eventsAfter(constrained))
                .filteredOn(type -> !type.equals("ALTER_TABLE"))
                .containsExactly("UPDATE_TBL_COL_STAT_EVENT", "DELETE_TBL_COL_STAT_EVENT", "INSERT");
        client.dropTable("default", "kinds2");
        client.dropTable("default", "kinds");
    }

    private void constrain(String t) throws Exception {
        String db = "default";
        client.addPrimaryKey(List.of(new SQLPrimaryKey(db, t, "a", 1, "pk", false, false, false)));
        client.addForeignKey(
                List.of(new SQLForeignKey(db, t, "a", db, t + "2", "a", 1, 0, 0, "fk", "pk", false, false, false)));
        client.addUniqueConstraint(List.of(new SQLUniqueConstraint("hive", db, t, "b", 1, "u", false, false, false)));
        client.addNotNullConstraint(List.of(new SQLNotNullConstraint("hive", db, t, "b", "n", false, false, false)));
        client.addDefaultConstraint(
                List.of(new SQLDefaultConstraint("hive", db, t, "b", "1", "d", false, false, false)));
        client.addCheckConstraint(
                List.of(new SQLCheckConstraint("hive", db, t, "b", "b > 0", "c", false, false, false)));
        client.dropConstraint(db, t, "c");
    }

    @Test
    void clientsOfHive2ReadTables() throws Exception {
        site.run("CREATE TABLE old1 (a INT) STORED AS ORC", "CREATE TABLE old2 (a INT) STORED AS ORC");
        try (OlderMetastoreClient older =
                new OlderMetastoreClient(site.service().uri())) {
            assertThat(older.getTable("default", "old1").tables()).containsExactly(read("default", "old1"));
            assertThat(older.getTable("default", "old9"))
                    .as("no such table")
                    .isEqualTo(new OlderMetastoreClient.Answer(List.of(), 2));
            assertThat(older.getTables("default", List.of("old2", "old9", "old1"))
                            .tables())
                    .extracting(Table::getTableName)
                    .containsExactlyInAnyOrder("old1", "old2");
        }
        site.run("DROP TABLE old1", "DROP TABLE old2");
    }

    private boolean runs(String query) {
        try {
            site.rows(query);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
