package io.skep.itests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import io.skep.itests.server.ZooKeeperServer;
import io.skep.itests.soak.ServerStats.Reading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs many sessions and statements through the released driver against a server in its own process. After each tenth
 * of them the test reads the resources of the process. From the second tenth on they must not grow.
 * docs/testing/soak.md says how to run it for long.
 */
@Timeout(value = 48, unit = TimeUnit.HOURS)
final class TestSoak {
    private static final long STATEMENTS = Long.getLong("skep.soak.statements", 500);
    private static final int CLIENTS = Integer.getInteger("skep.soak.clients", 8);
    private static final int PARTS = 10;

    /** Caches of plans, files and definitions fill up, each to its own bound. */
    private static final long HEAP_GROWTH = 64L << 20;

    private static final long DIRECT_GROWTH = 32L << 20;
    private static final long THREAD_GROWTH = 16;
    private static final long DESCRIPTOR_GROWTH = 16;

    @Test
    void whatAServerHoldsDoesNotGrow(@TempDir Path folder) throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        try (ZooKeeperServer zooKeeper = new ZooKeeperServer(folder);
                ServerProcess server =
                        ServerProcess.start(data, zooKeeper.site(Map.of("hive.query.results.cache.enabled", "true")));
                ReleasedClient client = ReleasedClient.open();
                ServerStats stats = new ServerStats(server.process().pid(), data, zooKeeper);
                ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            setUp(client, server.url());
            List<SoakClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new SoakClient(client, server.url(), i, timer));
                clients.getLast().setUp();
            }
            List<Reading> readings = new ArrayList<>();
            for (int part = 0; part < PARTS; part++) {
                long sessions = Math.ceilDiv(STATEMENTS / SoakClient.STATEMENTS_A_SESSION, PARTS);
                run(clients, threads, sessions);
                ServerProcess.await(() -> server.page("/api/sessions").equals("[]"));
                readings.add(stats.read());
                System.out.println((part + 1) * sessions + " sessions: " + readings.getLast());
            }
            assertFlat(readings.get(1), readings.getLast());
        }
    }

    private static void setUp(ReleasedClient client, String url) throws Exception {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE numbers (k BIGINT, v STRING) PARTITIONED BY (p INT) STORED AS ORC");
            statement.execute("SET hive.exec.dynamic.partition.mode=nonstrict");
            statement.execute("INSERT INTO numbers SELECT pos, concat('v', pos), pos % 4 FROM (SELECT 1) one"
                    + " LATERAL VIEW posexplode(split(space(" + (SoakClient.NUMBERS - 1) + "), ' ')) n AS pos, v");
        }
    }

    /**
     * Each client opens a session after it has closed the previous one, until the required number is reached.
     *
     * @param sessions the number of sessions of all clients together
     */
    private static void run(List<SoakClient> clients, ExecutorService threads, long sessions) throws Exception {
        AtomicLong left = new AtomicLong(sessions);
        List<Future<?>> running = new ArrayList<>();
        for (SoakClient client : clients) {
            running.add(threads.submit(() -> {
                while (left.decrementAndGet() >= 0) {
                    client.session();
                }
                return client;
            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
    }

    private static void assertFlat(Reading early, Reading late) {
        assertThat(late.heapBytes()).as("heap").isLessThan(early.heapBytes() + HEAP_GROWTH);
        assertThat(late.directBytes()).as("direct memory").isLessThan(early.directBytes() + DIRECT_GROWTH);
        assertThat(late.threads()).as("threads").isLessThan(early.threads() + THREAD_GROWTH);
        assertThat(late.descriptors()).as("descriptors").isLessThan(early.descriptors() + DESCRIPTOR_GROWTH);
        assertThat(late.folders()).as("staging folders").isZero();
        assertThat(late.nodes()).as("nodes in ZooKeeper").isEqualTo(early.nodes());
    }
}
