package io.skep.metastore.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDatabaseState {
    private static final Optional<String> USER = Optional.of("postgres");

    private EmbeddedPostgres postgres;

    @BeforeAll
    void open() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    void close() throws IOException {
        postgres.close();
    }

    private String create(String database) throws SQLException {
        execute("postgres", "CREATE DATABASE " + database);
        return postgres.getJdbcUrl("postgres", database);
    }

    private void execute(String database, String sql) throws SQLException {
        try (Connection connection = postgres.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void emptyDatabaseIsLeftEmpty() throws Exception {
        String url = create("empty");
        for (int i = 0; i < 2; i++) {
            DatabaseState state = DatabaseState.of(url, USER, USER);
            assertThat(state.schemaVersion()).isEmpty();
            assertThat(state.makesSchema()).isTrue();
            assertThat(state.isSupported()).isFalse();
            assertThat(state.product()).startsWith("PostgreSQL");
        }
    }

    @Test
    void preparedDatabaseFits() throws Exception {
        String url = create("prepared");
        SharedDatabase.prepare(url, USER, USER);
        DatabaseState state = DatabaseState.of(url, USER, USER);
        assertThat(state.isSupported()).isTrue();
        DatabaseState.DatabaseClock clock = state.clock().orElseThrow();
        // The database uses the same machine's clock, but returns microseconds.
        assertThat(clock.databases())
                .isBetween(clock.before().minusMillis(1), clock.after().plusMillis(1));
    }

    @Test
    void otherVersionDoesNotFit() throws Exception {
        String url = create("old");
        SharedDatabase.prepare(url, USER, USER);
        execute("old", "UPDATE \"VERSION\" SET \"SCHEMA_VERSION\" = '2.3.0'");
        DatabaseState state = DatabaseState.of(url, USER, USER);
        assertThat(state.schemaVersion()).contains("2.3.0");
        assertThat(state.isSupported()).isFalse();
        assertThatThrownBy(() -> SharedDatabase.prepare(url, USER, USER))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.METASTORE_ERROR));
    }

    @Test
    void databaseThatIsNotThere() {
        String url = postgres.getJdbcUrl("postgres", "nosuch");
        assertThatThrownBy(() -> DatabaseState.of(url, USER, USER))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.METASTORE_ERROR));
    }
}
