package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.itests.server.HeldCommits.Phase;
import io.skep.metastore.testing.TestingRelay;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds the commit of an INSERT at each of its phases by a trigger in the database. Then one of these events occurs:
 * the client cancels, closes or loses its connection; the server receives SIGTERM; the server is stopped for longer
 * than its lease; the other server changes the table's definition. Acknowledged rows are present exactly once. The rows
 * of other INSERTs are all present or all absent. No file or journal is left behind.
 */
@Timeout(300)
@EnabledIfSystemProperty(named = "skep.faults", matches = "all")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestHeldCommits {
    private static final int ROWS = 3;

    /** Starts a thread for each client, because clients wait for one another. */
    private static final Executor CLIENTS =
            client -> Thread.ofPlatform().daemon().start(client);

    private Path folder;
    private ServerPair servers;
    private HeldCommits commits;
    private int inserts;

    /** The ways in which a client abandons its statement. */
    enum Departure {
        CANCEL,
        CLOSE,
        CUT
    }

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        servers = new ServerPair(
                folder,
                Map.of(
                        "skep.commit.lease",
                        "5s",
                        // Ends the transaction of a stopped server, for which others wait.
                        "hikaricp.connectionInitSql",
                        "SET idle_in_transaction_session_timeout = 5000"));
        commits = new HeldCommits(servers.database());
        try (Connection connection = connect(servers.other());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE h (a INT) STORED AS ORC");
        }
    }

    @AfterAll
    void stop() throws Exception {
        commits.close();
        servers.close();
    }

    private Connection connect(ServerProcess server) throws SQLException {
        return servers.client().connect(server.url());
    }

    /** Returns an INSERT whose rows contain its own number. */
    private String insert() {
        inserts++;
        return "INSERT INTO h VALUES (" + inserts + ")" + (", (" + inserts + ")").repeat(ROWS - 1);
    }

    private static boolean isDone(Statement statement, String text) {
        try {
            statement.execute(text);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private CompletableFuture<Boolean> held(Phase phase, Statement statement) throws SQLException {
        return held(phase, statement, insert());
    }

    private CompletableFuture<Boolean> held(Phase phase, Statement statement, String text) throws SQLException {
        commits.hold(phase);
        CompletableFuture<Boolean> done = CompletableFuture.supplyAsync(() -> isDone(statement, text), CLIENTS);
        ServerProcess.await(() -> commits.isHeld() || done.isDone());
        assertThat(done).isNotDone();
        return done;
    }

    /**
     * Returns how many rows of an INSERT are present, after checking the count of the whole table by scan and by
     * statistics.
     */
    private int rows(ServerProcess server, int number) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            List<Integer> counts = new ArrayList<>();
            for (String query : List.of(
                    "SELECT sum(if(a = " + number + ", 1, 0)), count(a + 0) FROM h",
                    "SELECT count(*), count(*) FROM h")) {
                try (ResultSet result = statement.executeQuery(query)) {
                    assertThat(result.next()).isTrue();
                    counts.add(result.getInt(1));
                    counts.add(result.getInt(2));
                }
            }
            assertThat(counts.get(2)).as("rows counted").isEqualTo(counts.get(1));
            return counts.getFirst();
        }
    }

    private void assertNothingLeft() {
        ServerProcess.await(() -> !commits.isUnderWay() && leftovers().isEmpty());
    }

    /**
     * Returns hidden folders of the warehouse, and journals. The note of a failed write is excluded, because it stays
     * for some time: an attempt may still write into its folder.
     */
    private List<Path> leftovers() {
        List<Path> left = new ArrayList<>();
        for (String place : List.of("warehouse", "one/commits", "other/commits")) {
            Path root = folder.resolve(place);
            try (Stream<Path> found = Files.exists(root) ? Files.walk(root) : Stream.empty()) {
                found.filter(path -> !path.equals(root) && !path.toString().endsWith(".folder"))
                        .filter(path -> !place.equals("warehouse")
                                || path.getFileName().toString().startsWith(".skep"))
                        .forEach(left::add);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return left;
    }

    @ParameterizedTest
    @EnumSource
    void theClientGoes(Departure departure) throws Exception {
        for (Phase phase : Phase.values()) {
            String what = departure + " at " + phase;
            URI address = URI.create(servers.one().url().substring("jdbc:".length()));
            try (TestingRelay relay = new TestingRelay(address.getPort())) {
                String url = servers.one().url().replace(":" + address.getPort(), ":" + relay.port());
                Connection connection = servers.client().connect(url);
                Statement statement = connection.createStatement();
                CompletableFuture<Boolean> done = held(phase, statement);
                switch (departure) {
                    case CANCEL -> statement.cancel();
                    case CLOSE -> statement.close();
                    case CUT -> relay.cut();
                }
                commits.release();
                boolean isDone = done.get();
                if (phase != Phase.LEASE) {
                    // The commit had already begun.
                    assertThat(rows(servers.other(), inserts)).as(what).isEqualTo(ROWS);
                } else if (departure != Departure.CUT) {
                    assertThat(isDone).as(what).isFalse();
                    assertThat(rows(servers.other(), inserts)).as(what).isZero();
                }
                assertNothingLeft();
                assertThat(rows(servers.one(), inserts)).as(what).isIn(isDone ? List.of(ROWS) : List.of(0, ROWS));
            }
        }
    }

    /**
     * A definition that is cancelled before its first change ends at once. After its first change it ignores the
     * cancellation.
     */
    @ParameterizedTest
    @EnumSource
    void theClientCancelsADefinition(HeldPair definition) throws Exception {
        for (Phase phase : List.of(Phase.LEASE, Phase.CATALOG)) {
            Files.writeString(folder.resolve("rows"), "7\n");
            String what = definition + " at " + phase;
            try (Connection connection = connect(servers.one());
                    Statement statement = connection.createStatement();
                    Connection others = connect(servers.other());
                    Statement reader = others.createStatement()) {
                for (String text : definition.setup()) {
                    statement.execute(text);
                }
                CompletableFuture<Boolean> done = held(phase, statement, definition.change(folder));
                statement.cancel();
                if (phase == Phase.LEASE) {
                    assertThat(done.get()).as(what).isFalse();
                }
                commits.release();
                done.get();
                List<String> expected = phase == Phase.LEASE ? HeldPair.FIRST : definition.alone();
                awaitState(what, reader, expected);
                assertNothingLeft();
                try (Statement next = connection.createStatement()) {
                    awaitState(what, next, expected);
                    for (String table : HeldPair.TABLES) {
                        next.execute("DROP TABLE IF EXISTS " + table);
                    }
                }
                awaitState(what, reader, List.of());
            }
            assertNothingLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theServerIsToldToEnd(Phase phase) throws Exception {
        Connection connection = connect(servers.one());
        CompletableFuture<Boolean> done = held(phase, connection.createStatement());
        servers.one().process().destroy();
        // On shutdown the server deletes this file first.
        ServerProcess.await(() -> !Files.exists(folder.resolve("one/server.properties")));
        commits.release();
        boolean isDone = done.get();
        ServerProcess.awaitEnd(servers.one().process());
        int before = rows(servers.other(), inserts);
        servers.startOneAgain();
        assertThat(rows(servers.one(), inserts)).isEqualTo(before).isIn(isDone ? List.of(ROWS) : List.of(0, ROWS));
        assertNothingLeft();
    }

    /**
     * The other server considers the commit dead and writes to the table. When the stopped server continues, it changes
     * nothing.
     */
    @ParameterizedTest
    @EnumSource
    void theServerIsStoppedPastItsLease(Phase phase) throws Exception {
        try (Connection connection = connect(servers.one());
                Statement statement = connection.createStatement();
                Connection others = connect(servers.other());
                Statement beside = others.createStatement()) {
            CompletableFuture<Boolean> done = held(phase, statement);
            int stopped = inserts;
            servers.one().signal("STOP");
            commits.release();
            assertThat(isDone(beside, insert())).isTrue();
            int decided = rows(servers.other(), stopped);
            assertThat(decided).isIn(0, ROWS);
            servers.one().signal("CONT");
            boolean isDone = done.get();
            for (ServerProcess server : List.of(servers.one(), servers.other())) {
                int now = rows(server, stopped);
                // A commit that had not begun may have run after the other one.
                assertThat(now).isIn(decided, isDone ? ROWS : decided);
                assertThat(!isDone || now == ROWS).isTrue();
                assertThat(rows(server, inserts)).isEqualTo(ROWS);
            }
            assertNothingLeft();
        }
    }

    /**
     * One statement has its files in place and has not changed the catalog when the other statement starts on the other
     * server.
     */
    @ParameterizedTest
    @EnumSource
    void theOtherServerChangesTheDefinition(HeldPair pair) throws Exception {
        for (boolean isWriteFirst : List.of(true, false)) {
            Files.writeString(folder.resolve("rows"), "7\n");
            String what = pair + (isWriteFirst ? " after" : " before") + " the write";
            try (Connection connection = connect(servers.one());
                    Statement first = connection.createStatement();
                    Connection others = connect(servers.other());
                    Statement second = others.createStatement()) {
                for (String text : pair.setup()) {
                    first.execute(text);
                }
                awaitState(what, second, HeldPair.FIRST);
                String change = pair.change(folder);
                CompletableFuture<Boolean> before = held(Phase.CATALOG, first, isWriteFirst ? HeldPair.WRITE : change);
                String late = isWriteFirst ? change : HeldPair.WRITE;
                CompletableFuture<Boolean> after = CompletableFuture.supplyAsync(() -> isDone(second, late), CLIENTS);
                ServerProcess.await(() -> isRunning(servers.other(), late) || after.isDone());
                assertThat(after).as(what).isNotDone();
                commits.release();
                assertThat(before.get()).as(what).isTrue();
                boolean isDone = after.get();
                assertThat(isDone || !isWriteFirst).as(what).isTrue();
                List<String> expected = isWriteFirst ? pair.after() : isDone ? pair.before() : pair.alone();
                for (Statement reader : List.of(first, second)) {
                    awaitState(what, reader, expected);
                }
                for (String table : HeldPair.TABLES) {
                    first.execute("DROP TABLE IF EXISTS " + table);
                }
                awaitState(what, second, List.of());
            }
            assertNothingLeft();
        }
    }

    /** Waits until the state is the expected one: a server learns of the other's changes with a delay. */
    private static void awaitState(String what, Statement reader, List<String> expected) {
        // A table that is dropped between the listing and the read is an SQLException.
        Polling.await(what)
                .ignoreExceptionsInstanceOf(SQLException.class)
                .untilAsserted(() -> assertThat(HeldPair.state(reader)).isEqualTo(expected));
    }

    private static boolean isRunning(ServerProcess server, String text) {
        try (InputStream answer =
                URI.create(server.uiUrl() + "api/queries").toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8).contains(text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
