package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two server processes on one PostgreSQL database run the same scheduled queries. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSchedulesOfServers {
    private static final int TICKS = 6;
    private static final String FAR = "CRON '0 0 0 1 1 ? 2036'";
    private static final String HUNDRED = "(SELECT posexplode(split(space(99), ' ')) AS (i, e))";

    private ServerPair servers;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        servers = new ServerPair(
                folder,
                Map.of(
                        "hive.scheduled.queries.executor.idle.sleep.time",
                        "500ms",
                        "hive.scheduled.queries.executor.progress.report.interval",
                        "1s",
                        "metastore.scheduled.queries.execution.timeout",
                        "10s",
                        "metastore.scheduled.queries.execution.maint.task.frequency",
                        "1s"));
    }

    @AfterAll
    void stop() throws Exception {
        servers.close();
    }

    private void run(String url, String... texts) throws SQLException {
        try (Connection connection = servers.client().connect(url);
                Statement statement = connection.createStatement()) {
            for (String text : texts) {
                statement.execute(text);
            }
        }
    }

    private List<String> rows(String url, String query) throws SQLException {
        try (Connection connection = servers.client().connect(url)) {
            return rows(connection, query);
        }
    }

    private static List<String> rows(Connection connection, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                rows.add(String.valueOf(result.getString(1)));
            }
        }
        return rows;
    }

    /** Asks the metastore's database about the executions of a scheduled query. */
    private List<String> executions(String query, String columns) throws SQLException {
        try (Connection database = servers.database().getPostgresDatabase().getConnection()) {
            return rows(
                    database,
                    "SELECT " + columns + " FROM \"SCHEDULED_EXECUTIONS\" e JOIN \"SCHEDULED_QUERIES\" q"
                            + " ON e.\"SCHEDULED_QUERY_ID\" = q.\"SCHEDULED_QUERY_ID\" WHERE q.\"SCHEDULE_NAME\" = '"
                            + query + "'");
        }
    }

    private List<String> states(String query) throws SQLException {
        return executions(query, "e.\"STATE\"");
    }

    private void awaitEnd(String query, int atLeast) {
        Polling.await(query + " has run").until(() -> {
            List<String> states = states(query);
            return states.size() >= atLeast && !states.contains("INITED") && !states.contains("EXECUTING");
        });
    }

    @Test
    void oneServerRunsEachExecutionOfAQueryThatIsDueEachSecond() throws Exception {
        String one = servers.one().url();
        run(
                one,
                "CREATE DATABASE ticks",
                "USE ticks",
                "CREATE TABLE t (a INT) STORED AS ORC",
                "CREATE SCHEDULED QUERY tick CRON '* * * * * ? *' AS INSERT INTO t VALUES (1)");
        Polling.await("it runs each second").until(() -> states("tick").size() >= TICKS);
        run(servers.other().url(), "ALTER SCHEDULED QUERY tick DISABLE");
        awaitEnd("tick", TICKS);
        List<String> states = states("tick");
        assertThat(states).containsOnly("FINISHED");
        assertThat(executions("tick", "e.\"START_TIME\"")).as("seconds").doesNotHaveDuplicates();
        assertThat(rows(one, "SELECT a FROM ticks.t")).hasSameSizeAs(states);
        run(one, "DROP SCHEDULED QUERY tick", "DROP DATABASE ticks CASCADE");
        assertThat(states("tick")).isEmpty();
    }

    /** The other server is suspended, so that the first one takes the execution. */
    @Test
    void anotherServerGoesOnWhereAKilledOneHasBegun() throws Exception {
        String other = servers.other().url();
        run(
                other,
                "CREATE TABLE k (a INT, b STRING) STORED AS ORC",
                "CREATE SCHEDULED QUERY slow " + FAR
                        + " AS INSERT INTO k SELECT a.i, sha2(concat(a.i, b.i, c.i, d.i), 512) FROM "
                        + HUNDRED + " a CROSS JOIN " + HUNDRED + " b CROSS JOIN " + HUNDRED + " c CROSS JOIN " + HUNDRED
                        + " d");
        servers.other().signal("STOP");
        try {
            run(servers.one().url(), "ALTER SCHEDULED QUERY slow EXECUTE");
            Polling.await("the first server runs it")
                    .until(() -> executions("slow", "e.\"STATE\" || e.\"EXECUTOR_QUERY_ID\"").stream()
                            .anyMatch(running -> running.startsWith("EXECUTING") && !running.endsWith("/")));
            servers.one().process().destroyForcibly().waitFor();
        } finally {
            servers.other().signal("CONT");
        }
        Polling.await("its execution times out").until(() -> states("slow").equals(List.of("TIMED_OUT")));
        run(other, "ALTER SCHEDULED QUERY slow AS INSERT INTO k VALUES (1, 'x')", "ALTER SCHEDULED QUERY slow EXECUTE");
        awaitEnd("slow", 2);
        assertThat(states("slow")).containsExactlyInAnyOrder("TIMED_OUT", "FINISHED");
        assertThat(rows(other, "SELECT b FROM k")).containsExactly("x");
        servers.startOneAgain();
        assertThat(rows(servers.one().url(), "SELECT b FROM k")).containsExactly("x");
        run(other, "DROP SCHEDULED QUERY slow", "DROP TABLE k");
    }

    @Test
    void failuresAreRecorded() throws Exception {
        String one = servers.one().url();
        run(one, "CREATE SCHEDULED QUERY wrong " + FAR + " AS SELECT assert_true(1 > 2)");
        run(one, "ALTER SCHEDULED QUERY wrong EXECUTE");
        awaitEnd("wrong", 1);
        assertThat(states("wrong")).containsExactly("FAILED");
        assertThat(executions("wrong", "e.\"ERROR_MESSAGE\"").getFirst()).contains("ASSERT_TRUE");
        run(one, "DROP SCHEDULED QUERY wrong");
    }
}
