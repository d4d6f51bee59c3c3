package io.skep.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.config.SettingsReader;
import io.skep.common.testing.Polling;
import io.skep.service.discovery.DiscoveryConfig;
import io.skep.service.discovery.ServerDiscovery;
import io.skep.service.doctor.Finding.Grade;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a real ZooKeeper that is running, is stopped, or was not configured. */
@Timeout(120)
final class TestZooKeeperCheck {
    @TempDir
    private Path folder;

    private static DiscoveryConfig config(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "hive.server2.support.dynamic.service.discovery", "true",
                "hive.zookeeper.connection.timeout", "10s",
                "hive.zookeeper.connection.basesleeptime", "20ms"));
        all.putAll(settings);
        return DiscoveryConfig.of(new SettingsReader(all), Optional.empty());
    }

    private static Finding find(Map<String, String> settings) {
        List<Finding> findings = new ZooKeeperCheck(config(settings)).run();
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    @Test
    void whoDoesNotUseItNeedsNone() {
        Finding finding = find(Map.of("hive.server2.support.dynamic.service.discovery", "false"));
        assertThat(finding.grade()).isEqualTo(Grade.NOTE);
    }

    @Test
    void quorumIsMissing() {
        Finding finding = find(Map.of());
        assertThat(finding.grade()).isEqualTo(Grade.FAILURE);
        assertThat(finding.text()).contains("hive.zookeeper.quorum");
    }

    @Test
    void serversAreCountedUntilItIsAway() throws Exception {
        try (TestingServer server = new TestingServer(
                new InstanceSpec(folder.toFile(), -1, -1, -1, false, -1, -1, -1, null, "127.0.0.1"), true)) {
            Map<String, String> site = Map.of("hive.zookeeper.quorum", server.getConnectString());
            Finding none = find(site);
            assertThat(none.grade()).isEqualTo(Grade.OK);
            assertThat(none.text()).contains(server.getConnectString(), "0 servers are in /hiveserver2");
            try (ServerDiscovery registered =
                    ServerDiscovery.register(config(site), "127.0.0.1", 1, "4.0.1", Map.of(), () -> {})) {
                Polling.await("the server is counted")
                        .until(() -> find(site).text().contains("1 server is in /hiveserver2"));
                assertThat(registered).isNotNull();
            }
            server.stop();
            Finding away = find(Map.of(
                    "hive.zookeeper.quorum", server.getConnectString(), "hive.zookeeper.connection.timeout", "1s"));
            assertThat(away.grade()).isEqualTo(Grade.FAILURE);
            assertThat(away.text()).contains(server.getConnectString());
            assertThat(away.remedy()).isPresent();
        }
    }
}
