package io.skep.service.wire;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.KerberosConfig;
import io.skep.authentication.SaslProtection;
import io.skep.authentication.tls.TlsConfig;
import io.skep.authentication.tls.TlsProperties;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import io.skep.service.authentication.ClientAuthenticationConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings for the protocol between the server and its clients.
 *
 * @param transport binary, http or all
 * @param authentication how clients log in
 * @param maxMessageBytes maximum size of a client's message
 * @param loginTimeout time limit for a client's login
 * @param messageTimeout time limit for a client to send a message that it has begun, or to read a part of an answer
 * @param idleConnection a connection without a session is closed after this time
 * @param requestMemory bytes that active requests may hold together
 * @param answerMemory bytes that result pages may hold together
 * @param maxConnections maximum number of open connections
 * @param maxSessionsPerConnection maximum number of sessions that a connection may open
 * @param longPoll maximum time for which a status call on a running operation waits for its end
 * @param closeOnDisconnect whether sessions are closed with the connection that opened them
 * @param defaultFetchRows rows of a page when the client does not specify them
 * @param maxFetchRows maximum rows of a page
 * @param progress whether clients that request it get a query's progress
 * @param log whether statements have a log
 * @param tls encryption of connections
 */
public record ThriftConfig(
        String transport,
        ClientAuthenticationConfig authentication,
        int maxMessageBytes,
        Duration loginTimeout,
        Duration messageTimeout,
        Duration idleConnection,
        long requestMemory,
        long answerMemory,
        int maxConnections,
        int maxSessionsPerConnection,
        Duration longPoll,
        boolean closeOnDisconnect,
        int defaultFetchRows,
        int maxFetchRows,
        boolean progress,
        boolean log,
        TlsConfig tls) {
    private static final String BINARY = "binary";
    private static final String HTTP = "http";
    private static final int HEAP_SHARE = 8;

    static final Property<String> TRANSPORT = new Property<>(
            "hive.server2.transport.mode",
            PropertyType.oneOf(BINARY, HTTP, "all"),
            BINARY,
            "Transport of Thrift: binary, http, or all for both, each on its port.");
    static final Property<Long> MAX_MESSAGE = new Property<>(
            "hive.server2.thrift.max.message.size",
            PropertyType.size(1 << 16, Integer.MAX_VALUE),
            "100MB",
            "Maximum size of a message from a client.");
    static final Property<Duration> LOGIN_TIMEOUT = new Property<>(
            "skep.thrift.login-timeout",
            PropertyType.time(Duration.ofMillis(1)),
            "20s",
            "Maximum time of a login; 0: no limit.");
    static final Property<Duration> MESSAGE_TIMEOUT = new Property<>(
            "skep.thrift.message-timeout",
            PropertyType.time(Duration.ofMillis(1)),
            "60s",
            "Maximum time for a client to send the rest of a message, and to receive 64 KB of an answer; 0: no "
                    + "limit.");
    static final Property<Duration> IDLE_CONNECTION = new Property<>(
            "skep.thrift.idle-connection-timeout",
            PropertyType.time(Duration.ofMillis(1)),
            "10m",
            "Idle timeout of connections without a session; 0: never.");
    static final Property<Optional<Long>> REQUEST_MEMORY = new Property<>(
            "skep.thrift.request-memory",
            PropertyType.derivable(PropertyType.size(1 << 20, Long.MAX_VALUE)),
            PropertyType.AUTO,
            "Memory for all requests of more than 32 KB; auto: an eighth of the heap.");
    static final Property<Optional<Long>> ANSWER_MEMORY = new Property<>(
            "skep.thrift.answer-memory",
            PropertyType.derivable(PropertyType.size(1 << 20, Long.MAX_VALUE)),
            PropertyType.AUTO,
            "Memory for all pages of results that are being sent; further ones wait. auto: an eighth of the heap.");
    static final Property<Integer> MAX_CONNECTIONS = new Property<>(
            "skep.thrift.max-connections",
            PropertyType.integer(1, 1_000_000),
            "20000",
            "Maximum number of connections of each transport; further ones are closed at once.");
    static final Property<Integer> MAX_SESSIONS_PER_CONNECTION = new Property<>(
            "skep.thrift.max-sessions-per-connection",
            PropertyType.integer(1, 1_000_000),
            "1000",
            "Maximum number of sessions of one connection.");
    static final Property<Duration> LONG_POLL = new Property<>(
            "hive.server2.long.polling.timeout",
            PropertyType.time(Duration.ofMillis(1)),
            "5000ms",
            "Maximum time for which the server delays the answer to a status request while a statement runs; the "
                    + "first delay is half a second.");
    static final Property<Boolean> CLOSE_ON_DISCONNECT = new Property<>(
            "hive.server2.close.session.on.disconnect",
            PropertyType.flag(),
            "true",
            "Whether a session closes with the connection that opened it.");
    static final Property<Integer> DEFAULT_FETCH = new Property<>(
            "hive.server2.thrift.resultset.default.fetch.size",
            PropertyType.integer(1, 10_000_000),
            "1000",
            "Rows of a page when the client does not name a number.");
    static final Property<Integer> MAX_FETCH = new Property<>(
            "hive.server2.thrift.resultset.max.fetch.size",
            PropertyType.integer(1, 10_000_000),
            "10000",
            "Maximum number of rows of a page.");
    static final Property<Boolean> PROGRESS = new Property<>(
            "hive.server2.in.place.progress",
            PropertyType.flag(),
            "true",
            "Whether clients that ask for it get a query's progress.");
    static final Property<Boolean> LOG = new Property<>(
            "hive.server2.logging.operation.enabled",
            PropertyType.flag(),
            "true",
            "Whether clients can read the log of a statement.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            TRANSPORT,
            MAX_MESSAGE,
            LOGIN_TIMEOUT,
            MESSAGE_TIMEOUT,
            IDLE_CONNECTION,
            REQUEST_MEMORY,
            ANSWER_MEMORY,
            MAX_CONNECTIONS,
            MAX_SESSIONS_PER_CONNECTION,
            LONG_POLL,
            CLOSE_ON_DISCONNECT,
            DEFAULT_FETCH,
            MAX_FETCH,
            PROGRESS,
            LOG);

    public static ThriftConfig of(SettingsReader reader) {
        String transport = reader.read(TRANSPORT);
        return new ThriftConfig(
                transport,
                ClientAuthenticationConfig.of(reader, !transport.equals(HTTP)),
                Math.toIntExact(reader.read(MAX_MESSAGE)),
                reader.read(LOGIN_TIMEOUT),
                reader.read(MESSAGE_TIMEOUT),
                reader.read(IDLE_CONNECTION),
                reader.read(REQUEST_MEMORY).orElseGet(() -> Runtime.getRuntime().maxMemory() / HEAP_SHARE),
                reader.read(ANSWER_MEMORY).orElseGet(() -> Runtime.getRuntime().maxMemory() / HEAP_SHARE),
                reader.read(MAX_CONNECTIONS),
                reader.read(MAX_SESSIONS_PER_CONNECTION),
                reader.read(LONG_POLL),
                reader.read(CLOSE_ON_DISCONNECT),
                reader.read(DEFAULT_FETCH),
                reader.read(MAX_FETCH),
                reader.read(PROGRESS),
                reader.read(LOG),
                TlsConfig.of(reader));
    }

    /** Whether clients log in: by SASL or, over HTTP, by a header. */
    public boolean sasl() {
        return authentication.users().sasl();
    }

    public boolean isBinary() {
        return !transport.equals(HTTP);
    }

    public boolean isHttp() {
        return !transport.equals(BINARY);
    }

    /**
     * Returns the settings that a client needs in addition to host, port and path when it finds the server in
     * ZooKeeper. A server with both transports names the binary one, because clients take one port.
     */
    public Map<String, String> published() {
        Map<String, String> published = new HashMap<>(Map.of(
                TRANSPORT.name(),
                isBinary() ? BINARY : HTTP,
                AuthenticationConfig.MODES.name(),
                authentication.users().text(),
                TlsProperties.OF_CLIENTS.enabled().name(),
                Boolean.toString(tls.enabled())));
        if (isBinary()) {
            published.put(
                    KerberosConfig.PROTECTION.name(),
                    authentication
                            .users()
                            .kerberos()
                            .map(KerberosConfig::protection)
                            .orElse(SaslProtection.AUTH)
                            .text());
        }
        return published;
    }

    /** Returns the number of rows for a page that a client requests. */
    int pageRows(long asked) {
        return (int) Math.min(asked > 0 ? asked : defaultFetchRows, maxFetchRows);
    }
}
