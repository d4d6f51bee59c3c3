package io.skep.service.http;

import io.skep.service.wire.SingleCall;
import io.skep.service.wire.ThriftConfig;
import io.skep.service.wire.Watched;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection as it is watched. Until a call of a known client has begun on it, it has the time of a login, for the
 * handshake of TLS as well. Later the headers of a request have the time of a message, and so have call and answer. A
 * connection without a request is closed by the idle timeout of the HTTP server.
 */
final class HttpClientConnection implements Watched {
    private static final Logger LOG = LoggerFactory.getLogger(HttpClientConnection.class);

    private final Connection connection;
    private final ThriftConfig config;
    private final long opened = System.nanoTime();
    private volatile boolean known;
    private volatile @Nullable SingleCall call;
    private volatile long bytesOfCalls;
    /** When the watch first saw bytes of the next request; 0 when it has seen none. Owned by the watch. */
    private long requestSeen;

    HttpClientConnection(Connection connection, ThriftConfig config) {
        this.connection = connection;
        this.config = config;
    }

    /** Called when the header of a request was read, and its client is known. */
    void begin(SingleCall begun) {
        known = true;
        call = begun;
    }

    /** Called when the call was answered, or has failed. */
    void end() {
        bytesOfCalls = connection.getBytesIn();
        call = null;
    }

    @Override
    public void watch(long now) {
        overdue(now).ifPresent(why -> {
            LOG.info(
                    "closing the connection of {}: {}", connection.getEndPoint().getRemoteSocketAddress(), why);
            connection.getEndPoint().close(new TimeoutException(why));
        });
    }

    private Optional<String> overdue(long now) {
        SingleCall running = call;
        if (running != null) {
            requestSeen = 0;
            return running.overdue(now);
        }
        if (!known) {
            return passed("the time for the first request", config.loginTimeout(), now - opened);
        }
        if (connection.getBytesIn() == bytesOfCalls) {
            requestSeen = 0;
        } else if (requestSeen == 0) {
            requestSeen = now;
        }
        return requestSeen == 0
                ? Optional.empty()
                : passed("the time for the header of a request", config.messageTimeout(), now - requestSeen);
    }

    private static Optional<String> passed(String what, Duration limit, long nanos) {
        return limit.isZero() || nanos < limit.toNanos() ? Optional.empty() : Optional.of(what + " has passed");
    }
}
