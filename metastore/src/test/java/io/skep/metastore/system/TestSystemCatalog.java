package io.skep.metastore.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFixtures;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.metastore.testing.TestingMetastore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Which databases and tables there are, depending on what the metastore has under the names. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSystemCatalog {
    private static final List<FieldSchema> COLUMNS = CatalogFixtures.columns("a", "int");

    private TestingMetastore metastore;
    private Catalog catalog;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
        catalog = metastore.catalog();
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    @AfterEach
    void clear() {
        // What Hive's script has made can only be dropped below the system tables.
        TestingMetastore.clear(metastore.metastore().uncached());
    }

    /** The catalog has no cache here, so that it sees what is made below it. */
    private Catalog overMetastore() {
        return new SystemCatalog(metastore.metastore().uncached());
    }

    private static void refused(ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        error -> assertThat(error.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED))
                .hasMessageContaining("belongs to the system");
    }

    private void made(String database, String name, Map<String, String> properties) {
        Catalog below = metastore.metastore().uncached();
        if (below.database(database).isEmpty()) {
            below.createDatabase(CatalogFixtures.database(database, ""));
        }
        Table table = CatalogFixtures.table(database, name, COLUMNS, List.of()).withProperties(properties);
        below.createTable(table.withKind(Table.TableKind.EXTERNAL_TABLE));
    }

    private static Map<String, String> script() {
        return Map.of(
                "storage_handler",
                "org.apache.hive.storage.jdbc.JdbcStorageHandler",
                "hive.sql.database.type",
                "METASTORE");
    }

    @Test
    void tablesExistWithoutAnyScriptAndAreNotListedAsDatabases() {
        assertThat(catalog.databases()).containsExactly("default");
        assertThat(catalog.database("sys")).isPresent();
        assertThat(catalog.tables("information_schema"))
                .containsExactly(
                        "column_privileges",
                        "columns",
                        "compactions",
                        "scheduled_executions",
                        "scheduled_queries",
                        "schemata",
                        "table_privileges",
                        "tables",
                        "views");
        Table dbs = catalog.table("sys", "dbs").orElseThrow();
        assertThat(dbs.isSystem()).isTrue();
        assertThat(dbs.columns())
                .extracting(FieldSchema::name)
                .containsExactly("db_id", "db_location_uri", "name", "owner_name", "owner_type");
        assertThat(catalog.table("sys", "no_such_table")).isEmpty();
        assertThat(catalog.partitionNames(dbs)).isEmpty();
        assertThat(catalog.constraints(dbs)).isEmpty();
        assertThat(catalog.tableStatistics(dbs, List.of("name"))).isEmpty();
    }

    @Test
    void nothingCanBeChanged() {
        Table dbs = catalog.table("sys", "dbs").orElseThrow();
        refused(() -> catalog.createDatabase(CatalogFixtures.database("sys", "")));
        refused(() -> catalog.dropDatabase("information_schema", true));
        refused(() -> catalog.alterDatabase(CatalogFixtures.database("sys", "")));
        refused(() -> catalog.createTable(CatalogFixtures.table("sys", "t", COLUMNS, List.of())));
        refused(() -> catalog.dropTable("sys", "dbs", DroppedFiles.PURGED));
        refused(() -> catalog.alterTable("sys", "dbs", dbs, false));
        refused(() -> catalog.addConstraints(dbs, List.of()));
        refused(() -> catalog.addPartitions(dbs, List.of(), true));
        refused(() -> catalog.alterPartitions(dbs, List.of()));
        refused(() -> catalog.dropPartitions(dbs, List.of(), DroppedFiles.PURGED));
        refused(() -> catalog.putTableStatistics(dbs, List.of()));
        refused(() -> catalog.putPartitionStatistics(dbs, Map.of()));
    }

    @Test
    void takeThePlaceOfWhatHivesScriptHasMade() {
        made("sys", "dbs", script());
        made("sys", "wm_pools", script());
        made("sys", "mine", Map.of());
        Catalog over = overMetastore();
        assertThat(over.databases()).containsExactly("default", "sys");
        assertThat(over.table("sys", "dbs").orElseThrow().isSystem()).isTrue();
        assertThat(over.table("sys", "wm_pools")).isEmpty();
        assertThat(over.table("sys", "mine").orElseThrow().isSystem()).isFalse();
        assertThat(over.tables("sys")).contains("dbs", "mine", "tbls").doesNotContain("wm_pools");
        refused(() -> over.createTable(CatalogFixtures.table("sys", "t", COLUMNS, List.of())));
        refused(() -> over.dropDatabase("sys", true));
    }

    @Test
    void takeThePlaceOfTheViewsOfHivesScript() {
        made("information_schema", "other", Map.of());
        Table view = CatalogFixtures.table(
                "information_schema", "schemata", Table.TableKind.VIRTUAL_VIEW, COLUMNS, List.of(), "");
        metastore
                .metastore()
                .uncached()
                .createTable(new Table(
                        Table.NO_ID,
                        view.database(),
                        view.name(),
                        view.kind(),
                        view.owner(),
                        false,
                        0,
                        0,
                        List.of(),
                        view.storage(),
                        view.properties(),
                        Optional.of("select name from sys.dbs"),
                        Optional.of("select `dbs`.`name` from `SYS`.`DBS`"),
                        Optional.empty()));
        Catalog over = overMetastore();
        assertThat(over.table("information_schema", "schemata").orElseThrow().isSystem())
                .isTrue();
        assertThat(over.table("information_schema", "other")).isPresent();
    }

    @Test
    void databasesOfTheSiteStayAsTheyAre() {
        made("sys", "dbs", Map.of());
        Catalog over = overMetastore();
        assertThat(over.table("sys", "dbs").orElseThrow().isSystem()).isFalse();
        assertThat(over.table("sys", "tbls")).isEmpty();
        assertThat(over.tables("sys")).containsExactly("dbs");
        assertThat(over.tables("information_schema")).contains("tables");
        over.createTable(CatalogFixtures.table("sys", "more", COLUMNS, List.of()));
        assertThat(over.tables("sys")).containsExactly("dbs", "more");
        over.dropDatabase("sys", true);
        assertThat(over.table("sys", "tbls").orElseThrow().isSystem()).isTrue();
    }
}
