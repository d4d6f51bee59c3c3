package io.skep.metastore.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.config.SecretSettings;
import io.skep.common.type.PrimitiveType;
import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFixtures;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of system tables, on one kind of database. */
interface SystemRowsContract {
    RowContext CONTEXT = new RowContext(ZoneOffset.UTC, SecretSettings.ofList(""));

    Catalog catalog();

    SystemRowStore rows();

    static List<SystemTable> tables() {
        return SystemTables.DATABASES.stream()
                .flatMap(database -> SystemTables.names(database).stream()
                        .map(name -> SystemTables.find(database, name).orElseThrow()))
                .toList();
    }

    @BeforeEach
    default void create() {
        catalog().createDatabase(CatalogFixtures.database("m", ""));
        Table table = CatalogFixtures.table(
                "m",
                "t",
                CatalogFixtures.columns("a", "decimal(10,2)", "b", "varchar(10)", "c", "timestamp", "d", "double"),
                CatalogFixtures.columns("k", "string"));
        Table secret = table.withProperties(Map.of("made.by", "test", "db.password", "pst!"));
        catalog().createTable(secret);
        Table created = catalog().table("m", "t").orElseThrow();
        catalog().addPartitions(created, List.of(CatalogFixtures.partition(created, "x")), false);
    }

    @AfterEach
    default void drop() {
        catalog().dropTable("m", "t", DroppedFiles.PURGED);
        catalog().dropDatabase("m", true);
    }

    private static RowRequest request(SystemTable table, List<Integer> columns, RowCondition... conditions) {
        return new RowRequest(table, columns, List.of(conditions), Optional.empty(), CONTEXT, Optional.empty());
    }

