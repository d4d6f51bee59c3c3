package io.skep.service.http;

import io.skep.service.wire.ThriftConfig;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open connections of clients, up to a limit. Further ones are closed at once. Thread-safe. */
final class HttpConnections implements Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnections.class);

    private final Map<Connection, HttpClientConnection> open = new ConcurrentHashMap<>();
    private final ThriftConfig config;

    HttpConnections(ThriftConfig config) {
        this.config = config;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            // The connection that it encrypts is opened with it, before the handshake.
            return;
        }
        if (open.size() >= config.maxConnections()) {
            LOG.debug("{} connections are open; others are refused", open.size());
            connection.getEndPoint().close();
            return;
        }
        open.put(connection, new HttpClientConnection(connection, config));
    }

    @Override
    public void onClosed(Connection connection) {
        open.remove(connection);
    }

    /** Returns the connection as it is watched; a new one when it was just closed. */
    HttpClientConnection of(Connection connection) {
        HttpClientConnection known = open.get(connection);
        return known == null ? new HttpClientConnection(connection, config) : known;
    }

    /** Returns a view of the connections that are open at each time. */
    Collection<HttpClientConnection> all() {
        return open.values();
    }
}
