package io.skep.itests.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.hdfs.HadoopProgram;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.yarn.Numbers.LongResult;
import io.skep.llap.server.yarn.ContainerMain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a node manager with kill -9. The daemon on its node survives, and YARN does not track it any more. Runs only
 * with -Dskep.yarn=all because it takes minutes.
 */
@EnabledIfSystemProperty(named = "skep.yarn", matches = "all")
@Timeout(600)
final class TestLostNodeManager {
    /** Makes the resource manager consider a node lost after this time instead of ten minutes. */
    private static final Map<String, String> MISSED_SOON =
            Map.of("yarn.nm.liveness-monitor.expiry-interval-ms", "10000");

    /**
     * A query that cannot run again continues in the daemon. Then the daemon, which has been replaced meanwhile, exits.
     */
    @Test
    void itsDaemonIsReplacedAndLeaves(@TempDir Path folder) throws Exception {
        Path servers = Files.createDirectories(folder.resolve("cluster"));
        try (TestingServer zooKeeper =
                        new TestingServer(-1, folder.resolve("zookeeper").toFile());
                YarnProcess yarn = YarnProcess.start(servers, 1, MISSED_SOON)) {
            Map<String, String> site = Map.of(
                    "hive.llap.daemon.service.hosts", "@lost",
                    "hive.zookeeper.quorum", zooKeeper.getConnectString(),
                    "skep.llap.bind-host", "127.0.0.1",
                    "skep.llap.drain-timeout", "10min");
            LlapShell llap = new LlapShell(yarn, "lost", ContainerMain.class.getName(), site);
            // Starts the master on the node that is not lost.
            llap.run("start", "--instances", "1", "--memory", "1gb", "--cores", "1");
            try (HadoopProgram node = yarn.startNodeManager("node")) {
                llap.awaitThat("the node is known", () -> llap.state().nodes() == 2);
                llap.run("resize", "--instances", "2");
                RunningDaemon there = llap.daemons().stream()
                        .filter(daemon -> daemon.node().equals(node.ready()))
                        .findFirst()
                        .orElseThrow();
                Path data = Files.createDirectories(folder.resolve("data"));
                try (ServerProcess server = ServerProcess.start(data, site);
                        ReleasedClient client = ReleasedClient.open();
                        Connection connection = client.connect(server.url());
                        Statement statement = connection.createStatement()) {
                    Numbers.load(statement);
                    try (LongResult result = LongResult.open(connection)) {
                        node.kill();
                        llap.awaitDaemons(
                                "it is replaced elsewhere",
                                now -> now.size() == 2
                                        && now.stream()
                                                .noneMatch(
                                                        daemon -> daemon.node().equals(node.ready())));
                        Numbers.assertAnswer(statement);
                        result.assertComplete();
                    }
                    llap.awaitThat("it has left", () -> !there.isAlive());
                    Numbers.assertAnswer(statement);
                }
            }
            assertThat(llap.status()).anyMatch(line -> line.contains("failed: ") && line.contains("node"));
            llap.run("stop");
        }
    }
}
