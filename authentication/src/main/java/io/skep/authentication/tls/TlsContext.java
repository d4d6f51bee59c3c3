package io.skep.authentication.tls;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;

/**
 * The server's key, and the versions and cipher suites of TLS that clients may use. Both transports share it. Messages
 * of a handshake are bounded by the JDK (32 KB). Thread-safe.
 */
public final class TlsContext {
    /** Resumption by tickets needs no memory. Sessions of TLS 1.2 without tickets are kept within this number. */
    private static final int MAX_KEPT_SESSIONS = 1_000;

    private static final int HANDSHAKE_RECORD = 22;

    private final TlsConfig config;
    private final SSLContext context;
    private final List<String> protocols;
    private final List<String> ciphers;

    private TlsContext(TlsConfig config, SSLContext context) {
        this.config = config;
        this.context = context;
        this.protocols = Arrays.stream(context.getDefaultSSLParameters().getProtocols())
                .filter(protocol -> !config.excludedProtocols().contains(protocol.toLowerCase(Locale.ROOT)))
                .toList();
        this.ciphers = config.binaryCiphers();
        if (protocols.isEmpty()) {
            throw wrong(TlsConfig.EXCLUDED_PROTOCOLS.name() + " leaves no version of TLS");
        }
        List<String> supported = List.of(context.getSupportedSSLParameters().getCipherSuites());
        ciphers.stream()
                .filter(cipher -> !supported.contains(cipher))
                .findFirst()
                .ifPresent(unknown -> {
                    throw wrong(TlsConfig.BINARY_CIPHERS.name() + ": the JDK has no cipher suite '" + unknown + "'");
                });
    }

    /**
     * @param site all settings of the site, with its credential providers
     * @return empty when clients do not use TLS
     * @throws SkepException INVALID_CONFIGURATION when a file, password, version or cipher suite is wrong
     */
    public static Optional<TlsContext> open(TlsConfig config, Configuration site) {
        return config.enabled() ? Optional.of(of(config, TlsStores.open(config, site))) : Optional.empty();
    }

    /** @throws SkepException INVALID_CONFIGURATION when a key, version or cipher suite is wrong */
    public static TlsContext of(TlsConfig config, TlsStores stores) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trust = stores.trustManagers()
                    .map(TrustManagerFactory::getTrustManagers)
                    .orElse(null);
            context.init(stores.keyManagers().getKeyManagers(), trust, null);
            context.getServerSessionContext().setSessionCacheSize(MAX_KEPT_SESSIONS);
            return new TlsContext(config, context);
        } catch (GeneralSecurityException e) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "TLS cannot be used: " + e.getMessage(), e);
        }
    }

    private static SkepException wrong(String problem) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, problem);
    }

    /** Returns a handshake record without content, which a server answers with an alert. */
    public static byte[] question() {
        return new byte[] {HANDSHAKE_RECORD, 3, 1, 0, 0};
    }

    /** Returns the fatal alert "handshake_failure", for clients of a server without TLS. */
    public static byte[] refusal() {
        return new byte[] {21, 3, 1, 0, 2, 2, 40};
    }

    /** Returns the key and what clients' certificates are verified with, for a library that performs the handshake. */
    public SSLContext context() {
        return context;
    }

    /** Returns the versions of TLS that clients may use. */
    public List<String> protocols() {
        return protocols;
    }

    /** Returns names or patterns of cipher suites that the HTTP transport does not use. */
    public List<String> excludedHttpCiphers() {
        return config.excludedHttpCiphers();
    }

    public boolean needsClientCertificates() {
        return config.clientCertificates();
    }

    /** Whether a stream that begins with this byte uses TLS. */
    public static boolean begins(int firstByte) {
        return firstByte == HANDSHAKE_RECORD;
    }

    /**
     * Performs the handshake with a client. To end it early, another thread closes the plain socket. The result is
     * closed by closing the plain socket as well, which never waits for the client. Thrift's messages have lengths, so
     * that no one can cut them off unnoticed.
     *
     * @param firstByte the byte that was read from the socket
     */
    public SSLSocket accept(Socket plain, int firstByte) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(plain, new ByteArrayInputStream(new byte[] {(byte) firstByte}), true);
        socket.setUseClientMode(false);
        socket.setNeedClientAuth(config.clientCertificates());
        socket.setEnabledProtocols(protocols.toArray(String[]::new));
        if (!ciphers.isEmpty()) {
            socket.setEnabledCipherSuites(ciphers.toArray(String[]::new));
        }
        socket.startHandshake();
        return socket;
    }
}
