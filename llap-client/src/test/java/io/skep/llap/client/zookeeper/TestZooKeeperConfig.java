package io.skep.llap.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TestZooKeeperConfig {
    @Test
    void hostsWithoutPortGetHivesPort() {
        ZooKeeperConfig config = read(Map.of("hive.zookeeper.quorum", "a, b:7 ,c", "hive.zookeeper.client.port", "9"))
                .zooKeeper();
        assertThat(config.connectString()).isEqualTo("a:9,b:7,c:9");
        assertThat(config.sessionTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(config.connectionTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(config.baseSleep()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.maxRetries()).isEqualTo(3);
    }

    @Test
    void registryIsNamedAsInHive() {
        assertThat(read(Map.of()).name()).isEmpty();
        RegistryConfig config =
                read(Map.of("hive.llap.daemon.service.hosts", "@llap0", "hive.llap.zk.registry.namespace", "n"));
        assertThat(config.name()).contains("llap0");
        assertThat(config.namespace()).isEqualTo("n");
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatThrownBy(() -> read(Map.of(
                        "hive.llap.daemon.service.hosts", "host1,host2",
                        "hive.llap.zk.registry.namespace", "a/b",
                        "hive.zookeeper.ssl.client.enable", "true",
                        "hive.zookeeper.session.timeout", "soon")))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("hive.llap.daemon.service.hosts")
                .hasMessageContaining("hive.llap.zk.registry.namespace")
                .hasMessageContaining("hive.zookeeper.ssl.client.enable")
                .hasMessageContaining("hive.zookeeper.session.timeout");
    }

    @Test
    void aQuorumMayBeRequired() {
        assertThatThrownBy(() -> read(Map.of()).zooKeeper().requiredFor("finding servers"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("finding servers needs ZooKeeper: set hive.zookeeper.quorum");
    }

    private static RegistryConfig read(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        RegistryConfig config = RegistryConfig.of(reader, Optional.empty());
        reader.finish();
        return config;
    }
}