    private static int column(SystemTable table, String name) {
        return IntStream.range(0, table.columns().size())
                .filter(index -> table.columns().get(index).name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static RowCondition equal(SystemTable table, String name, Object... values) {
        return new RowCondition(column(table, name), List.of(values));
    }

    private List<String> read(RowRequest request) {
        List<String> found = new ArrayList<>();
        rows().read(request, values -> found.add(values.toString()));
        return found;
    }

    private List<String> read(String database, String name, List<String> columns, Map<String, Object> conditions) {
        SystemTable table = SystemTables.find(database, name).orElseThrow();
        return read(request(
                table,
                columns.stream().map(column -> column(table, column)).toList(),
                conditions.entrySet().stream()
                        .map(condition -> equal(table, condition.getKey(), condition.getValue()))
                        .toArray(RowCondition[]::new)));
    }

    @ParameterizedTest
    @MethodSource("tables")
    default void theDatabaseHasEachColumnAndComparesIt(SystemTable table) {
        List<Integer> all = IntStream.range(0, table.columns().size()).boxed().toList();
        int rows = read(request(table, all)).size();
        assertThat(read(request(table, List.of()))).hasSize(rows);
        for (int index : all) {
            SystemColumn column = table.columns().get(index);
            if (column.comparable()) {
                Object value = column.type() == PrimitiveType.STRING ? (Object) "no such value" : (Object) (-7L);
                assertThat(read(request(table, all, new RowCondition(index, List.of(value)))))
                        .isEmpty();
                assertThat(read(request(table, all, new RowCondition(index, List.of()))))
                        .isEmpty();
            }
        }
    }

    /** Rows of a Hive whose script was run over tables with the same rows. */
    @Test
    default void columnsAreThoseOfHive() {
        assertThat(read(
                        "information_schema",
                        "columns",
                        List.of(
                                "table_catalog",
                                "column_name",
                                "ordinal_position",
                                "is_nullable",
                                "data_type",
                                "character_maximum_length",
                                "numeric_precision",
                                "numeric_precision_radix",
                                "numeric_scale",
                                "datetime_precision",
                                "is_generated",
                                "declared_numeric_precision",
                                "declared_numeric_scale"),
                        Map.of("table_schema", "m", "table_name", "t")))
                .containsExactlyInAnyOrder(
                        "[default, a, 0, YES, decimal(10,2), null, 10, 10, 2, null, NEVER, 10, 10]",
                        "[default, b, 1, YES, varchar(10), 10, null, null, null, null, NEVER, null, null]",
                        "[default, c, 2, YES, timestamp, null, null, null, null, 9, NEVER, null, null]",
                        "[default, d, 3, YES, double, null, 53, 2, null, null, NEVER, 53, 2]");
    }

    @Test
    default void tablesAndSchemataAreThoseOfHive() {
        assertThat(read(
                        "information_schema",
                        "tables",
                        List.of("table_schema", "table_name", "table_type", "is_insertable_into", "commit_action"),
                        Map.of("table_schema", "m")))
                .containsExactly("[m, t, BASE_TABLE, YES, null]");
        assertThat(read(
                        "information_schema",
                        "schemata",
                        List.of("catalog_name", "schema_name", "schema_owner", "default_character_set_name"),
                        Map.of("schema_name", "m")))
                .containsExactly("[default, m, bob, null]");
        assertThat(read("sys", "version", List.of("ver_id", "schema_version", "version_comment"), Map.of()))
                .containsExactly("[1, 4.0.0, Hive release version 4.0.0]");
    }

    @Test
    default void secretsAreHidden() {
        SystemTable table = SystemTables.find("sys", "table_params").orElseThrow();
        List<Integer> columns = List.of(column(table, "param_key"), column(table, "param_value"));
        assertThat(read(request(table, columns, equal(table, "param_key", "made.by", "db.password"))))
                .containsExactlyInAnyOrder("[made.by, test]", "[db.password, " + SecretSettings.HIDDEN + "]");
        // The name of the property decides, also when it is not asked for.
        assertThat(read(request(table, List.of(columns.getLast()), equal(table, "param_key", "db.password"))))
                .containsExactly("[" + SecretSettings.HIDDEN + "]");
    }

    @Test
    default void rowsOfPartitionsBelongTogether() {
        SystemTable partitions = SystemTables.find("sys", "partitions").orElseThrow();
        List<Object> id = new ArrayList<>();
        rows().read(
                        request(
                                partitions,
                                List.of(column(partitions, "part_id")),
                                equal(partitions, "part_name", "k=x")),
                        values -> id.addAll(values));
        assertThat(id).hasSize(1);
        SystemTable values = SystemTables.find("sys", "partition_key_vals").orElseThrow();
        assertThat(read(request(
                        values, List.of(column(values, "part_key_val")), equal(values, "part_id", id.getFirst()))))
                .containsExactly("[x]");
    }

    @Test
    default void onlyVisibleRowsOfOneDatabaseArePassed() {
        SystemTable table = SystemTables.find("information_schema", "tables").orElseThrow();
        RowRequest all = request(table, List.of(column(table, "table_name")));
        assertThat(read(all.in("m").visibleTo(visible("m.t")))).containsExactly("[t]");
        assertThat(read(all.in("m").visibleTo(visible("m.u")))).isEmpty();
        assertThat(read(all.in("default").visibleTo(visible("m.t")))).isEmpty();
    }

    private static RowVisibility visible(String name) {
        return new RowVisibility() {
            @Override
            public boolean showsDatabase(String database) {
                return true;
            }

            @Override
            public boolean showsTable(String database, String table, String owner, boolean ownerIsRole) {
                return name.equals(database + "." + table) && owner.equals("alice") && !ownerIsRole;
            }

            @Override
            public boolean isUser(String user) {
                return false;
            }
        };
    }

    @Test
    default void rowsAboutPeopleAreForThem() {
        SystemTable table =
                SystemTables.find("information_schema", "scheduled_queries").orElseThrow();
        assertThat(table.scope().people()).hasSize(1);
        RowRequest all = new RowRequest(
                table, List.of(0), List.of(), Optional.empty(), CONTEXT, Optional.of(visible("nothing")));
        assertThat(read(all)).isEmpty();
    }
}
