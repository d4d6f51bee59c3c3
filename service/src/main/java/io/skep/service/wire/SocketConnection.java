package io.skep.service.wire;

import io.skep.common.config.Property;
import io.skep.metastore.Catalog;
import io.skep.service.session.ClientSessions;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
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
final class SocketConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SocketConnection.class);

    /** A client that is idle and does not respond on the network for two minutes has disconnected. */
    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 60,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 10,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 6);

    private final Socket socket;
    private final ClientSessions sessions;
    private final Catalog catalog;
    private final ThriftConfig config;
    private final WireMemory memory;
    private final String address;
    private final long connected = System.nanoTime();
    private final AnswerAccount answers;
    private volatile boolean closed;
    private volatile @Nullable ClientTransport transport;
    private volatile @Nullable ClientConnection connection;

    SocketConnection(Socket socket, ClientSessions sessions, Catalog catalog, ThriftConfig config, WireMemory memory) {
        this.socket = socket;
        this.sessions = sessions;
        this.catalog = catalog;
        this.config = config;
        this.memory = memory;
        this.answers = new AnswerAccount(memory.answers());
        this.address = socket.getInetAddress().getHostAddress();
    }

    /** Returns when the client has disconnected or was rejected. */
    void serve() {
        try (socket) {
            prepare();
            ClientTransport stream = new ClientTransport(
                    socket.getInputStream(),
                    socket.getOutputStream(),
                    config.maxMessageBytes(),
                    memory.buffers(),
                    new RequestAccount(memory.requests()),
                    answers);
            transport = stream;
            try {
                serve(stream, SaslNegotiation.begins(stream.firstByte()));
            } finally {
                stream.release();
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

    private void serve(ClientTransport stream, boolean sasl) throws TException {
        if (sasl != config.sasl()) {
            refuse(stream, sasl);
            return;
        }
        Optional<String> user = Optional.empty();
        if (sasl) {
            user = Optional.of(new SaslNegotiation(stream).accept());
            stream.frame();
        }
        try (ClientConnection calls = new ClientConnection(sessions, catalog, config, user, address, answers)) {
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
    private void refuse(ClientTransport stream, boolean sasl) throws TException {
        String setting = ThriftConfig.AUTHENTICATION.name();
        LOG.info("{} speaks {}SASL, {} says otherwise", address, sasl ? "" : "no ", setting);
        if (sasl) {
            new SaslNegotiation(stream).refuse("this server has " + setting + "=NOSASL: connect without SASL");
            return;
        }
        RequestProtocol protocol = new RequestProtocol(stream);
        TMessage message = protocol.readMessageBegin();
        protocol.writeMessageBegin(new TMessage(message.name, TMessageType.EXCEPTION, message.seqid));
        new TApplicationException(
                        TApplicationException.UNSUPPORTED_CLIENT_TYPE,
                        "this server has " + setting + "=NONE: connect with SASL PLAIN")
                .write(protocol);
        protocol.writeMessageEnd();
        stream.flush();
    }

    /**
     * Closes the connection if it is overdue. If a call is running, checks whether its client is still connected.
     * Called periodically, and does not wait.
     *
     * @param now {@link System#nanoTime}
     */
    void watch(long now) {
        ClientTransport stream = transport;
        if (stream == null) {
            return;
        }
        Optional<String> overdue = overdue(stream, now);
        if (overdue.isPresent()) {
            LOG.info("closing the connection of {}: {}", address, overdue.get());
            close();
            return;
        }
        ClientConnection calls = connection;
        if (calls != null && stream.isWatchable()) {
            Thread.ofVirtual().name("watch").start(() -> stream.watch(calls::clientGone));
        }
    }

    /** Returns the time limit that the client has exceeded, if any. */
    private Optional<String> overdue(ClientTransport stream, long now) {
        ClientTransport.Phase phase = stream.phase();
        ClientConnection calls = connection;
        long start = phase == ClientTransport.Phase.LOGIN ? connected : stream.since();
        if (stream.phase() != phase) {
            return Optional.empty();
        }
        return switch (phase) {
            case LOGIN -> passed(ThriftConfig.LOGIN_TIMEOUT, config.loginTimeout(), now - start);
            case READING -> passed(ThriftConfig.MESSAGE_TIMEOUT, config.messageTimeout(), now - start);
            case WRITING -> {
                boolean inTheWay =
                        !config.messageTimeout().isZero() && answers.blocksOthers(now, config.messageTimeout());
                yield inTheWay
                        ? Optional.of("others wait for the memory of its answer")
                        : passed(ThriftConfig.MESSAGE_TIMEOUT, config.messageTimeout(), now - start);
            }
            case IDLE ->
                calls != null && calls.hasSessions()
                        ? Optional.empty()
                        : passed(ThriftConfig.IDLE_CONNECTION, config.idleConnection(), now - start);
            case WORKING -> Optional.empty();
        };
    }

    private static Optional<String> passed(Property<Duration> setting, Duration limit, long nanos) {
        return limit.isZero() || nanos < limit.toNanos()
                ? Optional.empty()
                : Optional.of(setting.name() + " has passed");
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
