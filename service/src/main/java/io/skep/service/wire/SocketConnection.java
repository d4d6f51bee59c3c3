package io.skep.service.wire;

import io.skep.metastore.Catalog;
import io.skep.service.session.ClientSessions;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection from its first byte to its end: who the client is, then its calls, one at a time. */
final class SocketConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);
    private static final int BUFFER = 64 << 10;
    private static final int SASL_START = 1;

    /** A client that is silent and does not answer the network for two minutes has gone. */
    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 60,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 10,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 6);

    private final Socket socket;
    private final ClientSessions sessions;
    private final Catalog catalog;
    private final WireTerms terms;
    private volatile boolean closed;
    private volatile @Nullable Call call;

    /** A call at work. */
    private record Call(BufferedSocketTransport transport, ClientConnection connection) {}

    SocketConnection(Socket socket, ClientSessions sessions, Catalog catalog, WireTerms terms) {
        this.socket = socket;
        this.sessions = sessions;
        this.catalog = catalog;
        this.terms = terms;
    }

    /** Returns when the client has gone, or was sent away. */
    void serve() {
        String address = socket.getInetAddress().getHostAddress();
        try (socket) {
            prepare();
            PushbackInputStream in = new PushbackInputStream(socket.getInputStream(), 1);
            int first = in.read();
            if (first < 0) {
                return;
            }
            in.unread(first);
            BufferedSocketTransport raw = new BufferedSocketTransport(
                    new TIOStreamTransport(in, socket.getOutputStream()), BUFFER, terms.maxMessageBytes());
            serve(raw, first == SASL_START, address);
        } catch (IOException | TException e) {
            LOG.debug("connection of {} ended: {}", address, e.toString());
        } catch (RuntimeException e) {
            LOG.warn("connection of {} ended by what it sent", address, e);
        }
    }

    private void prepare() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
            if (socket.supportedOptions().contains(option.getKey())) {
                socket.setOption(option.getKey(), option.getValue());
            }
        }
        socket.setSoTimeout(Math.toIntExact(terms.loginTimeout().toMillis()));
    }

    private void serve(BufferedSocketTransport raw, boolean sasl, String address) throws TException, IOException {
        if (sasl != terms.sasl()) {
            refuse(raw, sasl, address);
            return;
        }
        TTransport transport = raw;
        String user = "anonymous";
        if (sasl) {
            SaslPlainTransport plain = new SaslPlainTransport(raw, terms.maxMessageBytes());
            user = plain.accept();
            transport = plain;
        }
        socket.setSoTimeout(0);
        try (ClientConnection connection = new ClientConnection(sessions, catalog, terms, user, address)) {
            TCLIService.Processor<ClientConnection> processor = new TCLIService.Processor<>(connection);
            TProtocol protocol = new WatchedProtocol(transport, raw);
            call = new Call(raw, connection);
            while (!closed) {
                processor.process(protocol, protocol);
            }
        } finally {
            call = null;
        }
    }

    /** Tells it in the client's own way of speaking. */
    private static void refuse(BufferedSocketTransport raw, boolean sasl, String address) throws TException {
        String setting = WireTerms.AUTHENTICATION.name();
        LOG.info("{} speaks {}SASL, {} says otherwise", address, sasl ? "" : "no ", setting);
        if (sasl) {
            new SaslPlainTransport(raw, BUFFER).refuse("this server has " + setting + "=NOSASL: connect without SASL");
            return;
        }
        TProtocol protocol = new TBinaryProtocol(raw);
        TMessage message = protocol.readMessageBegin();
        protocol.writeMessageBegin(new TMessage(message.name, TMessageType.EXCEPTION, message.seqid));
        new TApplicationException(
                        TApplicationException.UNSUPPORTED_CLIENT_TYPE,
                        "this server has " + setting + "=NONE: connect with SASL PLAIN")
                .write(protocol);
        protocol.writeMessageEnd();
        raw.flush();
    }

    /** Knows when a call has been read and when its answer begins. */
    private static final class WatchedProtocol extends TBinaryProtocol {
        private final BufferedSocketTransport socket;

        WatchedProtocol(TTransport transport, BufferedSocketTransport socket) {
            super(transport);
            this.socket = socket;
        }

        @Override
        public void readMessageEnd() throws TException {
            super.readMessageEnd();
            socket.busy(true);
        }

        @Override
        public void writeMessageBegin(TMessage message) throws TException {
            socket.busy(false);
            super.writeMessageBegin(message);
        }
    }

    /** Looks, if a call is at work, whether its client is still there. Called from time to time; does not wait. */
    void watch() {
        Call now = call;
        if (now != null && now.transport().isBusy()) {
            Thread.ofVirtual().name("watch").start(() -> now.transport().watch(now.connection()::clientGone));
        }
    }

    /** Ends the connection; a call at work ends with its session. */
    void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn("closing a connection failed", e);
        }
    }
}
