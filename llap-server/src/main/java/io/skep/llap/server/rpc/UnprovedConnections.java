package io.skep.llap.server.rpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections of a daemon that have not proved who they are. Their number and their time are limited from the moment at which they
 * are accepted, whatever they send or do not send: each may hold some hundred kilobytes. Thread-safe.
 */
final class UnprovedConnections {
    static final int MAX_CONNECTIONS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(UnprovedConnections.class);

    /** Time for the other side to end its streams after it was asked to. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Duration timeout;
    /** By the address of the other side, which a connection has for itself while it lasts. */
    private final Map<SocketAddress, Channel> unproved = new ConcurrentHashMap<>();

    /** @param timeout within which a connection is to prove itself */
    UnprovedConnections(Duration timeout) {
        this.timeout = timeout;
    }

    /** A connection has been accepted. On its own thread. */
    void accepted(Channel channel) {
        SocketAddress from = channel.remoteAddress();
        if (from == null || unproved.size() >= MAX_CONNECTIONS) {
            LOG.warn("A connection from {} is refused: {} others have not proved themselves", from, unproved.size());
            var _ = channel.close();
            return;
        }
        unproved.put(from, channel);
        var _ = channel.closeFuture().addListener(_ -> unproved.remove(from, channel));
        var _ = channel.eventLoop().schedule(() -> end(from, channel), timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * On the channel's thread. HTTP/2's own way of closing tells the other side, and then waits without a limit for streams that it
     * does not end; the connection counts until it is closed.
     */
    private void end(SocketAddress from, Channel channel) {
        if (channel.equals(unproved.get(from))) {
            LOG.warn("The connection from {} is ended: it has not proved itself for {} ms", from, timeout.toMillis());
            var _ = channel.close();
            var _ = channel.eventLoop().schedule(() -> force(channel), GRACE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private static void force(Channel channel) {
        channel.unsafe().close(channel.voidPromise());
    }

    /** The connection from there has proved itself. */
    void proved(@Nullable SocketAddress from) {
        if (from != null) {
            unproved.remove(from);
        }
    }

    int count() {
        return unproved.size();
    }
}
