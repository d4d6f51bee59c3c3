package io.skep.service.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.service.session.ClientSessions;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients of HiveServer2's binary protocol. Each connection has a virtual thread, which holds no thread of the
 * system while the client is silent. Clients may speak SASL PLAIN or plain Thrift: their first byte tells.
 */
public final class ThriftServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftServer.class);
    private static final int BUFFER = 64 << 10;
    private static final int SASL_START = 1;

    private final ServerSocket listener;
    private final ClientSessions sessions;
    private final Catalog catalog;
    private final int maxMessageBytes;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param port 0 for any free one */
    public ThriftServer(InetAddress host, int port, ClientSessions sessions, Catalog catalog, int maxMessageBytes) {
        this.sessions = sessions;
        this.catalog = catalog;
        this.maxMessageBytes = maxMessageBytes;
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

    public int connectionCount() {
        return connections.size();
    }

    private void acceptAll() {
        while (!closed) {
            try {
                Socket socket = listener.accept();
                connections.add(socket);
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
        String address = socket.getInetAddress().getHostAddress();
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            PushbackInputStream in = new PushbackInputStream(socket.getInputStream(), 1);
            int first = in.read();
            if (first < 0) {
                return;
            }
            in.unread(first);
            TTransport raw = new BufferedSocketTransport(
                    new TIOStreamTransport(in, socket.getOutputStream()), BUFFER, maxMessageBytes);
            serve(raw, first == SASL_START, address);
        } catch (IOException | TException e) {
            LOG.debug("connection of {} ended: {}", address, e.toString());
        } finally {
            connections.remove(socket);
        }
    }

    private void serve(TTransport raw, boolean sasl, String address) throws TException {
        TTransport transport = raw;
        String user = "anonymous";
        if (sasl) {
            SaslPlainTransport plain = new SaslPlainTransport(raw, maxMessageBytes);
            user = plain.accept();
            transport = plain;
        }
        TProtocol protocol = new TBinaryProtocol(transport);
        ClientConnection connection = new ClientConnection(sessions, catalog, user, address);
        try {
            TCLIService.Processor<ClientConnection> processor = new TCLIService.Processor<>(connection);
            while (!closed) {
                processor.process(protocol, protocol);
            }
        } finally {
            connection.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
            for (Socket socket : connections) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.warn("closing the listener failed", e);
        }
    }
}
