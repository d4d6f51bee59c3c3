package io.skep.service.wire;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks all connections twice a second on its own thread, which no failure stops. Closes overdue connections, and
 * detects clients that disconnect while a call runs for them.
 */
public final class ConnectionWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);
    private static final long INTERVAL_NANOS = Duration.ofMillis(500).toNanos();

    private final Collection<? extends Watched> connections;
    private final Thread thread;
    private volatile boolean closed;

    /** @param connections a thread-safe collection of the open ones */
    public ConnectionWatch(Collection<? extends Watched> connections) {
        this.connections = connections;
        this.thread = Thread.ofPlatform().name("connection-watch").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(INTERVAL_NANOS);
            look();
        }
    }

    private void look() {
        try {
            long now = System.nanoTime();
            for (Watched connection : connections) {
                connection.watch(now);
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("looking at the connections failed", e);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
