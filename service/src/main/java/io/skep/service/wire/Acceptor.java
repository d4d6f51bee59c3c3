package io.skep.service.wire;

import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections until the listener is closed. No failure stops it. When the process has no file descriptor left,
 * it frees a reserved one to accept a connection and close it. Thus the client is refused immediately. Then it pauses.
 */
final class Acceptor implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final Path RESERVE = Path.of("/dev/null");

    private final ServerSocket listener;
    private final Consumer<Socket> connections;
    private final LogLimit logLimit = new LogLimit(LOG_INTERVAL);
    private @Nullable Closeable reserve;

    Acceptor(ServerSocket listener, Consumer<Socket> connections) {
        this.listener = listener;
        this.connections = connections;
    }

    @Override
    public void run() {
        while (!listener.isClosed()) {
            acceptOne();
        }
        releaseReserve();
    }

    /** Handles all failures, so that the next connection is accepted in any case. */
    private void acceptOne() {
        Socket socket = null;
        try {
            takeReserve();
            socket = listener.accept();
            connections.accept(socket);
        } catch (IOException | RuntimeException | Error e) {
            if (listener.isClosed()) {
                return;
            }
            close(socket);
            if (logLimit.allows()) {
                LOG.warn("cannot accept connections: {}; goes on trying", e.toString());
            }
            refuseOne();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void takeReserve() {
        if (reserve == null) {
            try {
                reserve = FileChannel.open(RESERVE);
            } catch (IOException e) {
                LOG.debug("no file descriptor can be reserved: {}", e.toString());
            }
        }
    }

    private void releaseReserve() {
        close(reserve);
        reserve = null;
    }

    /** The reserved descriptor is used to refuse a waiting client immediately. */
    private void refuseOne() {
        if (reserve == null) {
            return;
        }
        releaseReserve();
        try {
            listener.setSoTimeout(1);
            close(listener.accept());
        } catch (IOException e) {
            LOG.debug("no client waits: {}", e.toString());
        } finally {
            waitForEver();
        }
    }

    private void waitForEver() {
        try {
            listener.setSoTimeout(0);
        } catch (IOException e) {
            LOG.debug("the listener is closed: {}", e.toString());
        }
    }

    private static void close(@Nullable Closeable closeable) {
        if (closeable != null) {
            try {
                closeable.close();
            } catch (IOException e) {
                LOG.debug("closing failed: {}", e.toString());
            }
        }
    }
}
