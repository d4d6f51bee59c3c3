package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.file.PrivateFiles;
import io.skep.common.testing.Polling;
import io.skep.llap.server.process.DaemonOptions;
import io.skep.llap.server.process.DaemonProcess;
import io.skep.service.doctor.Finding.Grade;
import io.skep.service.server.ServerConfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests daemons that are running, are not running, or belong to another site. */
@Timeout(120)
final class TestDaemonsCheck {
    @TempDir
    private Path folder;

    private DaemonProcess daemon(String name, Map<String, String> site) {
        Map<String, String> all = new HashMap<>(Map.of(
                "hive.llap.daemon.rpc.port", "0",
                "hive.llap.daemon.web.port", "0",
                "hive.llap.daemon.num.executors", "2",
                "skep.llap.max-memory", "16mb",
                "hive.llap.io.memory.size", "16mb"));
        all.putAll(site);
        return DaemonProcess.start(new DaemonOptions(folder.resolve(name), all));
    }

    private List<Finding> find(Map<String, String> site) throws InterruptedException {
        return new DaemonsCheck(ServerConfig.of(site, folder.resolve("server"))).run();
    }

    private static Map<String, String> of(String daemons) {
        return Map.of("skep.llap.daemons", daemons);
    }

    @Test
    void oneInTheServerNeedsNothing() throws InterruptedException {
        assertThat(find(Map.of())).extracting(Finding::grade).containsExactly(Grade.NOTE);
    }

    @Test
    void thoseThatAnswerAndThoseThatDoNot() throws Exception {
        String closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = "127.0.0.1:" + socket.getLocalPort();
        }
        try (DaemonProcess one = daemon("one", Map.of("skep.llap.slot", "7"))) {
            List<Finding> findings = find(of(one.endpoint() + "," + closed));
            assertThat(findings).extracting(Finding::grade).containsExactly(Grade.OK, Grade.FAILURE);
            assertThat(findings.getFirst().text()).contains(one.endpoint().toString(), "slot 7", "2 executors");
            assertThat(findings.getLast().text()).contains(closed);
        }
    }

    @Test
    void twoWithOneSlot() throws Exception {
        Map<String, String> slot = Map.of("skep.llap.slot", "7");
        try (DaemonProcess one = daemon("one", slot);
                DaemonProcess other = daemon("other", slot)) {
            List<Finding> findings = find(of(one.endpoint() + "," + other.endpoint()));
            assertThat(findings).extracting(Finding::grade).containsExactly(Grade.OK, Grade.OK, Grade.WARNING);
            assertThat(findings.getLast().text()).contains("slot 7");
        }
    }

    @Test
    void oneWithAnotherSecret() throws Exception {
        Path own =
                Files.writeString(PrivateFiles.create(folder.resolve("own")), "a secret that is long enough to be one");
        Path other = Files.writeString(
                PrivateFiles.create(folder.resolve("other-secret")), "another one that is long enough to be one");
        try (DaemonProcess one = daemon("one", Map.of("skep.llap.rpc.secret-file", own.toString()))) {
            String daemons = one.endpoint().toString();
            Map<String, String> wrong =
                    Map.of("skep.llap.daemons", daemons, "skep.llap.rpc.secret-file", other.toString());
            List<Finding> findings = find(wrong);
            assertThat(findings).extracting(Finding::grade).containsExactly(Grade.FAILURE);
            assertThat(findings.getFirst().text()).contains("skep.llap.rpc.secret-file");
        }
    }

    @Test
    void thoseThatAreRegistered() throws Exception {
        try (TestingServer zooKeeper = new TestingServer(
                new InstanceSpec(
                        folder.resolve("zookeeper").toFile(), -1, -1, -1, false, -1, -1, -1, null, "127.0.0.1"),
                true)) {
            Map<String, String> site = Map.of(
                    "hive.zookeeper.quorum", zooKeeper.getConnectString(), "hive.llap.daemon.service.hosts", "@site");
            List<Finding> none = find(site);
            assertThat(none).extracting(Finding::grade).containsExactly(Grade.FAILURE);
            assertThat(none.getFirst().text()).contains("@site");
            try (DaemonProcess one = daemon("one", site)) {
                List<Finding> findings = Polling.await("the daemon is found")
                        .until(() -> find(site), found -> found.getFirst().grade() == Grade.OK);
                assertThat(findings.getFirst().text()).contains(one.endpoint().toString());
            }
        }
    }
}
