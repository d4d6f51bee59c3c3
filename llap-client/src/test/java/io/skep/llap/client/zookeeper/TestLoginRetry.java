package io.skep.llap.client.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.kerberos.ServicePrincipal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests clients that log in to ZooKeeper and get no ticket. Integration tests with a KDC test those that get one. */
@Timeout(120)
final class TestLoginRetry {
    private static ZooKeeperConfig withLogin(TestingZooKeeper zooKeeper, ServicePrincipal login) {
        return new ZooKeeperConfig(
                zooKeeper.connectString(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMillis(20),
                3,
                Optional.of(login));
    }

    @Test
    void anotherSessionBeginsAfterALoginThatFailed(@TempDir Path folder) throws Exception {
        ServicePrincipal nobody =
                new ServicePrincipal("hive/localhost@NOWHERE.TEST", "a.setting", folder.resolve("missing.keytab"));
        try (TestingZooKeeper zooKeeper = new TestingZooKeeper(folder);
                ZooKeeperClient client = ZooKeeperClient.open(withLogin(zooKeeper, nobody))) {
            client.awaitConnection();
            long first = session(client);
            TestingZooKeeper.await("another session", () -> {
                long now = session(client);
                return now != 0 && now != first;
            });
            assertThat(client.names("zookeeper")).as("reading needs no login").isNotEmpty();
        }
    }

    private static long session(ZooKeeperClient client) {
        try {
            return client.curator().getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception e) {
            return 0;
        }
    }

    @Test
    void otherEntriesOfJaasStay() {
        ServicePrincipal one = new ServicePrincipal("one/localhost@NOWHERE.TEST", "a.setting", Path.of("/one"));
        ServicePrincipal two = new ServicePrincipal("two/localhost@NOWHERE.TEST", "a.setting", Path.of("/two"));
        String name = ZooKeeperJaas.add(one);
        String other = ZooKeeperJaas.add(two);
        Configuration all = Configuration.getConfiguration();
        assertThat(ZooKeeperJaas.add(one)).isEqualTo(name);
        assertThat(Configuration.getConfiguration()).as("added once").isSameAs(all);
        assertThat(principal(all, name)).isEqualTo(one.name());
        assertThat(principal(all, other)).isEqualTo(two.name());
        assertThat(all.getAppConfigurationEntry("Client")).isNull();
    }

    private static @Nullable Object principal(Configuration all, String name) {
        AppConfigurationEntry[] entries = all.getAppConfigurationEntry(name);
        assertThat(entries).hasSize(1);
        return entries[0].getOptions().get("principal");
    }
}
