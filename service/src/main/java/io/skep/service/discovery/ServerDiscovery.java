package io.skep.service.discovery;

import io.skep.llap.client.zookeeper.Announcement;
import io.skep.llap.client.zookeeper.ZooKeeperClient;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server's entry in ZooKeeper, until it is closed. */
public final class ServerDiscovery implements AutoCloseable {
    private final ZooKeeperClient client;
    private final Announcement announcement;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ServerDiscovery(ZooKeeperClient client, Announcement announcement) {
        this.client = client;
        this.announcement = announcement;
    }

    /**
     * Registers a server, now or as soon as ZooKeeper can be reached.
     *
     * @param bindHost that it listens on
     * @param version of Hive that it stands for
     * @param settings what clients need to connect, besides host and port
     * @param whenRemoved told when someone has deleted the entry, which asks the server to end
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when it is not said where ZooKeeper is
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
        Announcement announcement =
                Announcement.start(client, config.namespace(), entry.who(), entry.name(), entry.content(), whenRemoved);
        return new ServerDiscovery(client, announcement);
    }

    /** Takes the server off the list. Closing it again does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            announcement.close();
            client.close();
        }
    }
}
