package io.skep.itests.client;

import static io.skep.itests.client.DriverSession.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what tools ask each released driver for before they show a database. */
@ExtendWith(SharedServer.class)
@ParameterizedClass
@EnumSource(ReleasedDriver.class)
final class TestDriverMetadata {
    private final ReleasedDriver driver;
    private final DriverSession session;
    private final DatabaseMetaData metadata;

    TestDriverMetadata(ReleasedDriver driver, TestServer server) throws Exception {
        this.driver = driver;
        session = DriverSession.open(driver, server.jdbcUrl(), "driver_metadata");
        metadata = session.connection().getMetaData();
        session.execute(
                "create table people (id int comment 'key', name varchar(20), price decimal(10,2), tags array<string>,"
                        + " primary key (id) disable novalidate) comment 'who' partitioned by (day date)",
                "create view names as select name from people");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    @Test
    void theServerAndTheDriver() throws SQLException {
        assertThat(metadata.getDatabaseProductName()).isEqualTo("Apache Hive");
        assertThat(metadata.getDatabaseProductVersion()).isEqualTo("4.0.1");
        assertThat(metadata.getDatabaseMajorVersion()).isEqualTo(4);
        assertThat(metadata.getDriverVersion()).isEqualTo(driver.version());
    }

    @Test
    void systemTables() throws SQLException {
        assertThat(rows(metadata.getSchemas(), 1)).contains(List.of("information_schema"), List.of("sys"));
        assertThat(rows(metadata.getTables(null, "information_schema", "s%", null), 2, 3, 4))
                .containsExactly(
                        List.of("information_schema", "scheduled_executions", "TABLE"),
                        List.of("information_schema", "scheduled_queries", "TABLE"),
                        List.of("information_schema", "schemata", "TABLE"));
        assertThat(rows(metadata.getColumns(null, "sys", "serdes", "%"), 2, 3, 4, 6))
                .containsExactly(
                        List.of("sys", "serdes", "serde_id", "BIGINT"),
                        List.of("sys", "serdes", "name", "STRING"),
                        List.of("sys", "serdes", "slib", "STRING"));
        assertThat(rows(metadata.getPrimaryKeys(null, "sys", "serdes"), 4)).isEmpty();
        try (Statement statement = session.connection().createStatement()) {
            assertThat(rows(
                            statement.executeQuery("select table_name, table_type from information_schema.tables"
                                    + " where table_schema = 'driver_metadata' order by table_name"),
                            1,
                            2))
                    .containsExactly(List.of("names", "VIEW"), List.of("people", "BASE_TABLE"));
        }
    }

    @Test
    void databasesAndTables() throws SQLException {
        assertThat(rows(metadata.getCatalogs(), 1)).isEmpty();
        assertThat(rows(metadata.getSchemas(), 1)).contains(List.of("default"), List.of("driver_metadata"));
        assertThat(rows(metadata.getSchemas(null, "driver\\_meta%"), 1)).containsExactly(List.of("driver_metadata"));
        assertThat(rows(metadata.getTableTypes(), 1)).contains(List.of("TABLE"), List.of("VIEW"));
        assertThat(rows(metadata.getTables(null, "driver_metadata", "%", null), 2, 3, 4))
                .containsExactlyInAnyOrder(
                        List.of("driver_metadata", "people", "TABLE"), List.of("driver_metadata", "names", "VIEW"));
        assertThat(rows(metadata.getTables("", "driver_metadata", "p%", new String[] {"TABLE"}), 3, 5))
                .containsExactly(List.of("people", "who"));
        assertThat(rows(metadata.getTables(null, "driver_metadata", "%", new String[] {"VIEW"}), 3))
                .containsExactly(List.of("names"));
        assertThat(rows(metadata.getTables(null, "no_such_database", "%", null), 3))
                .isEmpty();
    }

    @Test
    void columnsOfTables() throws SQLException {
        assertThat(rows(metadata.getColumns(null, "driver_metadata", "people", "%"), 4, 5, 6, 17, 18))
                .containsExactly(
                        List.of("id", Types.INTEGER, "INT", 1, "NO"),
                        List.of("name", Types.VARCHAR, "VARCHAR", 2, "YES"),
                        List.of("price", Types.DECIMAL, "DECIMAL", 3, "YES"),
                        List.of("tags", Types.ARRAY, "array<string>", 4, "YES"),
                        List.of("day", Types.DATE, "DATE", 5, "YES"));
        assertThat(rows(metadata.getColumns(null, "driver_metadata", "people", "pr%"), 4, 7, 9, 10))
                .containsExactly(List.of("price", 10, 2, 10));
        assertThat(rows(metadata.getColumns(null, "driver_metadata", "people", "id"), 12))
                .containsExactly(List.of("key"));
    }

    @Test
    void keysFunctionsAndTypes() throws SQLException {
        assertThat(rows(metadata.getPrimaryKeys(null, "driver_metadata", "people"), 3, 4, 5))
                .containsExactly(List.of("people", "id", 1));
        assertThat(rows(metadata.getImportedKeys(null, "driver_metadata", "people"), 3))
                .isEmpty();
        assertThat(rows(metadata.getFunctions(null, null, "conca%"), 3))
                .contains(List.of("concat"), List.of("concat_ws"));
        assertThat(rows(metadata.getTypeInfo(), 1, 2))
                .contains(
                        List.of("DECIMAL", Types.DECIMAL),
                        List.of("INT", Types.INTEGER),
                        List.of("MAP", Types.JAVA_OBJECT));
        assertThat(rows(metadata.getProcedures(null, null, "%"), 3)).isEmpty();
    }
}
