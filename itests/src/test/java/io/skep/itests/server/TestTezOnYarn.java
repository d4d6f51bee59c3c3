package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.yarn.YarnProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries whose Tez application masters run in containers of a real YARN, with tasks in daemons. All of them are
 * processes.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTezOnYarn {
    /** A query with some seconds of work, for which Tez runs a task in a daemon. */
    private static final String LONG =
            "SELECT count(*) FROM numbers x CROSS JOIN numbers y WHERE (x.a + y.a) % 1000003 = 5";

    /** The answer of the query: 0 and 5, 1 and 4, and so on. */
    private static final long LONG_ANSWER = 6;

    private final Path folder;
    private final YarnProcess yarn;
    private final List<StartedDaemon> daemons = new ArrayList<>();
    private final List<ServerProcess> servers = new ArrayList<>();
    private final Map<String, String> site;

    TestTezOnYarn(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.yarn = YarnProcess.start(Files.createDirectories(folder.resolve("cluster")), 1);
        Map<String, String> cluster = yarn.settings();
        for (String name : List.of("one", "two")) {
            daemons.add(StartedDaemon.start(folder.resolve(name), cluster));
        }
        this.site = new TreeMap<>(cluster);
        site.put(
                "skep.llap.daemons",
                daemons.get(0).endpoint() + "," + daemons.get(1).endpoint());
        site.put("skep.scheduler", "tez");
        site.put("tez.local.mode", "false");
        site.put("tez.am.resource.memory.mb", "512");
        site.put("tez.am.client.heartbeat.timeout.secs", "10");
    }

    private ServerProcess server(String data) throws IOException {
        ServerProcess server = ServerProcess.start(folder.resolve(data), site);
        servers.add(server);
        return server;
    }

    @AfterAll
    void stop() throws InterruptedException {
        for (ServerProcess server : servers) {
            server.process().destroyForcibly().waitFor();
        }
        for (StartedDaemon daemon : daemons) {
            daemon.kill();
        }
        yarn.close();
    }

    @Test
    @EnabledIfSystemProperty(named = "skep.yarn", matches = "all", disabledReason = "-Dskep.yarn=all")
    void queriesSurviveTheirMastersWhichEndWithTheServer() throws Exception {
        ServerProcess server = server("data");
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers STORED AS ORC AS SELECT pos AS a, pos % 7 AS b"
                    + " FROM (SELECT posexplode(split(space(19999), ' '))) t");
            assertThat(answer(statement, "SELECT sum(a) FROM numbers WHERE b = 3"))
                    .isEqualTo(28_567_143);
            assertThat(answer(statement, "SELECT count(*) FROM numbers x JOIN numbers y ON x.a = y.b"))
                    .isEqualTo(20_000);
            assertThat(masters()).hasSize(1);
            assertThatThrownBy(() -> answer(statement, "SELECT assert_true(a < 5) IS NULL FROM numbers ORDER BY 1"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("ASSERT_TRUE");

            queriesRunAgain(client, server);
            writesRunAgainOnce(client, server, statement);

            statement.execute("SET tez.queue.name=nowhere");
            assertThatThrownBy(() -> answer(statement, "SELECT sum(a) FROM numbers"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("queues are default");
            statement.execute("SET tez.queue.name=default");
            assertThat(answer(statement, "SELECT sum(a) FROM numbers")).isEqualTo(199_990_000);
        }
        for (StartedDaemon daemon : daemons) {
            assertThat(daemon.leftovers()).isEmpty();
        }
        assertThat(masters()).isNotEmpty();
        server.process().destroy();
        assertThat(server.process().waitFor()).isEqualTo(143);
        ServerProcess.await(() -> masters().isEmpty());
        assertThat(yarn.runningApplications()).isEmpty();
    }

    /** Kills the application master while tasks run. */
    private void queriesRunAgain(ReleasedClient client, ServerProcess server) throws Exception {
        CompletableFuture<Long> answer = CompletableFuture.supplyAsync(() -> answerOf(client, server, LONG));
        ServerProcess.await(() -> tasks() > 0 || answer.isDone());
        masters().forEach(ProcessHandle::destroyForcibly);
        assertThat(answer.join()).isEqualTo(LONG_ANSWER);
        for (StartedDaemon daemon : daemons) {
            assertThat(daemon.leftovers()).isEmpty();
        }
    }

    private void writesRunAgainOnce(ReleasedClient client, ServerProcess server, Statement statement) throws Exception {
        statement.execute("CREATE TABLE counts (a BIGINT) STORED AS ORC");
        CompletableFuture<Long> insert =
                CompletableFuture.supplyAsync(() -> answerOf(client, server, "INSERT INTO counts " + LONG));
        ServerProcess.await(() -> tasks() > 0 || insert.isDone());
        masters().forEach(ProcessHandle::destroyForcibly);
        insert.join();
        assertThat(answer(statement, "SELECT count(*) FROM counts")).isEqualTo(1);
        assertThat(answer(statement, "SELECT sum(a) FROM counts")).isEqualTo(LONG_ANSWER);
    }

    /** The master keeps its connections and does not answer. YARN would detect this after ten minutes. */
    @Test
    @EnabledIfSystemProperty(named = "skep.yarn", matches = "all", disabledReason = "-Dskep.yarn=all")
    void aMasterThatHangsIsGivenUp() throws Exception {
        Map<String, String> impatient = new TreeMap<>(site);
        impatient.put("skep.tez.master-timeout", "5s");
        ServerProcess server = ServerProcess.start(folder.resolve("hung"), impatient);
        servers.add(server);
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers STORED AS ORC AS SELECT pos AS a FROM"
                    + " (SELECT posexplode(split(space(19999), ' '))) t");
            CompletableFuture<Long> answer = CompletableFuture.supplyAsync(() -> answerOf(client, server, LONG));
            ServerProcess.await(() -> tasks() > 0 || answer.isDone());
            assertThat(answer).isNotDone();
            List<ProcessHandle> hung = masters();
            for (ProcessHandle master : hung) {
                ServerProcess.signal(master, "STOP");
            }
            assertThat(answer.join()).isEqualTo(LONG_ANSWER);
            ServerProcess.await(() -> hung.stream().noneMatch(ProcessHandle::isAlive));
        }
        for (StartedDaemon daemon : daemons) {
            assertThat(daemon.leftovers()).isEmpty();
        }
        server.process().destroy();
        assertThat(server.process().waitFor()).isEqualTo(143);
        ServerProcess.await(() -> masters().isEmpty());
    }

    @Test
    void mastersOfAKilledServerEndByThemselves() throws Exception {
        ServerProcess server = server("killed");
        ServerProcess.await(() -> !masters().isEmpty());
        List<ProcessHandle> left = masters();
        server.process().destroyForcibly().waitFor();
        ServerProcess.await(() -> left.stream().noneMatch(ProcessHandle::isAlive));
        ServerProcess.await(() -> yarn.runningApplications().isEmpty());
    }

    @Test
    void mastersOnYarnNeedDaemonsThatTheyReach() throws IOException {
        Map<String, String> alone = new TreeMap<>(site);
        alone.remove("skep.llap.daemons");
        assertThatThrownBy(() -> ServerProcess.start(folder.resolve("alone"), alone))
                .isInstanceOf(IOException.class);
        assertThat(Files.readString(folder.resolve("alone.log")))
                .contains("tez.local.mode=false, but the server's daemon is in its own process");
    }

    private long tasks() {
        try {
            long tasks = 0;
            for (StartedDaemon daemon : daemons) {
                tasks += daemon.metric("Executors", "tasks");
            }
            return tasks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long answerOf(ReleasedClient client, ServerProcess server, String sql) {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            if (sql.startsWith("INSERT")) {
                statement.execute(sql);
                return 0;
            }
            return answer(statement, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static long answer(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    private List<ProcessHandle> masters() {
        return yarn.processes("org.apache.tez.dag.app.DAGAppMaster");
    }
}
