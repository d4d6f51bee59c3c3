package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;

/** A server for tests. Closing it fails if it still holds anything that no client uses. */
public final class TestServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path data;
    private final SkepServer server;

    private TestServer(Path data, SkepServer server) {
        this.data = data;
        this.server = server;
    }

    /**
     * Starts a server without its own training queries, without a cache of results, so that queries of tests run, and
     * without work of its own on the metastore, unless they are
     * configured. The metastore's library serves one database of a process at a time, and a server in the background of
     * a test would take it from the test's own server.
     *
     * @param site settings as in hive-site.xml
     */
    public static TestServer start(Map<String, String> site) {
        try {
            Map<String, String> settings = new HashMap<>(site);
            settings.putIfAbsent("skep.server.warmup-queries", "0");
            settings.putIfAbsent("hive.query.results.cache.enabled", "false");
            settings.putIfAbsent("hive.scheduled.queries.executor.enabled", "false");
            settings.putIfAbsent("metastore.scheduled.queries.execution.maint.task.frequency", "1d");
            Path data = Files.createTempDirectory("skep-itest");
            return new TestServer(data, SkepServer.start(new ServerOptions(0, 0, data, settings)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String jdbcUrl() {
        return server.jdbcUrl();
    }

    public String uiUrl() {
        return server.uiUrl();
    }

    public int port() {
        return server.port();
    }

    /** Returns the folder of metastore, warehouse and spill files. */
    public Path data() {
        return data;
    }

    public SkepServer server() {
        return server;
    }

    /**
     * Waits until clients have disconnected. Fails if they left sessions, tasks, memory, readers or spill files behind.
     */
    public void assertNothingLeft() {
        await("clients that are gone leave nothing")
                .untilAsserted(() -> assertThat(leftovers()).isEmpty());
    }

    /** Waits until this number of sessions is open. */
    public void awaitSessions(int count) {
        await("sessions")
                .untilAsserted(() -> assertThat(server.sessions().all()).hasSize(count));
    }

    /** Waits until a query whose text contains this text is running. */
    public void awaitRunning(String text) {
        awaitThat(
                "a query with " + text + " runs",
                () -> server.history().running().stream()
                        .anyMatch(query ->
                                query.text().contains(text) && query.state().equals("RUNNING")));
    }

    /** Waits until a condition becomes true, and fails if it does not. */
    public void awaitThat(String what, BooleanSupplier condition) {
        await(what).until(condition::getAsBoolean);
    }

    private static ConditionFactory await(String what) {
        return Polling.await(what).atMost(PATIENCE);
    }

    private List<String> leftovers() {
        List<String> left = new ArrayList<>(server.snapshot().leftovers());
        server.sessions().all().forEach(session -> left.add("session of " + session.user()));
        int running = server.sessions().runningStatements();
        if (running > 0) {
            left.add(running + " threads that run statements");
        }
        server.history().running().forEach(query -> left.add("running query " + query.text()));
        return left;
    }

    @Override
    public void close() {
        try {
            assertNothingLeft();
        } finally {
            server.close();
            deleteData();
        }
    }

    private void deleteData() {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
