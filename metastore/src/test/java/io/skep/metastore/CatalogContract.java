package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.database;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.storage;
import static io.skep.metastore.CatalogFixtures.table;
import static io.skep.metastore.CatalogFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Datum;
import io.skep.metastore.Table.TableKind;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every catalog does, on every database, cached or not. Each test has an empty database {@code db}. */
abstract class CatalogContract {
    abstract Catalog catalog();

    /** The warehouse's folder. */
    abstract Path warehouse();

    /** Removes all but the default database. */
    abstract void clear();

    @BeforeEach
    void start() {
        clear();
        catalog().createDatabase(database("db", ""));
    }

    private static void fails(StandardErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private Table create(Table table) {
        catalog().createTable(table);
        return catalog().table(table.database(), table.name()).orElseThrow();
    }

    private static Path path(String location) {
        return Path.of(location.substring("file:".length()));
    }

    private static Path write(String location, String file, String text) throws IOException {
        Files.createDirectories(path(location));
        return Files.writeString(path(location).resolve(file), text);
    }

    @Test
    void newMetastoreHasTheDefaultDatabase() {
        assertThat(catalog().databases()).containsExactly("db", "default");
        Database standard = catalog().database("default").orElseThrow();
        assertThat(path(standard.location())).isEqualTo(warehouse());
        assertThat(standard.owner()).isEqualTo("public");
        assertThat(standard.ownerIsRole()).isTrue();
    }

    @Test
    void databaseComesBackAsItWasMade() {
        Database made = catalog().database("db").orElseThrow();
        assertThat(made).isEqualTo(database("db", "file:" + warehouse().resolve("db.db")));
        assertThat(warehouse().resolve("db.db")).isDirectory();
        assertThat(catalog().database("none")).isEmpty();
        assertThat(catalog().tables("db")).isEmpty();
    }

    @Test
    void databaseIsAltered() {
        Database changed = new Database(
                "db",
                Optional.of("new"),
                catalog().database("db").orElseThrow().location(),
                Optional.empty(),
                "admins",
                true,
                Map.of("a", "b"));
        catalog().alterDatabase(changed);
        assertThat(catalog().database("db")).contains(changed);
    }

    @Test
    void databaseErrorsNameWhatIsWrong() {
        fails(StandardErrorCode.DATABASE_EXISTS, () -> catalog().createDatabase(database("db", "")));
        fails(StandardErrorCode.DATABASE_NOT_FOUND, () -> catalog().dropDatabase("none", true));
        fails(StandardErrorCode.DATABASE_NOT_FOUND, () -> catalog().alterDatabase(database("none", "file:/x")));
        create(table("db", "t", columns("a", "int"), List.of()));
        fails(StandardErrorCode.DATABASE_NOT_EMPTY, () -> catalog().dropDatabase("db", false));
        assertThat(catalog().tables("db")).containsExactly("t");
    }

    @Test
    void droppedDatabaseTakesItsTablesAndFoldersAlong() throws IOException {
        Table made = create(table("db", "t", columns("a", "int"), List.of()));
        write(made.storage().location(), "data", "x");
        catalog().createFunction(new Function("db", "f", "some.Class", "bob", 0, List.of()));
        catalog().dropDatabase("db", true);
        assertThat(catalog().databases()).containsExactly("default");
        assertThat(warehouse().resolve("db.db")).doesNotExist();
    }

    @Test
    void droppedDatabaseLeavesAFolderThatItDidNotMake() throws IOException {
        Path elsewhere = warehouse().resolve("elsewhere");
        write("file:" + elsewhere, "other", "x");
        catalog().createDatabase(database("db2", "file:" + elsewhere));
        catalog().dropDatabase("db2", true);
        assertThat(elsewhere.resolve("other")).exists();
    }

    @Test
    void tableComesBackAsItWasMade() {
        List<FieldSchema> columns = List.of(
                new FieldSchema("a", TypeParser.parse("int"), Optional.of("a comment")),
                new FieldSchema(
                        "b",
                        TypeParser.parse("struct<x:array<decimal(20,3)>,y:map<string,timestamp>>"),
                        Optional.empty()),
                new FieldSchema("c", TypeParser.parse("varchar(20)"), Optional.empty()),
                new FieldSchema("d", TypeParser.parse("timestamp with local time zone"), Optional.empty()));
        StorageDescriptor storage = new StorageDescriptor(
                columns,
                "",
                new io.skep.storage.table.TableFormat("in", "out", "serde", Map.of("field.delim", "\u0001", "n", "")),
                true,
                4,
                List.of("a"),
                List.of(new StorageDescriptor.SortColumn("c", true), new StorageDescriptor.SortColumn("a", false)));
        Table wanted = new Table(
                "db",
                "t",
                TableKind.MANAGED_TABLE,
                "alice",
                1_600_000_000,
                5,
                columns("ds", "string", "hour", "int"),
                storage,
                Map.of("transient_lastDdlTime", "17", "comment", "ünïcode"),
                Optional.empty(),
                Optional.empty());
        Table made = create(wanted);
        assertThat(made.storage().location()).isEqualTo("file:" + warehouse().resolve("db.db/t"));
        assertThat(path(made.storage().location())).isDirectory();
        assertThat(with(made, "db", "t", storage, Map.of())).isEqualTo(wanted);
        assertThat(made.storage().columns()).isEqualTo(columns);
        assertThat(made.storage().sortColumns()).isEqualTo(storage.sortColumns());
    }

    @Test
    void viewHasTextsAndNoFolder() {
        Table view = new Table(
                "db",
                "v",
                TableKind.VIRTUAL_VIEW,
                "alice",
                1,
                0,
                List.of(),
                new StorageDescriptor(
                        columns("a", "int"),
                        "",
                        new io.skep.storage.table.TableFormat("", "", "", Map.of()),
                        false,
                        -1,
                        List.of(),
                        List.of()),
                Map.of("transient_lastDdlTime", "1"),
                Optional.of("select a from t"),
                Optional.of("select `t`.`a` from `db`.`t`"));
        assertThat(create(view)).isEqualTo(view);
        catalog().dropTable("db", "v", true);
        assertThat(catalog().table("db", "v")).isEmpty();
    }

    @Test
    void tablesAreListedInOrder() {
        create(table("db", "b", columns("a", "int"), List.of()));
        create(table("db", "a", columns("a", "int"), List.of()));
        assertThat(catalog().tables("db")).containsExactly("a", "b");
        assertThat(catalog().tables("none")).isEmpty();
        assertThat(catalog().tablesByName("db", List.of("b", "none", "a")))
                .extracting(Table::name)
                .containsExactly("b", "a");
    }

    @Test
    void tableErrorsNameWhatIsWrong() {
        Table made = create(table("db", "t", columns("a", "int"), List.of()));
        fails(StandardErrorCode.TABLE_EXISTS, () -> catalog().createTable(made));
        fails(StandardErrorCode.DATABASE_NOT_FOUND, () -> create(table("none", "t", columns("a", "int"), List.of())));
        fails(StandardErrorCode.TABLE_NOT_FOUND, () -> catalog().dropTable("db", "none", true));
        fails(StandardErrorCode.TABLE_NOT_FOUND, () -> catalog().alterTable("db", "none", made, false));
        fails(
                StandardErrorCode.COLUMN_EXISTS,
                () -> create(table("db", "u", columns("a", "int"), columns("a", "string"))));
        assertThat(catalog().tables("db")).containsExactly("t");
        assertThat(warehouse().resolve("db.db/u")).doesNotExist();
    }

    @Test
    void managedDataGoWithTheTable() throws IOException {
        Table kept = create(table("db", "kept", columns("a", "int"), List.of()));
        Path file = write(kept.storage().location(), "data", "x");
        catalog().dropTable("db", "kept", false);
        assertThat(file).exists();
        Table gone = create(table("db", "gone", columns("a", "int"), List.of()));
        catalog().dropTable("db", "gone", true);
        assertThat(path(gone.storage().location())).doesNotExist();
    }

    @Test
    void externalDataStayUnlessPurged() throws IOException {
        String location = "file:" + warehouse().resolve("ext");
        write(location, "one", "12345");
        write(location, "_hidden", "x");
        Table external = create(table("db", "e", TableKind.EXTERNAL_TABLE, columns("a", "int"), List.of(), location));
        assertThat(external.properties())
                .containsEntry("EXTERNAL", "TRUE")
                .containsEntry("numFiles", "1")
                .containsEntry("totalSize", "5");
        catalog().dropTable("db", "e", true);
        assertThat(path(location).resolve("one")).exists();
        catalog().createTable(with(external, "db", "e", external.storage(), Map.of("external.table.purge", "true")));
        catalog().dropTable("db", "e", true);
        assertThat(path(location)).doesNotExist();
    }

    @Test
    void renamedManagedTableTakesFilesPartitionsAndStatisticsAlong() throws IOException {
        Table before = create(table("db", "old", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(before, List.of(partition(before, "x")), false);
        catalog().putPartitionStatistics(before, Map.of("ds=x", List.of(longs("a", 1, 2, 3, 4))));
        write(before.storage().location() + "/ds=x", "data", "1");
        catalog().createDatabase(database("db2", ""));
        catalog().alterTable("db", "old", with(before, "db2", "new", before.storage(), Map.of()), false);
        assertThat(catalog().table("db", "old")).isEmpty();
        Table after = catalog().table("db2", "new").orElseThrow();
        assertThat(path(after.storage().location())).isEqualTo(warehouse().resolve("db2.db/new"));
        assertThat(warehouse().resolve("db2.db/new/ds=x/data")).exists();
        assertThat(path(before.storage().location())).doesNotExist();
        Partition partition = catalog().partition(after, List.of("x")).orElseThrow();
        assertThat(partition.storage().location()).isEqualTo(after.storage().location() + "/ds=x");
        assertThat(catalog().partitionStatistics(after, List.of("ds=x"), List.of("a")))
                .containsExactly(Map.entry("ds=x", List.of(longs("a", 1, 2, 3, 4))));
    }

    @Test
    void renamedExternalTableStaysWhereItIs() {
        String location = "file:" + warehouse().resolve("ext2");
        Table before = create(table("db", "e", TableKind.EXTERNAL_TABLE, columns("a", "int"), List.of(), location));
        catalog().alterTable("db", "e", with(before, "db", "e2", before.storage(), Map.of()), false);
        assertThat(catalog().table("db", "e2").orElseThrow().storage().location())
                .isEqualTo(location);
    }

    @Test
    void renameOntoAnotherTableFailsAndLeavesBoth() {
        Table one = create(table("db", "one", columns("a", "int"), List.of()));
        Table two = create(table("db", "two", columns("b", "int"), List.of()));
        assertThatThrownBy(
                        () -> catalog().alterTable("db", "one", with(one, "db", "two", one.storage(), Map.of()), false))
                .isInstanceOf(SkepException.class);
        assertThat(catalog().table("db", "one")).contains(one);
        assertThat(catalog().table("db", "two")).contains(two);
        assertThat(path(one.storage().location())).isDirectory();
    }

    @Test
    void changedColumnsReachPartitionsOnlyByCascade() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "x")), false);
        List<FieldSchema> two = columns("a", "int", "b", "string");
        catalog()
                .alterTable(
                        "db",
                        "t",
                        with(table, "db", "t", storage(two, table.storage().location()), Map.of()),
                        false);
        Table changed = catalog().table("db", "t").orElseThrow();
        assertThat(changed.columns()).isEqualTo(two);
        assertThat(catalog()
                        .partition(changed, List.of("x"))
                        .orElseThrow()
                        .storage()
                        .columns())
                .isEqualTo(table.columns());
        catalog().alterTable("db", "t", changed, true);
        assertThat(catalog()
                        .partition(changed, List.of("x"))
                        .orElseThrow()
                        .storage()
                        .columns())
                .isEqualTo(two);
    }

    @Test
    void statisticsOfChangedColumnsAreDropped() {
        Table table = create(table("db", "t", columns("a", "int", "b", "int"), List.of()));
        catalog().putTableStatistics(table, List.of(longs("a", 0, 1, 2, 3), longs("b", 0, 1, 2, 3)));
        List<FieldSchema> changed = columns("a", "int", "b", "bigint");
        catalog()
                .alterTable(
                        "db",
                        "t",
                        with(table, "db", "t", storage(changed, table.storage().location()), Map.of()),
                        false);
        Table after = catalog().table("db", "t").orElseThrow();
        assertThat(catalog().tableStatistics(after, List.of("a", "b"))).containsExactly(longs("a", 0, 1, 2, 3));
    }

    @Test
    void partitionsAreFilteredByValues() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string", "h", "int")));
        List<Partition> added = new ArrayList<>();
        for (String day : List.of("2020-01-01", "2020-01-02")) {
            for (int hour = 0; hour < 3; hour++) {
                added.add(partition(table, day, Integer.toString(hour)));
            }
        }
        catalog().addPartitions(table, added, false);
        assertThat(catalog().partitions(table, values -> true)).hasSize(6);
        List<Partition> some =
                catalog().partitions(table, values -> values.get(1).equals("2"));
        assertThat(some)
                .extracting(Partition::values)
                .containsExactly(List.of("2020-01-01", "2"), List.of("2020-01-02", "2"));
        assertThat(some.getFirst().storage().location())
                .isEqualTo(table.storage().location() + "/ds=2020-01-01/h=2");
        assertThat(path(some.getFirst().storage().location())).isDirectory();
        assertThat(some.getFirst().properties()).containsEntry("p", "2020-01-01");
        assertThat(catalog().partitionNames(table)).hasSize(6).first().isEqualTo("ds=2020-01-01/h=0");
        assertThat(catalog().partitionsByName(table, List.of("ds=2020-01-02/h=1", "ds=no/h=1")))
                .hasSize(1);
    }

    @Test
    void partitionValuesMayHoldAnyCharacter() {
        Table table = create(table("db", "t", columns("a", "int"), columns("s", "string")));
        List<String> values = List.of("a b", "x/y=z", "100%", "ü", PartitionName.DEFAULT_PARTITION, "a:b'\"");
        for (String value : values) {
            catalog().addPartitions(table, List.of(partition(table, value)), false);
        }
        assertThat(catalog().partitions(table, v -> true).stream()
                        .map(p -> p.values().getFirst()))
                .containsExactlyInAnyOrderElementsOf(values);
        for (String value : values) {
            assertThat(catalog().partition(table, List.of(value))).isPresent();
        }
        catalog().dropPartitions(table, List.of(List.of("x/y=z")), true);
        assertThat(catalog().partition(table, List.of("x/y=z"))).isEmpty();
        assertThat(warehouse().resolve("db.db/t/s=x%2Fy%3Dz")).doesNotExist();
        assertThat(warehouse().resolve("db.db/t/s=100%25")).isDirectory();
    }

    @Test
    void partitionsAreAddedAllOrNone() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "a")), false);
        List<Partition> more = List.of(partition(table, "b"), partition(table, "a"));
        fails(StandardErrorCode.PARTITION_EXISTS, () -> catalog().addPartitions(table, more, false));
        assertThat(catalog().partitionNames(table)).containsExactly("ds=a");
        assertThat(warehouse().resolve("db.db/t/ds=b")).doesNotExist();
        catalog().addPartitions(table, more, true);
        assertThat(catalog().partitionNames(table)).containsExactly("ds=a", "ds=b");
    }

    @Test
    void partitionsAreChangedAndDropped() throws IOException {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "a"), partition(table, "b")), false);
        Partition before = catalog().partition(table, List.of("a")).orElseThrow();
        Partition changed =
                new Partition(before.values(), before.createTime(), 7, before.storage(), Map.of("numRows", "12"));
        catalog().alterPartitions(table, List.of(changed));
        assertThat(catalog().partition(table, List.of("a"))).contains(changed);
        Path file = write(before.storage().location(), "data", "x");
        catalog().dropPartitions(table, List.of(List.of("a")), true);
        assertThat(file).doesNotExist();
        assertThat(catalog().partitionNames(table)).containsExactly("ds=b");
        fails(
                StandardErrorCode.PARTITION_NOT_FOUND,
                () -> catalog().dropPartitions(table, List.of(List.of("a")), true));
        fails(StandardErrorCode.PARTITION_NOT_FOUND, () -> catalog().alterPartitions(table, List.of(changed)));
    }

    @Test
    void renamedPartitionTakesItsFolderAlong() throws IOException {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "a"), partition(table, "c")), false);
        Partition before = catalog().partition(table, List.of("a")).orElseThrow();
        write(before.storage().location(), "data", "x");
        catalog().putPartitionStatistics(table, Map.of("ds=a", List.of(longs("a", 1, 2, 3, 4))));
        before = catalog().partition(table, List.of("a")).orElseThrow();
        Partition renamed = new Partition(List.of("b"), before.createTime(), 0, before.storage(), before.properties());
        catalog().renamePartition(table, List.of("a"), renamed);
        assertThat(catalog().partitionNames(table)).containsExactly("ds=b", "ds=c");
        assertThat(warehouse().resolve("db.db/t/ds=b/data")).exists();
        assertThat(warehouse().resolve("db.db/t/ds=a")).doesNotExist();
        assertThat(catalog().partitionStatistics(table, List.of("ds=b"), List.of("a")))
                .containsKey("ds=b");
        fails(StandardErrorCode.PARTITION_EXISTS, () -> catalog().renamePartition(table, List.of("c"), renamed));
        fails(StandardErrorCode.PARTITION_NOT_FOUND, () -> catalog().renamePartition(table, List.of("a"), renamed));
    }

    @Test
    void thousandsOfPartitionsAreAddedAndDropped() {
        Table table = create(table("db", "big", columns("a", "int"), columns("ds", "string")));
        List<Partition> many = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            many.add(partition(table, "v" + i));
        }
        catalog().addPartitions(table, many, false);
        assertThat(catalog().partitions(table, values -> true)).hasSize(1200);
        catalog().dropTable("db", "big", true);
        assertThat(warehouse().resolve("db.db/big")).doesNotExist();
        assertThat(catalog().tables("db")).isEmpty();
    }

    @Test
    void statisticsOfAllTypesComeBack() {
        Table table = create(table(
                "db",
                "t",
                columns(
                        "l",
                        "bigint",
                        "d",
                        "double",
                        "s",
                        "string",
                        "b",
                        "boolean",
                        "m",
                        "decimal(10,2)",
                        "w",
                        "decimal(38,4)",
                        "dt",
                        "date",
                        "ts",
                        "timestamp",
                        "bin",
                        "binary",
                        "none",
                        "int"),
                List.of()));
        List<ColumnStatistics> statistics = List.of(
                longs("l", 3, 7, -5, 99),
                new ColumnStatistics(
                        "d", 1, 2, datum(new Datum.OfDouble(-1.5)), datum(new Datum.OfDouble(2.5)), -1, -1, -1, -1),
                new ColumnStatistics("s", 1, 2, Optional.empty(), Optional.empty(), 4.5, 9, -1, -1),
                new ColumnStatistics("b", 1, 2, Optional.empty(), Optional.empty(), -1, -1, 5, 6),
                new ColumnStatistics(
                        "m", 0, 4, datum(new Datum.OfLong(-125)), datum(new Datum.OfLong(999)), -1, -1, -1, -1),
                new ColumnStatistics(
                        "w",
                        0,
                        4,
                        datum(new Datum.OfDecimal(new BigInteger("-123456789012345678901234"))),
                        datum(new Datum.OfDecimal(new BigInteger("123456789012345678901234"))),
                        -1,
                        -1,
                        -1,
                        -1),
                new ColumnStatistics(
                        "dt", 0, 4, datum(new Datum.OfLong(-10)), datum(new Datum.OfLong(18000)), -1, -1, -1, -1),
                new ColumnStatistics(
                        "ts",
                        0,
                        4,
                        datum(new Datum.OfTimestamp(1_500_000_000, 0)),
                        datum(new Datum.OfTimestamp(1_600_000_000, 999_999_999)),
                        -1,
                        -1,
                        -1,
                        -1),
                new ColumnStatistics("bin", 2, -1, Optional.empty(), Optional.empty(), 1.25, 8, -1, -1));
        catalog().putTableStatistics(table, statistics);
        List<String> columns = table.columns().stream().map(FieldSchema::name).toList();
        assertThat(catalog().tableStatistics(table, columns)).containsExactlyInAnyOrderElementsOf(statistics);
        assertThat(catalog().tableStatistics(table, List.of("none"))).isEmpty();
        assertThat(catalog().table("db", "t").orElseThrow().properties().get("COLUMN_STATS_ACCURATE"))
                .contains("\"l\":\"true\"");
    }

    @Test
    void statisticsOfPartitionsComeBackByName() {
        Table table = create(table("db", "t", columns("a", "int", "s", "string"), columns("ds", "string")));
        catalog().addPartitions(table, List.of(partition(table, "x"), partition(table, "y/z")), false);
        ColumnStatistics one = longs("a", 0, 5, 1, 9);
        ColumnStatistics text = new ColumnStatistics("s", 0, 5, Optional.empty(), Optional.empty(), 2, 3, -1, -1);
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(one, text), "ds=y%2Fz", List.of(text)));
        Map<String, List<ColumnStatistics>> all =
                catalog().partitionStatistics(table, List.of("ds=x", "ds=y%2Fz"), List.of("a", "s"));
        assertThat(all).containsOnlyKeys("ds=x", "ds=y%2Fz");
        assertThat(all.get("ds=x")).containsExactlyInAnyOrder(one, text);
        assertThat(catalog().partitionStatistics(table, List.of("ds=y%2Fz"), List.of("a")))
                .isEmpty();
        ColumnStatistics newer = longs("a", 0, 6, 0, 9);
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(newer)));
        assertThat(catalog()
                        .partitionStatistics(table, List.of("ds=x"), List.of("a"))
                        .get("ds=x"))
                .containsExactly(newer);
    }

    static ColumnStatistics longs(String column, long nulls, long distinct, long low, long high) {
        return new ColumnStatistics(
                column, nulls, distinct, datum(new Datum.OfLong(low)), datum(new Datum.OfLong(high)), -1, -1, -1, -1);
    }

    private static Optional<Datum> datum(Datum datum) {
        return Optional.of(datum);
    }

    @Test
    void functionsComeAndGo() {
        Function function = new Function("db", "f", "some.Class", "bob", 12, List.of("hdfs:///x.jar"));
        catalog().createFunction(function);
        assertThat(catalog().function("db", "f")).contains(function);
        assertThat(catalog().functions()).containsExactly(function);
        fails(StandardErrorCode.FUNCTION_EXISTS, () -> catalog().createFunction(function));
        catalog().dropFunction("db", "f");
        assertThat(catalog().function("db", "f")).isEmpty();
        fails(StandardErrorCode.FUNCTION_NOT_FOUND, () -> catalog().dropFunction("db", "f"));
    }

    @Test
    void versionChangesWithEachWrite() {
        long none = catalog().version("db", "t");
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        long created = catalog().version("db", "t");
        catalog().addPartitions(table, List.of(partition(table, "x")), false);
        long added = catalog().version("db", "t");
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(longs("a", 0, 1, 1, 1))));
        long analyzed = catalog().version("db", "t");
        catalog().dropTable("db", "t", true);
        assertThat(List.of(none, created, added, analyzed, catalog().version("db", "t")))
                .doesNotHaveDuplicates();
        assertThat(catalog().version("db", "u")).isEqualTo(catalog().version("db", "u"));
    }

    @Test
    void writesFromManyThreadsAllSucceed() throws Exception {
        int threads = 8;
        Table table = create(table("db", "shared", columns("a", "int"), columns("ds", "string")));
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String name = "t" + i;
                String value = "v" + i;
                done.add(pool.submit(() -> {
                    create(table("db", name, columns("a", "int"), List.of()));
                    catalog().addPartitions(table, List.of(partition(table, value)), false);
                    assertThat(catalog().table("db", name)).isPresent();
                    return catalog().partitions(table, v -> true);
                }));
            }
            for (Future<?> one : done) {
                one.get();
            }
        }
        assertThat(catalog().tables("db")).hasSize(threads + 1);
        assertThat(catalog().partitionNames(table)).hasSize(threads);
    }

    @Test
    void interruptedCallerGetsItsAnswerAndHarmsNobody() {
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        Thread.currentThread().interrupt();
        catalog().addPartitions(table, List.of(partition(table, "x")), false);
        assertThat(catalog().partition(table, List.of("x"))).isPresent();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(catalog().table("db", "t")).contains(table);
    }

    @Test
    void oneOfManyCreatorsWins() throws Exception {
        int threads = 6;
        int created = 0;
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                done.add(pool.submit(() -> {
                    try {
                        catalog().createTable(table("db", "race", columns("a", "int"), List.of()));
                        return true;
                    } catch (SkepException e) {
                        assertThat(e.code()).isEqualTo(StandardErrorCode.TABLE_EXISTS);
                        return false;
                    }
                }));
            }
            for (Future<Boolean> one : done) {
                created += one.get() ? 1 : 0;
            }
        }
        assertThat(created).isEqualTo(1);
        assertThat(warehouse().resolve("db.db/race")).isDirectory();
    }

    @Test
    void typesOfAllKindsComeBack() {
        for (String type : List.of(
                "tinyint", "smallint", "float", "char(3)", "interval_day_time", "uniontype<int,string>", "binary")) {
            SqlType parsed = TypeParser.parse(type);
            Table made = create(table("db", "t", columns("c", type), List.of()));
            assertThat(made.columns().getFirst().type()).isEqualTo(parsed);
            catalog().dropTable("db", "t", true);
        }
    }
}
