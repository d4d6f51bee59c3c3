package io.skep.webui;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

/** Serves the page and its JSON: {@code /} and {@code /api/...}. */
public final class WebServer implements AutoCloseable {
    private static final int SELECTOR_THREADS = 8;
    private static final int MAX_CONNECTIONS = 500;
    private static final int MAX_HEADER_BYTES = 8 << 10;
    private static final long IDLE_MILLIS = 30_000;

    private final Server server;
    private final ServerConnector connector;

    private final ApiServlet api;

    private WebServer(Server server, ServerConnector connector, ApiServlet api) {
        this.server = server;
        this.connector = connector;
        this.api = api;
    }

    /** Starts to serve pages by plain HTTP, without a login. */
    public static WebServer start(InetAddress host, int port, List<String> names) {
        return start(host, port, names, PageAccess.OPEN);
    }

    /**
     * Starts to serve pages. Until {@link #show} is called, they say that the server is starting.
     *
     * @param port 0 for any free one
     * @param names under which browsers reach the pages, in addition to the machine's own names and addresses
     * @throws SkepException INVALID_CONFIGURATION when the port is not available
     */
    public static WebServer start(InetAddress host, int port, List<String> names, PageAccess access) {
        QueuedThreadPool threads = new QueuedThreadPool(SELECTOR_THREADS, 1);
        threads.setName("webui");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(new VirtualThreadPool());
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(MAX_HEADER_BYTES);
        List<ConnectionFactory> factories = new ArrayList<>();
        access.tls().ifPresent(factories::add);
        factories.add(new HttpConnectionFactory(http));
        ServerConnector connector =
                new ServerConnector(server, null, null, null, 1, 1, factories.toArray(ConnectionFactory[]::new));
        connector.setHost(host.getHostAddress());
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        ApiServlet api = new ApiServlet();
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(api), "/api/*");
        context.addServlet(new ServletHolder(new PageServlet()), "/*");
        server.setHandler(new RequestGuard(access.login().apply(context), host, names));
        server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
        WebServer started = new WebServer(server, connector, api);
        try {
            server.start();
        } catch (Exception e) {
            started.close();
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "cannot serve pages on " + host.getHostAddress() + ":" + port + ": " + e.getMessage(),
                    e);
        }
        return started;
    }

    /** Sets the data that the pages display. */
    public void show(ServerView view) {
        api.show(view);
    }

    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new SkepException(StandardErrorCode.INTERNAL_ERROR, "the web server did not stop: " + e, e);
        }
    }
}
