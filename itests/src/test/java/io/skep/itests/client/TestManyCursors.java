package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.llap.server.DaemonSnapshot;
import io.skep.metastore.testing.TestingRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests many large results that stay open and are hardly read. Memory stays bounded, other queries run, and each result
 * can still be read to its end.
 */
@ExtendWith(SharedServer.class)
final class TestManyCursors {
    private static final int CURSORS = 60;
    private static final int ROWS = 40_000;

    /** Each result is about 40 MB. Together they are 2.4 GB, more than the memory of the process. */
    private static final String LARGE = "SELECT k, concat(repeat('x', 1000), k) AS s FROM cursors.t";

    @Test
    void stayWithinMemory(TestServer server) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE cursors");
            statement.execute("CREATE TABLE cursors.t STORED AS ORC AS SELECT a.i * 200 + b.i AS k FROM"
                    + " (SELECT posexplode(split(space(199), ' ')) AS (i, e)) a"
                    + " CROSS JOIN (SELECT posexplode(split(space(199), ' ')) AS (i, e)) b");
            List<ResultSet> cursors = new ArrayList<>();
            for (int i = 0; i < CURSORS; i++) {
                Statement one = connection.createStatement();
                one.setFetchSize(10);
                ResultSet rows = one.executeQuery(LARGE + (i % 2 == 0 ? "" : " ORDER BY k DESC"));
                assertThat(rows.next()).isTrue();
                cursors.add(rows);
                assertBounded(server);
            }
            try (ResultSet other = statement.executeQuery("SELECT count(DISTINCT k) FROM cursors.t")) {
                assertThat(other.next()).isTrue();
                assertThat(other.getLong(1)).isEqualTo(ROWS);
            }
            assertThat(rest(cursors.getFirst())).isEqualTo(ROWS - 1);
            assertThat(rest(cursors.getLast())).isEqualTo(ROWS - 1);
            assertBounded(server);
            for (ResultSet rows : cursors) {
                rows.getStatement().close();
            }
            server.awaitThat(
                    "closed cursors keep nothing",
                    () -> server.server().snapshot().leftovers().isEmpty());
            statement.execute("DROP DATABASE cursors CASCADE");
        }
    }

    /** The client's connection breaks while its cursors are half read. Its sessions end with the connection. */
    @Test
    void goWithTheirClient(TestServer server) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                TestingRelay relay = new TestingRelay(server.port())) {
            Connection connection = client.connect("jdbc:hive2://127.0.0.1:" + relay.port() + "/default");
            for (int i = 0; i < 5; i++) {
                Statement one = connection.createStatement();
                one.setFetchSize(10);
                ResultSet rows =
                        one.executeQuery("SELECT repeat('x', 1000) FROM (SELECT explode(split(space(49999), ' '))) t");
                assertThat(rows.next()).isTrue();
            }
            relay.cut();
            server.awaitSessions(0);
            server.assertNothingLeft();
        }
    }

    private static void assertBounded(TestServer server) {
        DaemonSnapshot held = server.server().snapshot();
        assertThat(held.reservedBytes())
                .isLessThanOrEqualTo(server.server().daemonConfig().maxMemoryBytes());
    }

    private static int rest(ResultSet rows) throws SQLException {
        int count = 0;
        while (rows.next()) {
            count++;
        }
        return count;
    }
}
