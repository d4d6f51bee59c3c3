package io.skep.itests.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.yarn.Numbers.LongResult;
import io.skep.llap.server.yarn.ContainerMain;
import io.skep.llap.server.yarn.YarnState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Daemons on a real YARN with two node managers and a real HDFS. Tests how they are started, lost, changed and stopped.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestLlapOnYarn {
    /** Daemons that only listen do not connect to ZooKeeper. */
    private static final Map<String, String> SITE =
            Map.of("hive.zookeeper.quorum", "127.0.0.1:1", "skep.llap.bind-host", "127.0.0.1");
    /** The name under which the doctor searches for daemons, and a container size that exceeds YARN's nodes. */
    private static final Map<String, String> EXAMINED =
            Map.of("hive.llap.daemon.service.hosts", "@fleet", "hive.llap.daemon.yarn.container.mb", "1000000");

    private final YarnProcess yarn;

    TestLlapOnYarn(@TempDir Path folder) throws IOException {
        this.yarn = YarnProcess.start(folder, 2);
    }

    @AfterAll
    void stop() {
        yarn.close();
    }

    @Test
    void asManyDaemonsRunAsAreWanted() throws IOException {
        Map<String, String> site = new HashMap<>(SITE);
        site.putAll(EXAMINED);
        LlapShell llap = new LlapShell(yarn, "fleet", ListeningDaemon.class.getName(), site);
        llap.run("start", "--instances", "2", "--memory", "800mb", "--cores", "1");
        List<RunningDaemon> first = llap.daemons();
        assertThat(first).hasSize(2).allMatch(RunningDaemon::isAlive);
        assertThat(first).extracting(RunningDaemon::node).doesNotHaveDuplicates();
        YarnState state = llap.state();
        assertThat(List.of(state.nodes(), state.badNodes(), state.wanted(), state.ready()))
                .containsExactly(2, 0, 2, 2);
        assertThat(state.application().orElseThrow()).startsWith("application_");
        assertThat(state.refusals())
                .extracting(SkepException::code)
                .containsExactly(StandardErrorCode.INVALID_CONFIGURATION);

        // A killed daemon is replaced by another one.
        first.get(0).kill();
        llap.awaitDaemons("one is replaced", now -> now.size() == 2 && !now.contains(first.get(0)));
        List<RunningDaemon> healed = llap.daemons();
        assertThat(healed).contains(first.get(1)).allMatch(RunningDaemon::isAlive);
        assertThat(llap.status()).anyMatch(line -> line.contains("exit code 137"));

        // When the master is killed, the daemons stay. The next master carries out the requests.
        llap.killMaster();
        llap.run("resize", "--instances", "1");
        List<RunningDaemon> fewer = llap.daemons();
        assertThat(fewer).hasSize(1);
        assertThat(healed).containsAll(fewer);
        llap.run("resize", "--instances", "2");
        List<RunningDaemon> more = llap.daemons();
        assertThat(more).hasSize(2).containsAll(fewer);

        llap.run("restart", "--rolling", "--memory", "700mb", "--cores", "1");
        List<RunningDaemon> restarted = llap.daemons();
        assertThat(restarted).hasSize(2).doesNotContainAnyElementsOf(more);
        assertThat(restarted).extracting(RunningDaemon::generation).containsOnly(2L);
        assertThat(more).noneMatch(RunningDaemon::isAlive);
        assertThat(llap.status()).anyMatch(line -> line.contains("container 700 mb"));

        llap.run("stop");
        llap.awaitThat("all have ended", () -> restarted.stream().noneMatch(RunningDaemon::isAlive));
        llap.awaitThat("the master has ended", () -> llap.masters().isEmpty());
        assertThat(llap.folderExists()).isFalse();
        assertThat(llap.run("stop")).containsExactly("LLAP fleet does not run");
    }

    /**
     * Uses real daemons that are found through ZooKeeper. No query is affected when they are killed, restarted or hang.
     */
    @Test
    @EnabledIfSystemProperty(named = "skep.yarn", matches = "all", disabledReason = "-Dskep.yarn=all")
    void queriesGoOnWhileDaemonsAreReplaced(@TempDir Path folder) throws Exception {
        try (TestingServer zooKeeper =
                new TestingServer(-1, folder.resolve("zookeeper").toFile())) {
            Map<String, String> site = Map.of(
                    "hive.llap.daemon.service.hosts", "@queries",
                    "hive.zookeeper.quorum", zooKeeper.getConnectString(),
                    "hive.zookeeper.session.timeout", "2s",
                    "skep.llap.bind-host", "127.0.0.1",
                    "skep.llap.rpc.timeout", "3s",
                    "skep.llap.yarn.liveness-timeout", "15s",
                    "skep.llap.drain-timeout", "10min");
            LlapShell llap = new LlapShell(yarn, "queries", ContainerMain.class.getName(), site);
            llap.run("start", "--instances", "2", "--memory", "1gb", "--cores", "1");
            Path data = Files.createDirectories(folder.resolve("data"));
            try (ServerProcess server = ServerProcess.start(data, onHdfs(site));
                    ReleasedClient client = ReleasedClient.open();
                    Connection connection = client.connect(server.url());
                    Statement statement = connection.createStatement()) {
                Numbers.load(statement);
                Numbers.assertAnswer(statement);
                RunningDaemon killed = llap.daemons().getFirst();
                killed.kill();
                Numbers.assertAnswer(statement);
                llap.awaitDaemons("it is replaced", now -> now.size() == 2 && !now.contains(killed));
                restart(llap, connection);
                hang(llap, statement);
            }
            List<RunningDaemon> last = llap.daemons();
            llap.run("stop");
            llap.awaitThat("all have ended", () -> last.stream().noneMatch(RunningDaemon::isAlive));
        }
    }

    /** Returns settings that place the tables on the cluster's HDFS. */
    private Map<String, String> onHdfs(Map<String, String> site) {
        Map<String, String> settings = new HashMap<>(yarn.settings());
        settings.putAll(site);
        settings.put("hive.metastore.warehouse.dir", "/user/warehouse");
        return settings;
    }

    /** A query that cannot run again continues in a daemon that is leaving. Other queries run elsewhere. */
    private static void restart(LlapShell llap, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (LongResult result = LongResult.open(connection)) {
                llap.run("restart", "--rolling", "--memory", "1gb", "--cores", "1", "--wait", "0");
                llap.awaitThat(
                        "one waits for its query",
                        () -> llap.status().stream().anyMatch(line -> line.contains(" leaving on ")));
                Numbers.assertAnswer(statement);
                result.assertComplete();
            }
            while (!restarted(llap.daemons())) {
                Numbers.assertAnswer(statement);
            }
            Numbers.assertAnswer(statement);
        }
        assertThat(llap.status()).filteredOn(line -> line.contains("failed: ")).hasSize(1);
    }

    private static boolean restarted(List<RunningDaemon> daemons) {
        return daemons.size() == 2 && daemons.stream().allMatch(daemon -> daemon.generation() == 2);
    }

    /** Stops a daemon with a signal: none of its threads ends, but it does not answer. */
    private static void hang(LlapShell llap, Statement statement) throws Exception {
        RunningDaemon hung = llap.daemons().getFirst();
        ServerProcess.signal(ProcessHandle.of(hung.pid()).orElseThrow(), "STOP");
        Numbers.assertAnswer(statement);
        llap.awaitDaemons("it is replaced", now -> now.size() == 2 && !now.contains(hung));
        llap.awaitThat("it has been killed", () -> !hung.isAlive());
        assertThat(llap.status()).anyMatch(line -> line.contains("has not answered for 15 s"));
        Numbers.assertAnswer(statement);
    }

    @Test
    void whatCannotBeDoneIsRefused() throws IOException {
        LlapShell llap = new LlapShell(yarn, "refused", ListeningDaemon.class.getName(), SITE);
        assertRefused(llap, "larger than YARN's largest container", "start", "--instances", "1", "--memory", "100gb");
        assertRefused(llap, "cores", "start", "--instances", "1", "--memory", "800mb", "--cores", "1000");
        assertRefused(llap, "too small for a daemon", "start", "--instances", "1", "--memory", "300mb");
        assertRefused(
                llap,
                "queues are default",
                "start",
                "--instances",
                "1",
                "--memory",
                "800mb",
                "--cores",
                "1",
                "--queue",
                "q");
        assertRefused(llap, "--instances is missing", "start");
        assertRefused(llap, "unknown option --what", "start", "--what", "1");
        assertRefused(llap, "does not run", "resize", "--instances", "1");
        assertRefused(llap, "does not run", "restart", "--rolling");
        assertRefused(llap, "--rolling", "restart");
        assertThat(llap.status()).containsExactly("LLAP refused does not run");
        LlapShell alone = new LlapShell(yarn, "alone", ListeningDaemon.class.getName(), Map.of());
        assertRefused(alone, "needs ZooKeeper", "start", "--instances", "1");
        Map<String, String> open = Map.of("hive.zookeeper.quorum", "127.0.0.1:1");
        LlapShell listening = new LlapShell(yarn, "open", ListeningDaemon.class.getName(), open);
        assertRefused(listening, "need a secret", "start", "--instances", "1", "--memory", "800mb", "--cores", "1");
        assertThat(llap.folderExists()).isFalse();
    }

    private static void assertRefused(LlapShell llap, String reason, String... arguments) {
        assertThatThrownBy(() -> llap.run(arguments))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining(reason);
    }
}
