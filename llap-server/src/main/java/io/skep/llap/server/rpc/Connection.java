package io.skep.llap.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.llap.client.DaemonIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one connection that another process has made: whether it is trusted, and which calls read over it.
 * Guarded by itself.
 */
final class Connection {
    private static final int MAX_GREETINGS = 16;

    @GuardedBy("this")
    private final List<InboundStream> calls = new ArrayList<>();

    @GuardedBy("this")
    private byte @Nullable [] challenge;

    @GuardedBy("this")
    private int greetings;

    @GuardedBy("this")
    private boolean believed;

    @GuardedBy("this")
    private Optional<DaemonIdentity> client = Optional.empty();

    @GuardedBy("this")
    private @Nullable SkepException lost;

    /** Whether one more greeting may be answered. */
    synchronized boolean countGreeting() {
        return ++greetings <= MAX_GREETINGS;
    }

    synchronized void challenge(byte[] made) {
        challenge = made;
    }

    /** Returns the challenge that the peer must answer. Each challenge can be answered once. */
    synchronized byte @Nullable [] takeChallenge() {
        byte[] made = challenge;
        challenge = null;
        return made;
    }

    /** @param daemon the connected daemon; empty when the peer is not a daemon */
    synchronized void markTrusted(Optional<DaemonIdentity> daemon) {
        believed = true;
        client = daemon;
    }

    synchronized boolean isBelieved() {
        return believed;
    }

    /** The connected daemon; empty when the peer is not a daemon. */
    synchronized Optional<DaemonIdentity> client() {
        return client;
    }

    /** Adds a call that ends with the connection. */
    void add(InboundStream call) {
        SkepException reason;
        synchronized (this) {
            calls.removeIf(InboundStream::isOver);
            calls.add(call);
            reason = lost;
        }
        if (reason != null) {
            call.end(reason);
        }
    }

    /** Ends the calls, because the connection to the peer is lost. */
    void end(SkepException reason) {
        List<InboundStream> open;
        synchronized (this) {
            lost = reason;
            open = List.copyOf(calls);
        }
        open.forEach(call -> call.end(reason));
    }
}
