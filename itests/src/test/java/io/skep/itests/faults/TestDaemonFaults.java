package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.net.ServerSocket;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Daemons that are killed or stopped while they work: a query gives the right answer or one clear error, nothing of it is left
 * in those that live, and whoever comes back on its port is given work again.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDaemonFaults {
    private static final int QUEUE_FULL = 30004;

    private static final int FILES = 4;
    private static final int ROWS = 60_000;
    private static final int GROUPS = 600;

    /** Rows of one group meet all others of it, and each pair is looked at: seconds of work. */
    private static final String PAIRS = "FROM numbers x JOIN numbers y ON x.g = y.g WHERE x.a * y.a >= 0";

    private static final String COUNT = "SELECT count(*) " + PAIRS;
    private static final String GROUPED = "SELECT sum(n) FROM (SELECT x.a, count(*) n " + PAIRS + " GROUP BY x.a) t";
    private static final String MANY_ROWS = "SELECT x.a, y.a " + PAIRS;

    private static final int MOST_QUERIES = 50;

    private final List<StartedDaemon> daemons = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private Optional<ReleasedClient> client = Optional.empty();
    private Optional<ServerProcess> server = Optional.empty();
    private Path folder = Path.of("unknown");

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        folder = given;
        for (int number = 0; number < 2; number++) {
            try (ServerSocket free = new ServerSocket(0)) {
                ports.add(free.getLocalPort());
            }
            daemons.add(daemon(number));
        }
        server = Optional.of(ServerProcess.start(
                Files.createDirectories(folder.resolve("data")),
                Map.of(
                        "skep.llap.daemons",
                        daemons.get(0).endpoint() + "," + daemons.get(1).endpoint(),
                        "skep.llap.rpc.timeout",
                        "3s",
                        "skep.llap.wait-for-daemons",
                        "2s")));
        client = Optional.of(ReleasedClient.open());
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers (a BIGINT, g INT) STORED AS ORC");
            for (int file = 0; file < FILES; file++) {
                statement.execute("INSERT INTO numbers SELECT pos + " + ROWS + " * " + file + ", pos % " + GROUPS
                        + " FROM (SELECT posexplode(split(space(" + (ROWS - 1) + "), ' '))) t");
            }
        }
    }

    private StartedDaemon daemon(int number) throws IOException {
        return StartedDaemon.start(
                folder.resolve("daemon" + number),
                ports.get(number),
                Map.of("hive.llap.daemon.num.executors", "2", "skep.llap.rpc.timeout", "3s"));
    }

    private Connection connect() throws SQLException {
        return client.orElseThrow().connect(server.orElseThrow().url());
    }

    @AfterAll
    void stop() throws Exception {
        server.orElseThrow().process().destroy();
        assertThat(server.orElseThrow().process().waitFor()).isIn(0, 143);
        for (StartedDaemon daemon : daemons) {
            if (daemon.process().isAlive()) {
                daemon.process().destroy();
                assertThat(daemon.process().waitFor()).isIn(0, 143);
            }
        }
        client.orElseThrow().close();
    }

    /** Those that were killed come back on their ports. */
    @BeforeEach
    void repair() throws IOException {
        for (int number = 0; number < daemons.size(); number++) {
            if (!daemons.get(number).process().isAlive()) {
                daemons.set(number, daemon(number));
            }
        }
        awaitConnected(daemons.size());
    }

    private void awaitConnected(long count) {
        ServerProcess.await(() -> figure("Daemons", "connected") == count);
    }

    private long figure(String group, String name) {
        try {
            return StartedDaemon.figure(server.orElseThrow().uiUrl(), group, name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        for (StartedDaemon daemon : daemons) {
            if (daemon.process().isAlive()) {
                assertThat(daemon.leftovers()).isEmpty();
            }
        }
    }

    private static long pairs() {
        long members = (long) FILES * ROWS / GROUPS;
        return GROUPS * members * members;
    }

    private CompletableFuture<Long> ask(String sql, String scheduler) {
        return CompletableFuture.supplyAsync(() -> {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET skep.scheduler=" + scheduler);
                try (ResultSet rows = statement.executeQuery(sql)) {
                    assertThat(rows.next()).isTrue();
                    return rows.getLong(1);
                }
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    /** Asks until a query is seen at work on both daemons: one that has ended before is asked again. */
    private CompletableFuture<Long> askOfBoth(String sql, String scheduler) {
        for (int i = 0; i < MOST_QUERIES; i++) {
            CompletableFuture<Long> query = ask(sql, scheduler);
            ServerProcess.await(() -> query.isDone() || daemons.stream().allMatch(TestDaemonFaults::isAtWork));
            if (!query.isDone()) {
                return query;
            }
            assertThat(query.join()).isEqualTo(pairs());
        }
        throw new AssertionError("no query was seen at work on both daemons");
    }

    private static boolean isAtWork(StartedDaemon daemon) {
        try {
            return daemon.figure("Executors", "tasks") > 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void killedInAScan() throws Exception {
        CompletableFuture<Long> query = askOfBoth(COUNT, "direct");
        daemons.get(1).kill();
        assertThat(query.join()).isEqualTo(pairs());
    }

    @Test
    void killedInAShuffle() throws Exception {
        CompletableFuture<Long> query = askOfBoth(GROUPED, "auto");
        daemons.get(0).kill();
        assertThat(query.join()).isEqualTo(pairs());
    }

    @Test
    void killedInADag() throws Exception {
        CompletableFuture<Long> query = askOfBoth(GROUPED, "tez");
        daemons.get(1).kill();
        assertThat(query.join()).isEqualTo(pairs());
    }

    /** It does not answer, and no connection breaks; when it goes on, it ends what nobody waits for any more. */
    @Test
    void stoppedInAScan() throws Exception {
        CompletableFuture<Long> query = askOfBoth(COUNT, "direct");
        daemons.get(1).signal("STOP");
        assertThat(query.join()).isEqualTo(pairs());
        daemons.get(1).signal("CONT");
        awaitConnected(2);
    }

    /** Rows have gone out, so it cannot run again. */
    @Test
    void killedInAResult() throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(MANY_ROWS)) {
            assertThat(rows.next()).isTrue();
            daemons.get(1).kill();
            assertThatThrownBy(() -> readOn(rows)).isInstanceOfSatisfying(SQLException.class, e -> {
                // The driver keeps no code of what it meets while it fetches.
                assertThat(e.getMessage()).contains(daemons.get(1).endpoint());
            });
        }
    }

    private static void readOn(ResultSet rows) throws SQLException {
        while (rows.next()) {
            assertThat(rows.getLong(1)).isNotNegative();
        }
    }

    @Test
    void allAreGoneAndComeBack() throws Exception {
        for (StartedDaemon daemon : daemons) {
            daemon.kill();
        }
        awaitConnected(0);
        assertThatThrownBy(() -> ask("SELECT sum(a) FROM numbers", "direct").join())
                .cause()
                .isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(QUEUE_FULL);
                    assertThat(e.getMessage())
                            .contains(daemons.get(0).endpoint(), daemons.get(1).endpoint());
                });
        repair();
        long all = (long) FILES * ROWS;
        assertThat(ask("SELECT sum(a) FROM numbers", "direct").join()).isEqualTo(all * (all - 1) / 2);
    }
}
