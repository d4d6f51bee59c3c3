package io.skep.llap.client.zookeeper;

import io.skep.common.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/** A ZooKeeper server on the loopback that can stop and restart on its port. Sessions last a second or two. */
final class TestingZooKeeper implements AutoCloseable {
    static final Duration SESSION = Duration.ofSeconds(1);
    private static final int TICK_MILLIS = 250;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path folder;
    private TestingServer server;

    TestingZooKeeper(Path folder) throws Exception {
        this.folder = folder;
        this.server = start("first", -1);
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

    /** Starts an empty server on the same port. */
    void replace() throws Exception {
        int port = server.getPort();
        server.close();
        server = start("second", port);
    }

    String connectString() {
        return server.getConnectString();
    }

    ZooKeeperConfig config(Duration session) {
        return new ZooKeeperConfig(
                connectString(), session, Duration.ofSeconds(10), Duration.ofMillis(20), 3, Optional.empty());
    }

    ZooKeeperClient client() {
        return ZooKeeperClient.open(config(SESSION));
    }

    static void await(String what, BooleanSupplier condition) {
        Polling.await(what).atMost(PATIENCE).until(condition::getAsBoolean);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
