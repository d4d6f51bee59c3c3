package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.hdfs.HadoopProgram;
import io.skep.itests.yarn.YarnProcess;
import io.skep.tez.session.TezConfig;
import io.skep.tez.session.TezYarnState;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries whose tasks run in containers of a real YARN and exchange rows through the shuffle service of its node, on a
 * site without daemons.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestTezContainers {
    private static final String TASK = "org.apache.tez.runtime.task.TezChild";

    /** A query with some seconds of work in several tasks. */
    private static final String LONG =
            "SELECT count(*) FROM numbers x CROSS JOIN numbers y" + " WHERE y.a < 200 AND (x.a + y.a) % 1000003 = 5";

    private static final int ROWS = 750_000;

    private final Path folder;
    private final ContainerCluster cluster;
    private final YarnProcess yarn;
    private final Map<String, String> site;

    TestTezContainers(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.cluster = ContainerCluster.start(folder.resolve("cluster"));
        this.yarn = cluster.yarn();
        this.site = cluster.site();
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Test
    void queriesRunInContainersAndSurviveTheirDeath() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder.resolve("data"), site);
                ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            load(statement);
            statement.execute("SET hive.execution.mode=container");
            // Gives the exchange several consuming tasks.
            statement.execute("SET hive.exec.reducers.bytes.per.reducer=200000");
            readsAreRight(statement);
            writesAreRight(statement);
            failuresAreTold(statement);
            if (System.getProperty("skep.containers", "").equals("all")) {
                // These tests start new containers, which takes more than a minute.
                tasksOfKilledContainersRunAgain(client, server, statement);
                lostOutputsAreMadeAgain(statement);
            }
            cancelledQueriesEnd(client, server, statement);
            settingsThatDoNotFitAreSeen();
            containersThatDoNotStartAreTold(statement);
            ServerProcess.await(() -> cluster.queryFiles().isEmpty());
        }
        ServerProcess.await(() -> yarn.runningApplications().isEmpty());
        ServerProcess.await(() -> yarn.processes(TASK).isEmpty());
    }

    /** Loads the tables on the server's own daemon, which is faster. */
    private static void load(Statement statement) throws SQLException {
        statement.execute("SET hive.execution.mode=llap");
        statement.execute("CREATE TABLE numbers (a INT, b INT) STORED AS ORC");
        for (int file = 0; file < 3; file++) {
            statement.execute("INSERT INTO numbers SELECT pos + 250000 * " + file + ", pos % 7"
                    + " FROM (SELECT posexplode(split(space(249999), ' '))) t");
        }
        statement.execute("SET hive.exec.dynamic.partition.mode=nonstrict");
        statement.execute("CREATE TABLE parts (a INT) PARTITIONED BY (p INT) STORED AS ORC");
        statement.execute("INSERT INTO parts PARTITION (p) SELECT a, b FROM numbers");
    }

    private void readsAreRight(Statement statement) throws SQLException {
        assertThat(answer(statement, "SELECT sum(a) FROM numbers WHERE b = 3")).isEqualTo(40_178_089_287L);
        assertThat(answer(statement, "SELECT count(*) FROM (SELECT a, count(*) FROM numbers GROUP BY a) t"))
                .isEqualTo(ROWS);
        assertThat(answer(statement, "SELECT sum(y.b) FROM numbers x JOIN numbers y ON x.a = y.a + 1"))
                .isEqualTo(2_249_984);
        assertThat(cluster.outputs()).isNotEmpty();
        // The query has one task. When it runs, the outputs of the previous query are deleted.
        assertThat(answer(statement, "SELECT b FROM numbers WHERE a = 17")).isEqualTo(3);
        assertThat(cluster.outputs()).isEmpty();
        List<Long> sorted = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SELECT a FROM numbers WHERE a % 50 = 0 ORDER BY a DESC")) {
            while (rows.next()) {
                sorted.add(rows.getLong(1));
            }
        }
        assertThat(sorted).hasSize(ROWS / 50).isSortedAccordingTo(Comparator.reverseOrder());
    }

    private static void writesAreRight(Statement statement) throws SQLException {
        statement.execute("CREATE TABLE sums (b INT, s BIGINT) STORED AS ORC");
        statement.execute("INSERT INTO sums SELECT b, count(*) FROM numbers GROUP BY b");
        statement.execute("INSERT INTO sums VALUES (7, 1)");
        assertThat(answer(statement, "SELECT sum(s) FROM sums")).isEqualTo(ROWS + 1);
        // Two of seven partitions have a row on the other side. The others are pruned once that is known.
        assertThat(answer(statement, "SELECT count(*) FROM parts x JOIN sums y ON x.p = y.b WHERE y.s = 107145"))
                .isEqualTo(2 * 107_145);
        statement.execute("INSERT OVERWRITE TABLE sums SELECT a % 10, count(*) FROM numbers GROUP BY a % 10");
        assertThat(answer(statement, "SELECT sum(s) FROM sums WHERE b < 9")).isEqualTo(ROWS / 10 * 9);
    }

    private static void failuresAreTold(Statement statement) throws SQLException {
        assertThatThrownBy(() -> answer(statement, "SELECT assert_true(a < 5) IS NULL FROM numbers ORDER BY 1"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("ASSERT_TRUE");
        statement.execute("SET hive.execution.mode=llap");
        statement.execute("SET skep.scheduler=tez");
        assertThatThrownBy(() -> answer(statement, "SELECT sum(a) FROM numbers"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("there is no LLAP daemon that Tez reaches");
        statement.execute("SET skep.tez.containers-when-full=true");
        assertThat(answer(statement, "SELECT sum(s) FROM sums WHERE b < 9")).isEqualTo(ROWS / 10 * 9);
        statement.execute("SET hive.execution.mode=container");
        assertThatThrownBy(() -> statement.execute("SET hive.llap.execution.mode=map"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("hive.llap.execution.mode");
    }

    private void tasksOfKilledContainersRunAgain(ReleasedClient client, ServerProcess server, Statement statement)
            throws SQLException {
        long expected = answer(statement, LONG);
        long before = cluster.startedAttempts();
        CompletableFuture<Long> answer = CompletableFuture.supplyAsync(() -> answerOf(client, server, LONG));
        ServerProcess.await(() -> cluster.startedAttempts() > before || answer.isDone());
        yarn.processes(TASK).forEach(ProcessHandle::destroyForcibly);
        assertThat(answer.join()).isEqualTo(expected);
    }

    /** One side of the join has its rows ready long before the other, and some of its outputs are deleted. */
    private void lostOutputsAreMadeAgain(Statement statement) throws SQLException {
        String query = "SELECT count(*) FROM numbers p JOIN (SELECT (x.a + y.a) % 1000003 AS k, count(*) AS c"
                + " FROM numbers x CROSS JOIN numbers y WHERE y.a < 200 GROUP BY (x.a + y.a) % 1000003) q ON p.a = q.k";
        Set<Path> before = cluster.outputs();
        CompletableFuture<Long> answer = CompletableFuture.supplyAsync(() -> answerOf(statement, query));
        ServerProcess.await(() -> !before.containsAll(cluster.outputs()) || answer.isDone());
        cluster.outputs().stream()
                .filter(output -> !before.contains(output))
                .findFirst()
                .ifPresent(output -> assertThat(output.toFile().delete()).isTrue());
        assertThat(answer.join()).isEqualTo(ROWS);
    }

    private void cancelledQueriesEnd(ReleasedClient client, ServerProcess server, Statement statement)
            throws SQLException {
        long before = cluster.startedAttempts();
        try (Connection connection = client.connect(server.url());
                Statement cancelled = connection.createStatement()) {
            CompletableFuture<Long> answer = CompletableFuture.supplyAsync(() -> answerOf(cancelled, LONG));
            ServerProcess.await(() -> cluster.startedAttempts() > before || answer.isDone());
            cancelled.cancel();
            assertThatThrownBy(answer::join).hasMessageContaining("cancel");
        }
        assertThat(answer(statement, "SELECT count(*) FROM numbers WHERE b < 9"))
                .isEqualTo(ROWS);
    }

    /** Checks the settings as the doctor reports them. */
    private void settingsThatDoNotFitAreSeen() throws InterruptedException {
        TezYarnState healthy = look(Map.of());
        assertThat(healthy.refusals()).isEmpty();
        assertThat(healthy.shuffle().orElseThrow())
                .isEqualTo(new TezYarnState.Shuffle("mapreduce_shuffle", 1, List.of(), List.of()));
        assertThat(look(Map.of("tez.am.shuffle.auxiliary-service.id", "tez_shuffle"))
                        .shuffle()
                        .orElseThrow()
                        .without())
                .hasSize(1);
        assertThat(look(Map.of("hive.execution.mode", "llap")).shuffle()).isEmpty();
        TezYarnState sick = look(Map.of(
                "hive.server2.tez.default.queues", "default,closed,nowhere",
                "tez.am.resource.memory.mb", "100000",
                "hive.tez.cpu.vcores", "1000"));
        assertThat(sick.refusals()).allMatch(error -> error.code() == StandardErrorCode.INVALID_CONFIGURATION);
        assertThat(sick.refusals())
                .extracting(SkepException::fullMessage)
                .satisfiesExactly(
                        closed -> assertThat(closed).contains("closed", "STOPPED"),
                        nowhere -> assertThat(nowhere).contains("nowhere", "queues are", "default"),
                        master -> assertThat(master).contains("tez.am.resource.memory.mb", "100000 mb"),
                        task -> assertThat(task).contains("hive.tez.cpu.vcores", "1000 cores"));
        assertThat(look(Map.of("hive.tez.container.size", "3700")).refusals())
                .singleElement()
                .satisfies(room -> assertThat(room.fullMessage()).contains("3700 mb", "512 mb", "4096 mb"));
    }

    private List<String> nodesWithoutService() {
        try {
            return look(Map.of()).shuffle().orElseThrow().without();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private TezYarnState look(Map<String, String> besides) throws InterruptedException {
        Map<String, String> settings = new TreeMap<>(site);
        settings.putAll(besides);
        return TezYarnState.check(settings, TezConfig.of(new SettingsReader(settings)));
    }

    /**
     * Some containers are larger than any node. Others fit only on a node without the shuffle service, because a master
     * occupies the other node.
     */
    private void containersThatDoNotStartAreTold(Statement statement) throws Exception {
        String query = "SELECT count(*) FROM numbers WHERE b < 5";
        for (String size : List.of("100000", "3700")) {
            statement.execute("SET hive.tez.container.size=" + size);
            assertThatThrownBy(() -> answer(statement, query))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("hive.tez.container.size");
        }
        try (HadoopProgram bare = yarn.startNodeManager("bare")) {
            ServerProcess.await(() -> nodesWithoutService().equals(List.of(bare.ready())));
            assertThatThrownBy(() -> answer(statement, query))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("mapreduce_shuffle")
                    .hasMessageContaining("yarn.nodemanager.aux-services");
        }
    }

    private static long answerOf(ReleasedClient client, ServerProcess server, String sql) {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            return answerOf(statement, sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static long answerOf(Statement statement, String sql) {
        try {
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
}
