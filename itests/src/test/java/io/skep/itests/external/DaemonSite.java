package io.skep.itests.external;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.StartedDaemon;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Two daemons in processes of their own with ports for external readers, and a server without such a port. The table
 * {@code many} has the numbers from 0 in four files.
 */
final class DaemonSite implements AutoCloseable {
    static final int ROWS = 40_000;

    /** Rows of a kilobyte: more than a connection takes while nobody reads. */
    static final String WIDE = "select n, rpad('x', 1000, 'x') as w from many";

    private final List<StartedDaemon> daemons = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final Path keys;
    private final ReleasedClient client;
    private final SkepServer server;
    private final Connection connection;

    DaemonSite(Path folder) throws Exception {
        client = ReleasedClient.open();
        keys = folder.resolve("keys");
        writeKeys("1".repeat(64));
        for (int i = 0; i < 2; i++) {
            ports.add(freePort());
            daemons.add(StartedDaemon.start(
                    folder.resolve("daemon" + i),
                    Map.of(
                            "hive.llap.daemon.num.executors",
                            "1",
                            "skep.llap.external.port",
                            ports.get(i).toString(),
                            "skep.llap.external.key-file",
                            keys.toString(),
                            "skep.audit.enabled",
                            "true")));
        }
        server = SkepServer.start(new ServerOptions(
                0,
                0,
                folder.resolve("data"),
                Map.of(
                        "skep.llap.daemons",
                        daemons.get(0).endpoint() + "," + daemons.get(1).endpoint(),
                        "skep.llap.external.key-file",
                        keys.toString())));
        connection = client.connect(server.jdbcUrl());
        run("create table many (n bigint) stored as orc");
        for (int part = 0; part < 4; part++) {
            run("insert into many select " + part + " * 10000 + pos from"
                    + " (select posexplode(split(space(9999), ' ')) as (pos, e)) s");
        }
    }

    /** Replaces the keys of tickets. The first one signs. */
    void writeKeys(String... secrets) throws IOException {
        Files.writeString(keys, String.join("\n", secrets) + "\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    List<StartedDaemon> daemons() {
        return daemons;
    }

    /** Returns the ports for external readers, in the order of the daemons. */
    List<Integer> ports() {
        return ports;
    }

    Connection connection() {
        return connection;
    }

    String url() {
        return server.jdbcUrl();
    }

    @Override
    public void close() throws IOException, SQLException {
        connection.close();
        server.close();
        client.close();
        daemons.forEach(StartedDaemon::close);
    }
}
