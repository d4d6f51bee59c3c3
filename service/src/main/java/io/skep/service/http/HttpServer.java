package io.skep.service.http;

import io.skep.authentication.http.HttpTls;
import io.skep.authentication.http.LoginCookies;
import io.skep.authentication.tls.TlsContext;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.wire.ConnectionWatch;
import io.skep.service.wire.WireServices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients of HiveServer2's HTTP transport. Each request has a virtual thread, so that slow ones keep no
 * others waiting.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int SELECTOR_THREADS = 8;
    private static final int BACKLOG = 1024;

    /** Free buffers that the server keeps. Others are left to the garbage collector. */
    private static final long KEPT_BYTES = 16 << 20;

    private static final int MAX_BUFFER_BYTES = 64 << 10;
    private static final int BUFFER_STEP_BYTES = 4 << 10;
    private static final int MAX_KEPT_BUFFERS = 256;

    private final WireServices services;
    private final HttpConfig config;
    private final HttpConnections connections;
    private final ConnectionWatch watch;
    private final Server server;
    private final ServerConnector connector;
    private final int port;

    /** @param steady measures the age of cookies and logins */
    public HttpServer(InetAddress host, HttpConfig config, WireServices services, InstantSource steady) {
        this.services = services;
        this.config = config;
        this.connections = new HttpConnections(services.config());
        this.watch = new ConnectionWatch(connections.all());
        QueuedThreadPool threads = new QueuedThreadPool(SELECTOR_THREADS, 1);
        threads.setName("thrift-http");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-client-", 0).factory()));
        ArrayByteBufferPool buffers = new ArrayByteBufferPool(
                0, BUFFER_STEP_BYTES, MAX_BUFFER_BYTES, MAX_KEPT_BUFFERS, KEPT_BYTES, KEPT_BYTES);
        this.server = new Server(threads, null, buffers);
        this.connector = new ServerConnector(
                server, null, null, buffers, 1, 1, factories().toArray(ConnectionFactory[]::new));
        connector.setHost(host.getHostAddress());
        connector.setPort(config.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(config.maxIdle().toMillis());
        connector.addBean(connections);
        server.addConnector(connector);
        LoginCookies cookies = new LoginCookies(LoginCookies.OF_HIVE, steady);
        server.setHandler(new CallHandler(services, config, connections, cookies, steady));
        try {
            connector.open();
            port = connector.getLocalPort();
        } catch (IOException e) {
            throw cannotListen(e);
        }
    }

    private List<ConnectionFactory> factories() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(config.requestHeaderBytes());
        http.setResponseHeaderSize(config.responseHeaderBytes());
        http.setMaxResponseHeaderSize(config.responseHeaderBytes());
        http.setUseInputDirectByteBuffers(false);
        http.setUseOutputDirectByteBuffers(false);
        List<ConnectionFactory> factories = new ArrayList<>();
        services.tls().ifPresent(tls -> factories.add(HttpTls.of(tls)));
        factories.add(new HttpConnectionFactory(http));
        return factories;
    }

    private SkepException cannotListen(Exception cause) {
        return new SkepException(
                StandardErrorCode.INVALID_CONFIGURATION,
                "cannot listen on " + connector.getHost() + ":" + config.port() + " (" + HttpConfig.PORT.name() + "): "
                        + cause.getMessage(),
                cause);
    }

    public void start() {
        try {
            server.start();
        } catch (Exception e) {
            throw cannotListen(e);
        }
        watch.start();
    }

    public int port() {
        return port;
    }

    public int connectionCount() {
        return connections.all().size();
    }

    /**
     * Returns when a new connection was answered or refused. Used by the server's probe of itself.
     *
     * @throws IOException when no answer arrives in time
     */
    public void awaitAnswer(Duration timeout) throws IOException {
        byte[] question = services.tls().isPresent()
                ? TlsContext.question()
                : "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII);
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket socket = new Socket()) {
            InetAddress host = InetAddress.getByName(connector.getHost());
            InetAddress own = host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host;
            socket.connect(new InetSocketAddress(own, port()), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(question);
            LOG.trace(
                    "the HTTP port has answered with {}",
                    socket.getInputStream().read());
        }
    }

    @Override
    public void close() {
        watch.close();
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("the HTTP server did not stop", e);
        }
        connector.close();
    }
}
