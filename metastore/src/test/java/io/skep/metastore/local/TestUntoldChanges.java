package io.skep.metastore.local;

import static io.skep.metastore.CatalogFixtures.columns;
import static io.skep.metastore.CatalogFixtures.database;
import static io.skep.metastore.CatalogFixtures.partition;
import static io.skep.metastore.CatalogFixtures.table;
import static io.skep.metastore.CatalogFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.Catalog;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.MetastoreConfig;
import io.skep.metastore.Table;
import io.skep.metastore.database.DataDirectory;
import io.skep.metastore.hive.HiveCatalog;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two servers on one PostgreSQL database, and a metastore that changes it without writing the notification log.
 * Hive's metastores do so unless they are configured otherwise.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestUntoldChanges {
    private Path folder;
    private EmbeddedPostgres postgres;
    private DataDirectory data;
    private LocalMetastore reader;
    private LocalMetastore believer;
    private HiveCatalog silent;

    @BeforeAll
    void open(@TempDir Path temporary) throws IOException {
        folder = temporary;
        postgres = EmbeddedPostgres.builder().start();
        data = DataDirectory.open(folder);
        MetastoreConfig config = config();
        reader = LocalMetastore.open(config, data);
        believer = LocalMetastore.open(told(config), data);
        silent = new HiveCatalog(config, url(), false);
    }

    private String url() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    /** The servers poll only when the test requests it. */
    private MetastoreConfig config() {
        return MetastoreConfig.of(
                Map.of("javax.jdo.option.ConnectionURL", url(), "hive.notification.event.poll.interval", "1h"), folder);
    }

    /** Uses the same library settings, because the library has only one set per process. */
    private static MetastoreConfig told(MetastoreConfig config) {
        return new MetastoreConfig(
                config.connectionUrl(),
                config.driver(),
                config.user(),
                config.password(),
                config.defaultFileSystem(),
                config.warehouse(),
                config.externalWarehouse(),
                config.connections(),
                config.pollInterval(),
                true,
                config.admins(),
                config.transactions(),
                config.properties());
    }

    @AfterAll
    void close() throws IOException {
        silent.close();
        believer.close();
        reader.close();
        data.close();
        postgres.close();
    }

    private Table create(String database) {
        silent.createDatabase(database(database, ""));
        silent.createTable(table(database, "t", columns("a", "int"), columns("ds", "string")));
        return silent.table(database, "t").orElseThrow();
    }

    @Test
    void areSeenAfterThePoll() {
        Catalog catalog = reader.catalog();
        Table table = create("unsaid");
        reader.poll();
        assertThat(catalog.table("unsaid", "t")).contains(table);
        assertThat(catalog.partitionNames(table)).isEmpty();
        silent.addPartitions(table, List.of(partition(table, "x")), false);
        reader.poll();
        assertThat(catalog.partitionNames(table)).containsExactly("ds=x");
        silent.renamePartition(table, List.of("x"), partition(table, "y"));
        reader.poll();
        assertThat(catalog.partitionNames(table)).containsExactly("ds=y");
        Table renamed = with(table, "unsaid", "u", table.storage(), Map.of("k", "v"));
        silent.alterTable("unsaid", "t", renamed, false);
        reader.poll();
        assertThat(catalog.table("unsaid", "t")).isEmpty();
        assertThat(catalog.table("unsaid", "u").orElseThrow().properties()).containsEntry("k", "v");
        assertThat(catalog.tables("unsaid")).containsExactly("u");
        silent.dropTable("unsaid", "u", DroppedFiles.TRASHED);
        reader.poll();
        assertThat(catalog.table("unsaid", "u")).isEmpty();
    }

    @Test
    void areSeenAtOnceByWhoMustBeSure() {
        Table table = create("sure");
        Catalog catalog = reader.catalog();
        catalog.invalidate(List.of(table));
        assertThat(catalog.partitionNames(table)).isEmpty();
        Table other = create("beside");
        long version = catalog.version("beside", "t");
        silent.addPartitions(table, List.of(partition(table, "x")), false);
        catalog.invalidate(List.of(table));
        assertThat(catalog.partitionNames(table)).containsExactly("ds=x");
        assertThat(catalog.version(other.database(), other.name()))
                .as("another table")
                .isEqualTo(version);
    }

    @Test
    void areNotLookedForWhereTheSiteSaysThatAllAreTold() {
        Table table = create("told");
        Catalog catalog = believer.catalog();
        believer.poll();
        catalog.partitionNames(table);
        long version = catalog.version("told", "t");
        believer.poll();
        catalog.invalidate(List.of(table));
        assertThat(catalog.version("told", "t")).isEqualTo(version);
    }
}
