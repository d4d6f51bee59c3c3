package io.skep.service.server;

import io.skep.authentication.KerberosAcceptor;
import io.skep.authentication.KerberosConfig;
import io.skep.common.lifecycle.Closer;
import io.skep.service.http.HttpConfig;
import io.skep.service.http.HttpServer;
import io.skep.service.wire.ThriftConfig;
import io.skep.service.wire.ThriftServer;
import io.skep.service.wire.WireServices;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where clients connect: the binary transport, the HTTP transport or both.
 *
 * @param host the address that the server listens on
 */
record ClientPorts(
        InetAddress host,
        WireServices services,
        Optional<ThriftServer> binary,
        Optional<HttpServer> http,
        HttpConfig paths)
        implements AutoCloseable {
    /**
     * Takes the ports. Clients are not served before {@link #start}.
     *
     * @param port of the binary transport; 0 for any free one
     */
    static ClientPorts open(InetAddress host, int port, WireServices services, HttpConfig http, InstantSource steady) {
        ThriftConfig config = services.config();
        Closer opened = new Closer();
        try {
            Optional<ThriftServer> binary = config.isBinary()
                    ? Optional.of(opened.own(new ThriftServer(host, port, services)))
                    : Optional.empty();
            Optional<HttpServer> overHttp = config.isHttp()
                    ? Optional.of(opened.own(new HttpServer(host, http, services, steady)))
                    : Optional.empty();
            return new ClientPorts(host, services, binary, overHttp, http);
        } catch (RuntimeException e) {
            opened.closeAfter(e);
            throw e;
        }
    }

    void start() {
        binary.ifPresent(ThriftServer::start);
        http.ifPresent(HttpServer::start);
    }

    /** Returns the port that clients find: that of the binary transport if there is one. */
    int port() {
        return binary.map(ThriftServer::port).or(() -> httpPort()).orElseThrow();
    }

    Optional<Integer> httpPort() {
        return http.map(HttpServer::port);
    }

    /** Returns the name that a client on this machine uses for the server's host. */
    String clientHost() {
        if (host.isAnyLocalAddress()) {
            return "127.0.0.1";
        }
        return host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
    }

    /** Returns the URL of the binary transport if there is one, otherwise that of the HTTP transport. */
    String jdbcUrl() {
        String url = "jdbc:hive2://" + clientHost() + ":" + port() + "/default";
        String mode = binary.isPresent() ? "" : ";transportMode=http;httpPath=" + paths.clientPath();
        String tls = services.tls().isPresent() ? ";ssl=true" : "";
        Optional<KerberosAcceptor> kerberos = services.authentication().users().kerberos();
        return url
                + mode
                + tls
                + kerberos.map(acceptor -> ";principal=" + acceptor.principal()).orElse("");
    }

    /** Returns what clients need to connect besides the host when they find the server in ZooKeeper. */
    Map<String, String> published() {
        Map<String, String> published = new HashMap<>(services.config().published());
        if (binary.isPresent()) {
            published.put(ServerConfig.PORT.name(), Integer.toString(port()));
        } else {
            published.put(HttpConfig.PORT.name(), Integer.toString(port()));
            published.put(HttpConfig.PATH.name(), paths.clientPath());
        }
        services.authentication()
                .users()
                .kerberos()
                .ifPresent(kerberos -> published.put(KerberosConfig.PRINCIPAL.name(), kerberos.principal()));
        return published;
    }

    /** Returns the ports that are open, by the names of their settings. */
    Map<String, Integer> numbers() {
        Map<String, Integer> numbers = new HashMap<>();
        binary.ifPresent(server -> numbers.put(ServerConfig.PORT.name(), server.port()));
        http.ifPresent(server -> numbers.put(HttpConfig.PORT.name(), server.port()));
        return numbers;
    }

    int connectionCount() {
        return binary.map(ThriftServer::connectionCount).orElse(0)
                + http.map(HttpServer::connectionCount).orElse(0);
    }

    /**
     * Returns when new connections were answered or refused on all ports. Used by the server's probe of itself.
     *
     * @throws IOException when no answer arrives in time
     */
    void awaitAnswer(Duration timeout) throws IOException {
        if (binary.isPresent()) {
            binary.get().awaitAnswer(timeout);
        }
        if (http.isPresent()) {
            http.get().awaitAnswer(timeout);
        }
    }

    @Override
    public void close() {
        binary.ifPresent(ThriftServer::close);
        http.ifPresent(HttpServer::close);
    }
}
