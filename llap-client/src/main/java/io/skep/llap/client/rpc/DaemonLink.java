package io.skep.llap.client.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonEndpoint;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address of a daemon, and the connection to the incarnation that runs there. A lost connection is made again, with
 * increasing pauses while that fails. Guarded by itself.
 */
final class DaemonLink {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final DaemonEndpoint endpoint;

    @GuardedBy("this")
    private @Nullable RemoteDaemon connection;

    @GuardedBy("this")
    private boolean alive;

    @GuardedBy("this")
    private Duration pause = FIRST_PAUSE;

    @GuardedBy("this")
    private long nextTry = System.nanoTime();

    @GuardedBy("this")
    private @Nullable SkepException lastFailure;

    DaemonLink(DaemonEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    DaemonEndpoint endpoint() {
        return endpoint;
    }

    /**
     * Connects if there is no connection and the pause is over. {@code onChange} runs whenever the daemon comes or
     * goes.
     */
    void connectIfDue(DaemonConnector connector, Runnable onChange) {
        RemoteDaemon made;
        synchronized (this) {
            if (connection != null || System.nanoTime() - nextTry < 0) {
                return;
            }
            made = connector.connect(endpoint, Optional.empty());
            connection = made;
        }
        var _ = made.connected().thenAccept(_ -> {
            cameUp(made);
            onChange.run();
        });
        var _ = made.lost().thenAccept(reason -> {
            wentDown(made, reason);
            onChange.run();
        });
    }

    private synchronized void cameUp(RemoteDaemon which) {
        if (connection == which) {
            alive = true;
            pause = FIRST_PAUSE;
        }
    }

    private synchronized void wentDown(RemoteDaemon which, SkepException reason) {
        if (connection != which) {
            return;
        }
        connection = null;
        alive = false;
        lastFailure = reason;
        nextTry = System.nanoTime() + pause.toNanos();
        pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
    }

    /** Returns the connection, if the daemon has greeted, is not leaving and is not lost. */
    synchronized Optional<RemoteDaemon> live() {
        return connected().filter(daemon -> !daemon.isLeaving());
    }

    /** Returns the connection, if the daemon has greeted and is not lost. */
    synchronized Optional<RemoteDaemon> connected() {
        return alive ? Optional.ofNullable(connection) : Optional.empty();
    }

    /** Describes the connection, or why there is none. */
    synchronized String state() {
        if (alive) {
            return live().isPresent() ? endpoint + " is there" : "the LLAP daemon at " + endpoint + " is leaving";
        }
        return lastFailure == null
                ? "the LLAP daemon at " + endpoint + " has not answered yet"
                : lastFailure.fullMessage();
    }

    /** Whether there is no connection. */
    synchronized boolean isDown() {
        return connection == null;
    }

    void close() {
        RemoteDaemon open;
        synchronized (this) {
            open = connection;
        }
        if (open != null) {
            open.close();
        }
    }
}
