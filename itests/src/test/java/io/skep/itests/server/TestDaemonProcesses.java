package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.nio.file.Files;
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

/**
 * A server with two daemons in their own processes. Queries run on both, directly and through Tez, and exchange rows
 * between them.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDaemonProcesses {
    /** With this number of files both daemons are home to some, except in one of 20,000 tables. */
    private static final int FILES = 16;
    /** With this number of rows the query has more than one task. */
    private static final int ROWS = 400_000;

    private final List<StartedDaemon> daemons = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private String url = "";

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        for (String name : List.of("one", "two")) {
            StartedDaemon daemon =
                    StartedDaemon.start(folder.resolve(name), Map.of("hive.llap.daemon.num.executors", "2"));
            daemons.add(daemon);
            processes.add(daemon.process());
        }
        ServerProcess server = ServerProcess.start(
                Files.createDirectories(folder.resolve("data")),
                Map.of(
                        "skep.llap.daemons",
                        daemons.get(0).endpoint() + "," + daemons.get(1).endpoint()));
        processes.add(server.process());
        url = server.url();
    }

    @AfterAll
    void stop() throws InterruptedException {
        for (Process process : processes.reversed()) {
            process.destroy();
            assertThat(process.waitFor()).isIn(0, 143);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    @Test
    void bothWorkOnAQuery() throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers (a BIGINT, b STRING) PARTITIONED BY (part INT) STORED AS ORC");
            statement.execute("INSERT INTO numbers PARTITION (part) SELECT pos, concat('b', pos % 7), pos % " + FILES
                    + " FROM (SELECT posexplode(split(space(" + (ROWS - 1) + "), ' '))) t");
            for (String scheduler : List.of("direct", "tez")) {
                statement.execute("SET skep.scheduler=" + scheduler);
                assertThat(number(statement, "SELECT sum(a) FROM numbers WHERE b = 'b3'"))
                        .as(scheduler)
                        .isEqualTo(number(statement, "SELECT sum(a) FROM numbers WHERE a % 7 = 3"));
                assertThat(number(
                                statement,
                                "SELECT count(*) FROM (SELECT DISTINCT a FROM numbers) x JOIN numbers y ON x.a = y.a"))
                        .as(scheduler)
                        .isEqualTo((long) ROWS);
            }
            statement.execute("DROP TABLE numbers");
        }
        for (StartedDaemon daemon : daemons) {
            assertThat(daemon.metric("Cache", "chunks")).isPositive();
            assertThat(daemon.leftovers()).isEmpty();
        }
    }
}
