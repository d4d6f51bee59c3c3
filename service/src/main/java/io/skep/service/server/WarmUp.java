package io.skep.service.server;

import com.google.common.util.concurrent.Uninterruptibles;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlEngine;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs queries after the server's start, on a temporary table, so that Java has compiled the code that the first
 * clients' queries use. Pauses while statements of clients are compiled or run. {@link #close} stops it.
 */
final class WarmUp implements AutoCloseable {
    static final Property<Integer> QUERIES = new Property<>(
            "skep.server.warmup-queries",
            PropertyType.integer(0, 1_000_000),
            "400",
            "Sample queries that a server runs after its start, so that the first clients meet compiled code; 0: "
                    + "none.");

    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /**
     * In YARN containers each query would take half a second, and would warm up processes that exit afterwards. Cached
     * results would warm up nothing.
     */
    static final Map<String, String> SETTINGS = Map.of(
            "hive.exec.dynamic.partition.mode",
            "nonstrict",
            "hive.execution.mode",
            "llap",
            "hive.query.results.cache.enabled",
            "false",
            "hive.llap.execution.mode",
            "all",
            "skep.scheduler",
            "direct");

    /** Clients that keep the server busy for this time have already warmed it up. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final long PAUSE_NANOS = 50_000_000;

    private final SqlEngine engine;
    private final int queries;
    private final BooleanSupplier clientsAreServed;
    private final Thread thread = Thread.ofPlatform().name("training").daemon().unstarted(this::train);

    @GuardedBy("this")
    private @Nullable SqlStatement running;

    private final AtomicInteger answered = new AtomicInteger();
    private volatile boolean closed;

    /** @param clientsAreServed whether statements of clients are being compiled or run */
    WarmUp(SqlEngine engine, int queries, BooleanSupplier clientsAreServed) {
        this.engine = engine;
        this.queries = queries;
        this.clientsAreServed = clientsAreServed;
    }

    void start() {
        if (queries > 0) {
            thread.start();
        }
    }

    /** Waits for the end. Returns the number of queries that succeeded. */
    int await() throws InterruptedException {
        thread.join();
        return answered.get();
    }

    int answered() {
        return answered.get();
    }

    private void train() {
        long begin = System.nanoTime();
        try (SqlSession session = engine.openServerSession(SETTINGS)) {
            List<String> texts = statements("training-queries.sql");
            for (String sql : statements("training-table.sql")) {
                run(session, sql);
            }
            for (int i = 0; i < queries && mayGoOn(begin); i++) {
                String round = Integer.toString(i / texts.size() % 10);
                run(session, texts.get(i % texts.size()).replace(":n", round));
                answered.incrementAndGet();
            }
        } catch (RuntimeException e) {
            if (!closed) {
                LOG.warn("The training ended after {} queries", answered, e);
            }
        }
        LOG.info("Training: {} queries in {} ms", answered, (System.nanoTime() - begin) / 1_000_000);
    }

    /** Waits while clients are served. Returns whether warming up is still useful. */
    private boolean mayGoOn(long begin) {
        while (!closed && System.nanoTime() - begin < PATIENCE.toNanos()) {
            if (!clientsAreServed.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return false;
    }

    private void run(SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("training_" + UUID.randomUUID()), sql)) {
            enter(statement);
            try {
                statement.run(line -> {});
                while (statement.schema().isPresent()
                        && statement.results().next().isPresent()) {
                    // The rows are computed but not used.
                }
            } finally {
                enter(null);
            }
        }
    }

    private synchronized void enter(@Nullable SqlStatement statement) {
        running = statement;
        if (closed && statement != null) {
            throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the server is stopping");
        }
    }

    private static List<String> statements(String resource) {
        try (InputStream in = WarmUp.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("there is no resource " + resource);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .map(line -> line.substring(0, line.lastIndexOf(';')))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (running != null) {
                running.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the server is stopping"));
            }
        }
        Uninterruptibles.joinUninterruptibly(thread);
    }
}
