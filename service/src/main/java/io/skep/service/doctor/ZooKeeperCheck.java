package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.llap.client.zookeeper.ZooKeeperClient;
import io.skep.service.discovery.DiscoveryConfig;
import java.time.Duration;
import java.util.List;

/** Checks whether ZooKeeper responds, if clients find servers through it. */
record ZooKeeperCheck(DiscoveryConfig discovery) implements Check {
    @Override
    public String part() {
        return "ZooKeeper";
    }

    @Override
    public List<Finding> run() {
        if (!discovery.enabled()) {
            return List.of(Finding.note(part(), "not used: hive.server2.support.dynamic.service.discovery is off"));
        }
        try (ZooKeeperClient client = ZooKeeperClient.open(
                discovery.zooKeeper().requiredFor("hive.server2.support.dynamic.service.discovery"))) {
            client.awaitConnection();
            long start = System.nanoTime();
            int servers = client.names(discovery.namespace()).size();
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            String found = discovery.zooKeeper().connectString() + " answers in " + millis + " ms, " + servers
                    + (servers == 1 ? " server is" : " servers are") + " in /" + discovery.namespace();
            return List.of(Finding.ok(part(), found));
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "set hive.zookeeper.quorum, and see that ZooKeeper is up"));
        }
    }
}
