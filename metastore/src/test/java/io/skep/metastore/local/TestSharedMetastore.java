package io.skep.metastore.local;

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
import io.skep.metastore.Table;
import io.skep.metastore.database.DataDirectory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests two servers on one PostgreSQL database. They poll only when the test requests it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSharedMetastore {
    private Path folder;

    private EmbeddedPostgres postgres;
    private DataDirectory data;
    private LocalMetastore one;
    private LocalMetastore other;

    @BeforeAll
    void open(@TempDir Path temporary) throws IOException {
        folder = temporary;
        postgres = EmbeddedPostgres.builder().start();
        data = DataDirectory.open(folder);
        one = LocalMetastore.open(config(), data);
        other = LocalMetastore.open(config(), data);
    }

    private MetastoreConfig config() {
        return MetastoreConfig.of(
                Map.of(
                        "javax.jdo.option.ConnectionURL",
                        postgres.getJdbcUrl("postgres", "postgres"),
                        "hive.notification.event.poll.interval",
                        "1h",
                        "hive.metastore.transactional.event.listeners",
                        "org.apache.hive.hcatalog.listener.DbNotificationListener"),
                folder);
    }

    @AfterAll
    void close() throws IOException {
        other.close();
        one.close();
        data.close();
        postgres.close();
    }

    private Table create(String database, String name) {
        one.catalog().createTable(table(database, name, columns("a", "int"), columns("ds", "string")));
        return one.catalog().table(database, name).orElseThrow();
    }

    @Test
    void othersChangesAreSeenAfterThePoll() {
        Catalog reader = other.catalog();
        assertThat(reader.database("seen")).isEmpty();
        assertThat(reader.databases()).doesNotContain("seen");
        one.catalog().createDatabase(database("seen", ""));
        other.poll();
        assertThat(reader.databases()).contains("seen");
        assertThat(reader.database("seen")).isPresent();
        assertThat(reader.table("seen", "t")).isEmpty();
        Table table = create("seen", "t");
        other.poll();
        assertThat(reader.table("seen", "t")).contains(table);
        assertThat(reader.partitionNames(table)).isEmpty();
        one.catalog().addPartitions(table, List.of(partition(table, "x")), false);
        other.poll();
        assertThat(reader.partitionNames(table)).containsExactly("ds=x");
        one.catalog().dropDatabase("seen", true);
        other.poll();
        assertThat(reader.table("seen", "t")).isEmpty();
        assertThat(reader.tables("seen")).isEmpty();
    }

    @Test
    void aRenameIsSeenUnderBothNames() {
        one.catalog().createDatabase(database("named", ""));
        one.catalog().createDatabase(database("there", ""));
        Table table = create("named", "old");
        other.poll();
        Catalog reader = other.catalog();
        assertThat(reader.table("named", "old")).contains(table);
        assertThat(reader.table("there", "fresh")).isEmpty();
        assertThat(reader.tables("there")).isEmpty();
        one.catalog().alterTable("named", "old", with(table, "there", "fresh", table.storage(), Map.of()), false);
        other.poll();
        assertThat(reader.table("named", "old")).isEmpty();
        assertThat(reader.tables("named")).isEmpty();
        assertThat(reader.table("there", "fresh").orElseThrow().id()).isEqualTo(table.id());
        assertThat(reader.tables("there")).containsExactly("fresh");
    }

    @Test
    void whoMustBeSureCatchesUpAtOnce() {
        one.catalog().createDatabase(database("sure", ""));
        other.poll();
        assertThat(other.catalog().table("sure", "t")).isEmpty();
        Table table = create("sure", "t");
        assertThat(other.catalog().table("sure", "t")).isEmpty();
        other.catalog().refreshTo(other.commitMarks().orElseThrow().snapshot().position());
        assertThat(other.catalog().table("sure", "t")).contains(table);
    }

    @Test
    void ownChangesAreNotTakenForOthers() {
        one.catalog().createDatabase(database("own", ""));
        Table table = create("own", "t");
        one.catalog().partitionNames(table);
        long version = one.catalog().version("own", "t");
        one.poll();
        assertThat(one.catalog().version("own", "t")).isEqualTo(version);
        other.catalog().dropTable("own", "t", DroppedFiles.TRASHED);
        one.poll();
        assertThat(one.catalog().version("own", "t")).isNotEqualTo(version);
    }

    @Test
    void rolledBackChangeDoesNotHideAnothers() {
        one.catalog().createDatabase(database("back", ""));
        Table table = create("back", "t");
        one.poll();
        assertThatThrownBy(() -> one.catalog().dropPartitions(table, List.of(List.of("none")), DroppedFiles.TRASHED))
                .isInstanceOf(SkepException.class);
        long version = one.catalog().version("back", "t");
        other.poll();
        other.catalog().addPartitions(table, List.of(partition(table, "x")), false);
        one.poll();
        assertThat(one.catalog().version("back", "t")).isNotEqualTo(version);
        assertThat(one.catalog().partitionNames(table)).containsExactly("ds=x");
    }

    @Test
    void schemaOfAnotherVersionIsRefused() throws SQLException {
        String create = "CREATE DATABASE elder";
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(create);
        }
        String url = postgres.getJdbcUrl("postgres", "elder");
        try (Connection connection = java.sql.DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE \"VERSION\" (\"SCHEMA_VERSION\" varchar(10))");
            statement.execute("INSERT INTO \"VERSION\" VALUES ('3.1.0')");
        }
        MetastoreConfig config = MetastoreConfig.of(Map.of("javax.jdo.option.ConnectionURL", url), folder);
        assertThatThrownBy(() -> LocalMetastore.open(config, data)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.METASTORE_ERROR);
            assertThat(e.getMessage()).contains("3.1.0");
        });
    }
}
