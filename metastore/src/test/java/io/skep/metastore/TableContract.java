package io.skep.metastore;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.database;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.storage;
import static io.skep.metastore.CatalogFixtures.table;
import static io.skep.metastore.CatalogFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.type.TypeParser;
import io.skep.metastore.Table.TableKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests tables and views: definitions, folders, changes. */
interface TableContract extends CatalogUnderTest {
    @Test
    default void tableComesBackAsItWasMade() {
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
                Table.NO_ID,
                "db",
                "t",
                TableKind.MANAGED_TABLE,
                "alice",
                false,
                1_600_000_000,
                5,
                columns("ds", "string", "hour", "int"),
                storage,
                Map.of("transient_lastDdlTime", "17", "comment", "ünïcode"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        Table made = create(wanted);
        assertThat(made.storage().location()).isEqualTo("file:" + warehouse().resolve("db.db/t"));
        assertThat(CatalogUnderTest.path(made.storage().location())).isDirectory();
        assertThat(with(made, "db", "t", storage, Map.of())).isEqualTo(wanted);
        assertThat(made.storage().columns()).isEqualTo(columns);
        assertThat(made.storage().sortColumns()).isEqualTo(storage.sortColumns());
    }

    @Test
    default void viewHasTextsAndNoFolder() {
        Table view = new Table(
                Table.NO_ID,
                "db",
                "v",
                TableKind.VIRTUAL_VIEW,
                "alice",
                false,
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
                Optional.of("select `t`.`a` from `db`.`t`"),
                Optional.empty());
        assertThat(create(view)).usingRecursiveComparison().ignoringFields("id").isEqualTo(view);
        catalog().dropTable("db", "v", DroppedFiles.TRASHED);
        assertThat(catalog().table("db", "v")).isEmpty();
    }

    @Test
    default void aTableOfTheSameNameIsAnotherOne() {
        Table first = create(table("db", "t", columns("a", "int"), List.of()));
        assertThat(first.id()).isNotZero();
        assertThat(catalog().tablesByName("db", List.of("t")))
                .extracting(Table::id)
                .containsExactly(first.id());
        catalog().alterTable("db", "t", with(first, "db", "renamed", first.storage(), first.properties()), false);
        assertThat(catalog().table("db", "renamed").orElseThrow().id()).isEqualTo(first.id());
        catalog().dropTable("db", "renamed", DroppedFiles.TRASHED);
        Table second = create(table("db", "t", columns("a", "int"), List.of()));
        assertThat(second.id()).isNotZero().isNotEqualTo(first.id());
    }

    @Test
    default void tablesAreListedInOrder() {
        create(table("db", "b", columns("a", "int"), List.of()));
        create(table("db", "a", columns("a", "int"), List.of()));
        assertThat(catalog().tables("db")).containsExactly("a", "b");
        assertThat(catalog().tables("none")).isEmpty();
        assertThat(catalog().tablesByName("db", List.of("b", "none", "a")))
                .extracting(Table::name)
                .containsExactly("b", "a");
    }

    @Test
    default void tableErrorsNameWhatIsWrong() {
        Table made = create(table("db", "t", columns("a", "int"), List.of()));
        CatalogUnderTest.fails(StandardErrorCode.TABLE_EXISTS, () -> catalog().createTable(made));
        CatalogUnderTest.fails(
                StandardErrorCode.DATABASE_NOT_FOUND, () -> create(table("none", "t", columns("a", "int"), List.of())));
        CatalogUnderTest.fails(
                StandardErrorCode.TABLE_NOT_FOUND, () -> catalog().dropTable("db", "none", DroppedFiles.TRASHED));
        CatalogUnderTest.fails(
                StandardErrorCode.TABLE_NOT_FOUND, () -> catalog().alterTable("db", "none", made, false));
        CatalogUnderTest.fails(
                StandardErrorCode.COLUMN_EXISTS,
                () -> create(table("db", "u", columns("a", "int"), columns("a", "string"))));
        assertThat(catalog().tables("db")).containsExactly("t");
        assertThat(warehouse().resolve("db.db/u")).doesNotExist();
    }

    @Test
    default void managedDataGoWithTheTable() throws IOException {
        Table kept = create(table("db", "kept", columns("a", "int"), List.of()));
        Path file = CatalogUnderTest.write(kept.storage().location(), "data", "x");
        catalog().dropTable("db", "kept", DroppedFiles.KEPT);
        assertThat(file).exists();
        Table gone = create(table("db", "gone", columns("a", "int"), List.of()));
        catalog().dropTable("db", "gone", DroppedFiles.TRASHED);
        assertThat(CatalogUnderTest.path(gone.storage().location())).doesNotExist();
    }

    @Test
    default void externalDataStayUnlessPurged() throws IOException {
        String location = "file:" + warehouse().resolve("ext");
        CatalogUnderTest.write(location, "one", "12345");
        CatalogUnderTest.write(location, "_hidden", "x");
        Table external = create(table("db", "e", TableKind.EXTERNAL_TABLE, columns("a", "int"), List.of(), location));
        assertThat(external.properties())
                .containsEntry("EXTERNAL", "TRUE")
                .containsEntry("numFiles", "1")
                .containsEntry("totalSize", "5");
        catalog().dropTable("db", "e", DroppedFiles.TRASHED);
        assertThat(CatalogUnderTest.path(location).resolve("one")).exists();
        catalog().createTable(with(external, "db", "e", external.storage(), Map.of("external.table.purge", "true")));
        catalog().dropTable("db", "e", DroppedFiles.TRASHED);
        assertThat(CatalogUnderTest.path(location)).doesNotExist();
    }

    @Test
    default void renamedManagedTableTakesPlacePartitionsAndStatisticsAlong() throws IOException {
        Table before = create(table("db", "old", columns("a", "int"), columns("ds", "string")));
        catalog().addPartitions(before, List.of(partition(before, "x")), false);
        catalog().putPartitionStatistics(before, Map.of("ds=x", List.of(CatalogUnderTest.longs("a", 1, 2, 3, 4))));
        CatalogUnderTest.write(before.storage().location() + "/ds=x", "data", "1");
        catalog().createDatabase(database("db2", ""));
        Table renamed = with(before, "db2", "new", before.storage(), Map.of());
        FolderMove move = catalog().movedFolder(before, renamed).orElseThrow();
        assertThat(move)
                .isEqualTo(new FolderMove(
                        before.storage().location(), "file:" + warehouse().resolve("db2.db/new")));
        catalog().alterTable("db", "old", renamed, false);
        assertThat(CatalogUnderTest.path(move.from()).resolve("ds=x/data")).exists();
        assertThat(CatalogUnderTest.path(move.to())).doesNotExist();
        assertThat(catalog().table("db", "old")).isEmpty();
        Table after = catalog().table("db2", "new").orElseThrow();
        assertThat(after.storage().location()).isEqualTo(move.to());
        Partition partition = catalog().partition(after, List.of("x")).orElseThrow();
        assertThat(partition.storage().location()).isEqualTo(after.storage().location() + "/ds=x");
        assertThat(catalog().partitionStatistics(after, List.of("ds=x"), List.of("a")))
                .containsExactly(Map.entry("ds=x", List.of(CatalogUnderTest.longs("a", 1, 2, 3, 4))));
    }

    @Test
    default void foldersAreThoseOfDatabasesTablesAndPartitionsElsewhere() {
        Table plain = create(table("db", "plain", columns("a", "int"), List.of()));
        Table parted = create(table("db", "parted", columns("a", "int"), columns("ds", "string")));
        String apart = parted.storage().location() + "-2/x";
        catalog().addPartitions(parted, List.of(partition(parted, "in")), false);
        Partition out = partition(parted, "out");
        catalog()
                .addPartitions(
                        parted,
                        List.of(new Partition(out.values(), 0, 0, storage(parted.columns(), apart), out.properties())),
                        false);
        String root = "file:" + warehouse();
        assertThat(catalog().folders())
                .contains(
                        new CatalogFolder("default", "", root),
                        new CatalogFolder("db", "", root + "/db.db"),
                        new CatalogFolder("db", "plain", plain.storage().location()),
                        new CatalogFolder("db", "parted", parted.storage().location()),
                        new CatalogFolder("db", "parted", apart))
                .noneMatch(folder -> folder.location().endsWith("ds=in"));
    }

    @Test
    default void renamedExternalTableStaysWhereItIs() {
        String location = "file:" + warehouse().resolve("ext2");
        Table before = create(table("db", "e", TableKind.EXTERNAL_TABLE, columns("a", "int"), List.of(), location));
        Table renamed = with(before, "db", "e2", before.storage(), Map.of());
        assertThat(catalog().movedFolder(before, renamed)).isEmpty();
        catalog().alterTable("db", "e", renamed, false);
        assertThat(catalog().table("db", "e2").orElseThrow().storage().location())
                .isEqualTo(location);
    }

    @Test
    default void renameOntoAnotherTableFailsAndLeavesBoth() {
        Table one = create(table("db", "one", columns("a", "int"), List.of()));
        Table two = create(table("db", "two", columns("b", "int"), List.of()));
        Table renamed = with(one, "db", "two", one.storage(), Map.of());
        CatalogUnderTest.fails(
                StandardErrorCode.FILE_SYSTEM_ERROR, () -> catalog().movedFolder(one, renamed));
        CatalogUnderTest.fails(StandardErrorCode.TABLE_EXISTS, () -> catalog().alterTable("db", "one", renamed, false));
        assertThat(catalog().table("db", "one")).contains(one);
        assertThat(catalog().table("db", "two")).contains(two);
        assertThat(CatalogUnderTest.path(one.storage().location())).isDirectory();
    }

    @Test
    default void changedColumnsReachPartitionsOnlyByCascade() {
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
    default void typesOfAllKindsComeBack() {
        for (String type : List.of(
                "tinyint", "smallint", "float", "char(3)", "interval_day_time", "uniontype<int,string>", "binary")) {
            SqlType parsed = TypeParser.parse(type);
            Table made = create(table("db", "t", columns("c", type), List.of()));
            assertThat(made.columns().getFirst().type()).isEqualTo(parsed);
            catalog().dropTable("db", "t", DroppedFiles.TRASHED);
        }
    }

    @Test
    default void versionChangesWithEachWrite() {
        long none = catalog().version("db", "t");
        Table table = create(table("db", "t", columns("a", "int"), columns("ds", "string")));
        long created = catalog().version("db", "t");
        catalog().addPartitions(table, List.of(partition(table, "x")), false);
        long added = catalog().version("db", "t");
        catalog().putPartitionStatistics(table, Map.of("ds=x", List.of(CatalogUnderTest.longs("a", 0, 1, 1, 1))));
        long analyzed = catalog().version("db", "t");
        catalog().dropTable("db", "t", DroppedFiles.TRASHED);
        assertThat(List.of(none, created, added, analyzed, catalog().version("db", "t")))
                .doesNotHaveDuplicates();
        assertThat(catalog().version("db", "u")).isEqualTo(catalog().version("db", "u"));
    }
}
