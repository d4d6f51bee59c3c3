package io.skep.itests.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException.NoNodeException;

/**
 * A real ZooKeeper on the loopback interface that can stop and come back on its port, and access to the servers that
 * are registered in it.
 */
public final class ZooKeeperServer implements AutoCloseable {
    private static final int TICK_MILLIS = 250;
    private static final String FOLDER = "/hiveserver2";

    private final Path folder;
    private TestingServer server;

    /** @param folder the folder for its data */
    public ZooKeeperServer(Path folder) throws Exception {
        this.folder = folder;
        this.server = start("zookeeper", -1);
    }

    private TestingServer start(String data, int port) throws Exception {
        Path place = Files.createDirectories(folder.resolve(data));
        return new TestingServer(
                new InstanceSpec(place.toFile(), port, -1, -1, false, -1, TICK_MILLIS, 100, null, "127.0.0.1"), true);
    }

    void stop() throws IOException {
        server.stop();
    }

    void startAgain() throws Exception {
        server.restart();
    }

    /** Replaces the server by one without data on the same port. */
    void replace() throws Exception {
        int port = server.getPort();
        server.close();
        server = start("zookeeper2", port);
    }

    /** Returns the settings of a server that registers here. Sessions expire after two seconds. */
    public Map<String, String> site(Map<String, String> others) {
        Map<String, String> site = new HashMap<>(others);
        site.put("hive.server2.support.dynamic.service.discovery", "true");
        site.put("hive.zookeeper.quorum", server.getConnectString());
        site.put("hive.zookeeper.session.timeout", "2s");
        site.put("hive.zookeeper.connection.basesleeptime", "50ms");
        return site;
    }

    /** Returns the URL that clients use instead of a server's address. */
    public String jdbcUrl() {
        return "jdbc:hive2://" + server.getConnectString()
                + "/default;serviceDiscoveryMode=zooKeeper;zooKeeperNamespace=hiveserver2";
    }

    /** Returns the content of the servers' nodes by name, without nodes that are deleted during the read. */
    Map<String, String> servers() throws Exception {
        try (CuratorFramework client = open()) {
            Map<String, String> servers = new HashMap<>();
            for (String name : names(client)) {
                address(client, name).ifPresent(address -> servers.put(name, address));
            }
            return servers;
        }
    }

    /** Returns the number of nodes, including those of ZooKeeper itself. */
    public int nodes() throws Exception {
        try (CuratorFramework client = open()) {
            return client.getZookeeperClient().getZooKeeper().getAllChildrenNumber("/");
        }
    }

    /** Deletes a server's node, as {@code hiveserver2 --deregister} does. */
    void deregister(String name) throws Exception {
        try (CuratorFramework client = open()) {
            client.delete().forPath(FOLDER + "/" + name);
        }
    }

    private static Optional<String> address(CuratorFramework client, String name) throws Exception {
        try {
            return Optional.of(new String(client.getData().forPath(FOLDER + "/" + name), StandardCharsets.UTF_8));
        } catch (NoNodeException e) {
            return Optional.empty();
        }
    }

    private static List<String> names(CuratorFramework client) throws Exception {
        try {
            return client.getChildren().forPath(FOLDER);
        } catch (NoNodeException e) {
            return List.of();
        }
    }

    private CuratorFramework open() {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(server.getConnectString(), 10_000, 10_000, new RetryOneTime(50));
        client.start();
        return client;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
