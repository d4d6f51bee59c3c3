package io.skep.llap.client.zookeeper;

import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonEndpoints;
import io.skep.llap.client.registry.DaemonOffer;
import io.skep.llap.client.registry.DaemonRegistration;
import java.util.List;

/** The daemons of one registry name, seen through a ZooKeeper connection of its own. Thread-safe. */
public final class ZooKeeperDaemons implements DaemonEndpoints, AutoCloseable {
    private final ZooKeeperClient client;
    private final ZooKeeperRegistry registry;

    private ZooKeeperDaemons(ZooKeeperClient client, ZooKeeperRegistry registry) {
        this.client = client;
        this.registry = registry;
    }

    /**
     * Connects to the registry.
     *
     * @param config with a name
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION without a quorum; ZOOKEEPER_ERROR when it does
     *     not answer
     */
    public static ZooKeeperDaemons connect(RegistryConfig config) {
        String name = config.name().orElseThrow();
        ZooKeeperClient client =
                ZooKeeperClient.open(config.zooKeeper().requiredFor("hive.llap.daemon.service.hosts=@" + name));
        try {
            return new ZooKeeperDaemons(client, ZooKeeperRegistry.open(client, config.namespace(), name));
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public List<DaemonEndpoint> current() {
        return registry.entries().stream()
                .map(entry -> new DaemonEndpoint(entry.host(), entry.rpcPort()))
                .toList();
    }

    /** Registers a daemon in a slot. */
    public DaemonRegistration register(DaemonOffer offer) {
        return registry.register(offer);
    }

    @Override
    public void close() {
        registry.close();
        client.close();
    }
}
