package io.skep.service.discovery;

import io.skep.llap.client.zookeeper.Announcement;
import io.skep.llap.client.zookeeper.ZooKeeperClient;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server's entry in ZooKeeper, which exists until it is closed. */
public final class ServerDiscovery implements AutoCloseable {
    private final ZooKeeperClient client;
    private final Announcement announcement;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ServerDiscovery(ZooKeeperClient client, Announcement announcement) {
        this.client = client;
        this.announcement = announcement;
    }

    /**
     * Registers a server, immediately or as soon as ZooKeeper is reachable.
     *
     * @param bindHost the host that the server listens on
     * @param version the version of Hive that the server reports
     * @param settings what clients need to connect, in addition to the host
     * @param whenRemoved called when a user has deleted the entry, which requests the server to shut down
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when no ZooKeeper is configured
     */
    public static ServerDiscovery register(
            DiscoveryConfig config,
            String bindHost,
            int port,
            String version,
            Map<String, String> settings,
            Runnable whenRemoved) {
        ServerEntry entry = new ServerEntry(
                ServerEntry.clientHost(bindHost), port, version, config.publishSettings() ? settings : Map.of());
        ZooKeeperClient client =
                ZooKeeperClient.open(config.zooKeeper().requiredFor("hive.server2.support.dynamic.service.discovery"));
        Announcement announcement = Announcement.start(
                client, config.namespace(), entry.nodeNamePrefix(), entry.name(), entry.content(), whenRemoved);
        return new ServerDiscovery(client, announcement);
    }

    /** Removes the server's entry. Closing it again does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            announcement.close();
            client.close();
        }
    }
}
