package io.skep.service.wire;

import io.skep.authentication.tls.TlsContext;
import io.skep.authentication.tls.TlsProperties;
import io.skep.service.authentication.ClientLogin;
import io.skep.service.authentication.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.apache.hive.service.rpc.thrift.TCLIService;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection from its first byte to its end. It first identifies the client, then handles its calls one at a time.
 */
final class SocketConnection implements Watched {
    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);

    /** A client that is idle and does not respond on the network for two minutes has disconnected. */
    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 60,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 10,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 6);

    private final Socket socket;
    private final WireServices services;
    private final ThriftConfig config;
    private final String address;
    private final long connected = System.nanoTime();
    private final AnswerAccount answers;
    private final CallLimits limits;
    private volatile boolean closed;
    private volatile @Nullable ClientTransport transport;
    private volatile @Nullable ClientConnection connection;

    SocketConnection(Socket socket, WireServices services) {
        this.socket = socket;
        this.services = services;
        this.config = services.config();
        this.answers = new AnswerAccount(services.memory().answers());
        this.limits = new CallLimits(config, answers);
        this.address = socket.getInetAddress().getHostAddress();
    }

    /** Returns when the client has disconnected or was rejected. */
    void serve() {
        try (socket) {
            prepare();
            Optional<TlsContext> tls = services.tls();
            if (tls.isPresent()) {
                serveEncrypted(tls.get());
            } else {
                serve(socket.getInputStream(), socket.getOutputStream(), Optional.empty());
            }
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
    }

    /** Refuses a client that does not begin with TLS, with a reason in its own protocol. */
    private void serveEncrypted(TlsContext tls) throws IOException, TException {
        InputStream plain = socket.getInputStream();
        int first = plain.read();
        if (TlsContext.begins(first)) {
            SSLSocket encrypted = tls.accept(socket, first);
            serve(encrypted.getInputStream(), encrypted.getOutputStream(), Optional.empty());
        } else if (first >= 0) {
            String why =
                    "this server has " + TlsProperties.OF_CLIENTS.enabled().name() + "=true: connect with ssl=true";
            InputStream all = new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) first}), plain);
            serve(all, socket.getOutputStream(), Optional.of(why));
        }
    }

    /** @param refusal why the client is refused without a look at its login, if it is */
    private void serve(InputStream input, OutputStream output, Optional<String> refusal)
            throws IOException, TException {
        WireMemory memory = services.memory();
        ClientTransport stream = new ClientTransport(
                input,
                output,
                config.maxMessageBytes(),
                memory.buffers(),
                new RequestAccount(memory.requests()),
                answers);
        transport = stream;
        try {
            int first = stream.firstByte();
            boolean sasl = SaslNegotiation.begins(first);
            if (refusal.isPresent()) {
                refuse(stream, sasl, refusal.get());
            } else if (services.tls().isEmpty() && TlsContext.begins(first)) {
                LOG.info(
                        "{} speaks TLS, {} says otherwise",
                        address,
                        TlsProperties.OF_CLIENTS.enabled().name());
                output.write(TlsContext.refusal());
            } else if (sasl != config.sasl()) {
                refuse(stream, sasl, services.authentication().users().advice());
            } else {
                serve(stream, sasl);
            }
        } finally {
            stream.release();
        }
    }

    private void serve(ClientTransport stream, boolean sasl) throws TException {
        ClientLogin known = new ClientLogin(Optional.empty(), Optional.empty(), address, Transport.BINARY, false);
        if (sasl) {
            SaslNegotiation.Login login = new SaslNegotiation(stream, address, services.audit())
                    .accept(services.authentication(), config.maxMessageBytes());
            known = new ClientLogin(
                    Optional.of(login.user()), Optional.empty(), address, Transport.BINARY, login.byToken());
            stream.frame(login.protection());
        }
        try (ClientConnection calls = new ClientConnection(services, known, answers)) {
            TCLIService.Processor<ClientConnection> processor = new TCLIService.Processor<>(calls);
            RequestProtocol protocol = new RequestProtocol(stream);
            connection = calls;
            while (!closed) {
                processor.process(protocol, protocol);
                if (protocol.hasFailed() && !sasl) {
                    return;
                }
            }
        } finally {
            connection = null;
        }
    }

    /** Reports the refusal in the client's own protocol. */
    private void refuse(ClientTransport stream, boolean sasl, String why) throws TException {
        LOG.info("{} is refused: {}", address, why);
        if (sasl) {
            new SaslNegotiation(stream, address, services.audit()).refuse(why);
            return;
        }
        RequestProtocol protocol = new RequestProtocol(stream);
        TMessage message = protocol.readMessageBegin();
        protocol.writeMessageBegin(new TMessage(message.name, TMessageType.EXCEPTION, message.seqid));
        new TApplicationException(TApplicationException.UNSUPPORTED_CLIENT_TYPE, why).write(protocol);
        protocol.writeMessageEnd();
        stream.flush();
    }

    /** If a call is running, this also checks whether its client is still connected. */
    @Override
    public void watch(long now) {
        ClientTransport stream = transport;
        ClientConnection calls = connection;
        Optional<String> overdue = stream == null
                ? limits.login(now - connected)
                : limits.overdue(stream, connected, calls != null && calls.hasSessions(), now);
        if (overdue.isPresent()) {
            LOG.info("closing the connection of {}: {}", address, overdue.get());
            close();
            return;
        }
        if (stream != null && calls != null && stream.isWatchable()) {
            Thread.ofVirtual().name("watch").start(() -> stream.watch(calls::clientGone));
        }
    }

    /** Closes the connection. A running call stops together with its session. */
    void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn("closing a connection failed", e);
        }
    }
}
