package io.skep.service.wire;

import io.skep.authentication.tls.TlsContext;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.metadata.ServerName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients of HiveServer2's binary protocol. Each connection has a virtual thread, which uses no platform
 * thread while the client is idle.
 */
public final class ThriftServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftServer.class);
    private static final Duration REFUSAL_LOG_INTERVAL = Duration.ofMinutes(1);

    private final ServerSocket listener;
    private final WireServices services;
    private final Set<SocketConnection> connections = ConcurrentHashMap.newKeySet();
    private final ConnectionWatch watch = new ConnectionWatch(connections);
    private final LogLimit refusals = new LogLimit(REFUSAL_LOG_INTERVAL);

    /** @param port 0 for any free one */
    public ThriftServer(InetAddress host, int port, WireServices services) {
        this.services = services;
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
    }

    public void start() {
        Thread.ofPlatform().name("thrift-accept").daemon().start(new Acceptor(listener, this::accepted));
        watch.start();
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the version of Hive that is reported to clients. */
    public static String hiveVersion() {
        return ServerName.VERSION;
    }

    public int connectionCount() {
        return connections.size();
    }

    /**
     * Returns when a new connection was answered or refused. Used by the server's probe of itself.
     *
     * @throws IOException when no answer arrives in time
     */
    public void awaitAnswer(Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket socket = new Socket()) {
            InetAddress host = listener.getInetAddress();
            InetAddress own = host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host;
            socket.connect(new InetSocketAddress(own, listener.getLocalPort()), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(question());
            int answer = socket.getInputStream().read();
            LOG.trace("the server's own port has answered with {}", answer);
        } catch (IOException e) {
            // Without a descriptor for the client side no probe is possible. Connected clients are still served.
            if (!String.valueOf(e.getMessage()).contains("Too many open files")) {
                throw e;
            }
        }
    }

    private byte[] question() {
        if (services.tls().isPresent()) {
            return TlsContext.question();
        }
        return services.config().sasl() ? SaslNegotiation.QUESTION : RequestProtocol.question();
    }

    /** Returns the bytes that active requests hold together, beyond what each may use without a reservation. */
    long requestBytes() {
        return services.requestBytes();
    }

    private void accepted(Socket socket) {
        if (connections.size() >= services.config().maxConnections()) {
            if (refusals.allows()) {
                LOG.warn(
                        "{} connections are open, as many as {} allows; others are refused",
                        connections.size(),
                        ThriftConfig.MAX_CONNECTIONS.name());
            }
            closeQuietly(socket);
            return;
        }
        SocketConnection connection = new SocketConnection(socket, services);
        connections.add(connection);
        try {
            Thread.ofVirtual().name("client-" + socket.getRemoteSocketAddress()).start(() -> serve(connection));
        } catch (RuntimeException | Error e) {
            connections.remove(connection);
            throw e;
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a refused connection failed: {}", e.toString());
        }
    }

    private void serve(SocketConnection connection) {
        try {
            connection.serve();
        } finally {
            connections.remove(connection);
        }
    }

    @Override
    public void close() {
        watch.close();
        try {
            listener.close();
            connections.forEach(SocketConnection::close);
        } catch (IOException e) {
            LOG.warn("closing the listener failed", e);
        }
    }
}
