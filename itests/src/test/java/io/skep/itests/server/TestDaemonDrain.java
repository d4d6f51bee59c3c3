package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drains daemons while a query runs on them. The query continues, and other queries run elsewhere. */
@Timeout(600)
final class TestDaemonDrain {
    private static final int FILES = 2;
    private static final int ROWS = 100_000;

    /** Returns more rows than fit into the buffers for the client. */
    private static final String MANY_ROWS = "SELECT x.a, y.n FROM numbers x JOIN few y WHERE x.a >= 0";

    private static final int FEW = 5;

    private final List<StartedDaemon> daemons = new ArrayList<>();
    private Optional<ServerProcess> server = Optional.empty();
    private Path folder = Path.of("unknown");

    @BeforeEach
    void start(@TempDir Path given) {
        folder = given;
    }

    private void start(String drainTimeout) throws IOException {
        for (String name : List.of("one", "two")) {
            daemons.add(StartedDaemon.start(
                    folder.resolve(name),
                    Map.of("hive.llap.daemon.num.executors", "2", "skep.llap.drain-timeout", drainTimeout)));
        }
        server = Optional.of(ServerProcess.start(
                Files.createDirectories(folder.resolve("data")),
                Map.of(
                        "skep.llap.daemons",
                        daemons.get(0).endpoint() + "," + daemons.get(1).endpoint())));
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (server.isPresent()) {
            server.get().process().destroy();
            assertThat(server.get().process().waitFor()).isIn(0, 143);
        }
        for (StartedDaemon daemon : daemons) {
            daemon.process().destroy();
            assertThat(daemon.process().waitFor()).isIn(0, 143);
        }
    }

    private long connected() {
        try {
            return StartedDaemon.metric(server.orElseThrow().uiUrl(), "Daemons", "connected");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a daemon that runs a part of the query. */
    private StartedDaemon busyDaemon() throws IOException {
        for (StartedDaemon daemon : daemons) {
            if (daemon.metric("Connections", "queries") > 0) {
                return daemon;
            }
        }
        throw new AssertionError("no daemon has the query");
    }

    private static void makeTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers (a BIGINT) STORED AS ORC");
            statement.execute("CREATE TABLE few (n BIGINT) STORED AS ORC");
            statement.execute(
                    "INSERT INTO few SELECT pos FROM (SELECT posexplode(split(space(" + (FEW - 1) + "), ' '))) t");
            for (int file = 0; file < FILES; file++) {
                statement.execute("INSERT INTO numbers SELECT pos + " + ROWS + " * " + file
                        + " FROM (SELECT posexplode(split(space(" + (ROWS - 1) + "), ' '))) t");
            }
        }
    }

    /** One row of the result has been read. The query cannot run again, so it must continue where it runs. */
    @Test
    void whatRunsGoesOnAndTheRestGoesElsewhere() throws Exception {
        start("10min");
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.orElseThrow().url());
                Connection other = client.connect(server.orElseThrow().url())) {
            makeTables(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(MANY_ROWS)) {
                assertThat(rows.next()).isTrue();
                StartedDaemon leaving = busyDaemon();
                leaving.process().destroy();
                ServerProcess.await(() -> connected() == 1);
                assertThat(sum(other)).isEqualTo((long) FILES * ROWS * (FILES * ROWS - 1) / 2);
                assertThat(leaving.process().isAlive()).isTrue();
                assertThat(leaving.metric("Connections", "queries")).isEqualTo(1);
                long count = 1;
                while (rows.next()) {
                    count++;
                }
                assertThat(count).isEqualTo((long) FILES * ROWS * FEW);
            }
            ServerProcess.await(() -> daemons.stream()
                            .filter(daemon -> daemon.process().isAlive())
                            .count()
                    == 1);
            assertThat(sum(other)).isEqualTo((long) FILES * ROWS * (FILES * ROWS - 1) / 2);
        }
    }

    private static long sum(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT sum(a + length('')) FROM numbers")) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    private static void readOn(ResultSet rows) throws SQLException {
        while (rows.next()) {
            assertThat(rows.getLong(1)).isNotNegative();
        }
    }

    /** A client that does not fetch cannot keep a daemon running forever. */
    @Test
    void aQueryThatDoesNotEndIsNotWaitedForLonger() throws Exception {
        start("1s");
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.orElseThrow().url())) {
            makeTables(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(MANY_ROWS)) {
                assertThat(rows.next()).isTrue();
                // One of the daemons may have run only a part that is already finished.
                daemons.forEach(daemon -> daemon.process().destroy());
                for (StartedDaemon daemon : daemons) {
                    assertThat(daemon.process().waitFor()).isIn(0, 143);
                }
                assertThatThrownBy(() -> readOn(rows))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getMessage())
                                        .containsAnyOf(
                                                daemons.getFirst().endpoint(),
                                                daemons.getLast().endpoint()));
            }
        }
    }
}
