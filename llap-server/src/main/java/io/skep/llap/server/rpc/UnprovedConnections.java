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
 * The connections of a daemon that have not proved who they are. Their number and duration are limited from the time of
 * acceptance, whatever they send or do not send, because each may hold some hundred kilobytes. Thread-safe.
 */
public final class UnprovedConnections {
    static final int MAX_CONNECTIONS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(UnprovedConnections.class);

    /** The time that the peer has to end its streams after it was asked to. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Duration timeout;
    /** By the address of the peer, which is unique to a connection while it lasts. */
    private final Map<SocketAddress, Channel> unproved = new ConcurrentHashMap<>();

    /** @param timeout time within which a connection must prove itself */
    public UnprovedConnections(Duration timeout) {
        this.timeout = timeout;
    }

    /** Registers an accepted connection. Called on the connection's own thread. */
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
     * Ends a connection. Called on the channel's thread. HTTP/2's graceful close notifies the peer, and then waits
     * without limit for streams that the peer does not end. The connection counts until it is closed.
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

    /** Notes that the connection from this address has proved itself. */
    public void proved(@Nullable SocketAddress from) {
        if (from != null) {
            unproved.remove(from);
        }
    }

    public int count() {
        return unproved.size();
    }
}
