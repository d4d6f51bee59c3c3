package io.skep.service.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.Timers.Timer;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients of HiveServer2's binary protocol. Each connection has a virtual thread, which holds no thread of the
 * system while the client is silent.
 */
public final class ThriftServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftServer.class);
    private static final Duration WATCH_INTERVAL = Duration.ofMillis(500);

    private final ServerSocket listener;
    private final ClientSessions sessions;
    private final Catalog catalog;
    private final WireTerms terms;
    private final Timer watching;
    private final Set<SocketConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param port 0 for any free one */
    public ThriftServer(InetAddress host, int port, ClientSessions sessions, Catalog catalog, WireTerms terms) {
        this.sessions = sessions;
        this.catalog = catalog;
        this.terms = terms;
        try {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(host, port), 1024);
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "cannot listen on " + host.getHostAddress() + ":" + port + ": " + e.getMessage(),
                    e);
        }
        watching = sessions.timers().every(WATCH_INTERVAL, () -> connections.forEach(SocketConnection::watch));
    }

    public void start() {
        Thread.ofPlatform().name("thrift-accept").daemon().start(this::acceptAll);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** How a client on this machine names the server's host. */
    public String clientHost() {
        InetAddress host = listener.getInetAddress();
        if (host.isAnyLocalAddress()) {
            return "127.0.0.1";
        }
        return host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
    }

    public String jdbcUrl() {
        return "jdbc:hive2://" + clientHost() + ":" + port() + "/default";
    }

    /** The version of Hive that clients are told. */
    public String hiveVersion() {
        return ServerInfo.HIVE_VERSION;
    }

    public int connectionCount() {
        return connections.size();
    }

    private void acceptAll() {
        while (!closed) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual()
                        .name("client-" + socket.getRemoteSocketAddress())
                        .start(() -> serve(socket));
            } catch (SocketException e) {
                if (!closed) {
                    LOG.warn("accepting a connection failed", e);
                }
            } catch (IOException e) {
                LOG.warn("accepting a connection failed", e);
            }
        }
    }

    private void serve(Socket socket) {
        SocketConnection connection = new SocketConnection(socket, sessions, catalog, terms);
        connections.add(connection);
        try {
            connection.serve();
        } finally {
            connections.remove(connection);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
            watching.close();
            connections.forEach(SocketConnection::close);
        } catch (IOException e) {
            LOG.warn("closing the listener failed", e);
        }
    }
}
