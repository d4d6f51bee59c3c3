package io.skep.bench;

import io.skep.bench.process.ProcessUse;
import io.skep.llap.server.cache.CacheSnapshot;
import io.skep.service.server.ServerAddress;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** A server in this process, with the released driver to connect to it. */
final class BenchServer implements AutoCloseable {
    private final SkepServer server;
    private final ServerAddress address;
    private final HiveJdbc jdbc;

    private BenchServer(SkepServer server, ServerAddress address, HiveJdbc jdbc) {
        this.server = server;
        this.address = address;
        this.jdbc = jdbc;
    }

    static BenchServer start(Path data, int port, int uiPort) throws IOException, ReflectiveOperationException {
        return start(new ServerOptions(port, uiPort, data, Map.of()));
    }

    /** Starts a server whose sessions get no cached results unless they want them, since benchmarks repeat queries. */
    static BenchServer start(ServerOptions options) throws IOException, ReflectiveOperationException {
        Map<String, String> site = new HashMap<>(options.site());
        site.putIfAbsent("hive.query.results.cache.enabled", "false");
        SkepServer server = SkepServer.start(
                new ServerOptions(options.port(), options.uiPort(), options.data(), site, options.conf()));
        ServerAddress address = ServerAddress.of(server);
        address.write(options.data());
        return new BenchServer(server, address, HiveJdbc.open(home().resolve("dist/beeline-lib")));
    }

    /** Returns the checkout folder that the scripts pass. */
    static Path home() {
        return Path.of(Objects.requireNonNull(System.getProperty("skep.home"), "skep.home is not set; use bin/"));
    }

    String url() {
        return address.jdbcUrl();
    }

    /** Returns the URL of the server's web pages. */
    String uiUrl() {
        return address.uiUrl();
    }

    HiveJdbc jdbc() {
        return jdbc;
    }

    SkepServer server() {
        return server;
    }

    Connection connect() throws SQLException {
        return jdbc.connect(url());
    }

    /** Opens a connection with another current database. */
    Connection connect(String database) throws SQLException {
        return jdbc.connect(url().replaceAll("/default$", "/" + database));
    }

    /** Returns the peak memory use of the process so far, next to its limits. */
    String memory() throws IOException {
        CacheSnapshot cache = server.snapshot().cache();
        return String.format(
                Locale.ROOT,
                "peak resident %,d MB; heap %,d of %,d MB; cache %,d of %,d MB outside of it",
                ProcessUse.peakBytes() >> 20,
                Runtime.getRuntime().totalMemory() >> 20,
                Runtime.getRuntime().maxMemory() >> 20,
                cache.reservedBytes() >> 20,
                cache.capacityBytes() >> 20);
    }

    @Override
    public void close() {
        server.close();
        try {
            jdbc.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
