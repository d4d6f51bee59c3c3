package io.skep.authentication.http;

import io.skep.authentication.tls.TlsContext;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** TLS of Jetty's connections: of the HTTP transport, and of the web pages. */
public final class HttpTls {
    private HttpTls() {}

    /** Returns what performs the handshake before HTTP 1.1. */
    public static SslConnectionFactory of(TlsContext tls) {
        SslContextFactory.Server context = new SslContextFactory.Server();
        context.setSslContext(tls.context());
        context.setIncludeProtocols(tls.protocols().toArray(String[]::new));
        context.addExcludeCipherSuites(tls.excludedHttpCiphers().toArray(String[]::new));
        context.setNeedClientAuth(tls.needsClientCertificates());
        context.setRenegotiationAllowed(false);
        SslConnectionFactory factory = new SslConnectionFactory(context, HttpVersion.HTTP_1_1.asString());
        factory.setDirectBuffersForEncryption(false);
        factory.setDirectBuffersForDecryption(false);
        return factory;
    }
}
