package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.llap.server.executor.ExecutorStats;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions that do not return block only their own queries, and those only until they are cancelled. */
@ExtendWith(SharedServer.class)
@Timeout(120)
final class TestStubbornFunctions {
    private static final String CREATE =
            "CREATE TEMPORARY FUNCTION stubborn AS '" + StubbornFunction.class.getName() + "'";

    private static final int ROWS = 50_000;

    private final ReleasedClient client = ReleasedClient.open();
    private final TestServer server;
    private final Connection bystander;
    private final List<Stuck> stuck = new ArrayList<>();

    TestStubbornFunctions(TestServer server) throws Exception {
        this.server = server;
        this.bystander = client.connect(server.jdbcUrl());
    }

    @BeforeEach
    void table() throws SQLException {
        StubbornFunction.hold();
        execute(bystander, "CREATE DATABASE stubborn", "CREATE TABLE stubborn.t STORED AS ORC AS SELECT 1 AS a");
    }

    private void manyRows() throws SQLException {
        execute(
                bystander,
                "CREATE TABLE stubborn.many STORED AS ORC AS SELECT i AS a FROM (SELECT posexplode(split(space("
                        + (ROWS - 1) + "), ' ')) AS (i, nothing)) r");
    }

    @AfterEach
    void close() throws Exception {
        StubbornFunction.release();
        for (Stuck one : stuck) {
            one.close();
        }
        execute(bystander, "DROP DATABASE stubborn CASCADE");
        bystander.close();
        client.close();
        server.assertNothingLeft();
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Runs work on a new thread, because the common pool may have only one thread. */
    private static void onItsOwn(Runnable work) {
        Thread.ofPlatform().daemon().start(work);
    }

    private ExecutorStats executors() {
        return server.server().snapshot().executors();
    }

    /** A session whose statement is inside the function. */
    private final class Stuck implements AutoCloseable {
        private final Connection connection;
        private final Statement statement;
        private final CompletableFuture<String> outcome;

        private Stuck(String scheduler, String sql) throws Exception {
            connection = client.connect(server.jdbcUrl());
            execute(connection, CREATE, "SET skep.scheduler=" + scheduler);
            statement = connection.createStatement();
            int before = StubbornFunction.inside();
            outcome = CompletableFuture.supplyAsync(() -> outcome(sql), TestStubbornFunctions::onItsOwn);
            server.awaitThat("the function runs", () -> StubbornFunction.inside() > before);
        }

        private String outcome(String sql) {
            try (ResultSet rows = statement.executeQuery(sql)) {
                return "rows: " + rows.next();
            } catch (SQLException e) {
                return String.valueOf(e.getMessage());
            }
        }

        @Override
        public void close() throws SQLException {
            statement.close();
            connection.close();
        }
    }

    private void bystanderIsServed() throws SQLException {
        try (Statement statement = bystander.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) + sum(a) FROM stubborn.t GROUP BY a")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"direct,stubborn(a)", "direct,'stubborn(a,a)'", "tez,stubborn(a)", "tez,'stubborn(a,a)'"})
    void asManyAsThereAreExecutors(String scheduler, String call) throws Exception {
        int executors = Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < executors; i++) {
            stuck.add(new Stuck(scheduler, "SELECT " + call + " FROM stubborn.t"));
            bystanderIsServed();
        }
        for (Stuck one : stuck) {
            one.statement.cancel();
            bystanderIsServed();
            assertThat(one.outcome.get()).contains("cancel");
        }
        // Queries whose functions ignore interrupts also end, without waiting for the threads inside them.
        server.awaitThat(
                "the queries have ended", () -> server.server().snapshot().queries() == 0);
        server.awaitThat(
                "their memory is back", () -> server.server().snapshot().reservedBytes() == 0);
        bystanderIsServed();
        StubbornFunction.release();
        server.awaitThat(
                "all threads are back",
                () -> executors().detached() == 0 && executors().writtenOff() == 0);
        bystanderIsServed();
    }

    /** Each case runs twice, because a thread that has returned may get stuck in a function again. */
    @ParameterizedTest
    @CsvSource({"direct", "tez", "direct", "tez"})
    void insideOfAnAggregation(String scheduler) throws Exception {
        manyRows();
        Stuck one = new Stuck(
                scheduler,
                "SELECT a, max(if(a = 40000, stubborn(a, a), a)) FROM stubborn.many GROUP BY a"
                        + " ORDER BY 2 DESC LIMIT 5");
        stuck.add(one);
        one.statement.cancel();
        assertThat(one.outcome.get()).contains("cancel");
        server.awaitThat("the query has ended", () -> server.server().snapshot().queries() == 0);
        server.awaitThat(
                "its memory is the thread's",
                () -> server.server().snapshot().reservedBytes() == 0
                        && server.server().snapshot().lostBytes() > 0);
        assertThat(StubbornFunction.inside()).isEqualTo(1);
        bystanderIsServed();
        StubbornFunction.release();
        server.awaitThat(
                "thread and memory are back",
                () -> executors().detached() == 0
                        && StubbornFunction.inside() == 0
                        && server.server().snapshot().lostBytes() == 0);
    }
}
