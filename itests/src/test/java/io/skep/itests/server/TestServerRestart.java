package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.files.SmallDisk;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that runs out of memory exits and can be restarted at once with all its data. A server that runs out of
 * descriptors continues.
 */
@Timeout(300)
final class TestServerRestart {
    private static final int OUT_OF_MEMORY = 3;

    @TempDir
    private Path folder;

    private Path data;

    @BeforeEach
    void makeDataFolder() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
    }

    @Test
    void aLackOfMemoryEndsTheProcessAndTheNextOneHasTheData() throws Exception {
        try (ReleasedClient client = ReleasedClient.open()) {
            try (ServerProcess server = ServerProcess.start(data, Map.of())) {
                assertThatThrownBy(() -> takeAllMemory(client, server)).isInstanceOf(SQLException.class);
                assertThat(server.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(server.process().exitValue()).isEqualTo(OUT_OF_MEMORY);
            }
            try (ServerProcess server = ServerProcess.start(data, Map.of());
                    Connection connection = client.connect(server.url());
                    Statement statement = connection.createStatement()) {
                assertThat(number(statement, "SELECT sum(a) FROM t")).isEqualTo(3);
                statement.execute("INSERT INTO t VALUES (4)");
                assertThat(number(statement, "SELECT sum(a) FROM t")).isEqualTo(7);
            }
        }
    }

    private void takeAllMemory(ReleasedClient client, ServerProcess server) throws Exception {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INT) STORED AS ORC");
            statement.execute("INSERT INTO t VALUES (1), (2)");
            statement.execute("ADD JAR " + jar(AllocatingFunction.class));
            statement.execute("CREATE TEMPORARY FUNCTION hungry AS '" + AllocatingFunction.class.getName() + "'");
            assertThat(number(statement, "SELECT sum(hungry(a)) FROM t")).isEqualTo(3);
            number(statement, "SELECT sum(hungry(a * 1000000)) FROM t");
        }
    }

    private Path jar(Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path jar = folder.resolve("functions.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                InputStream code = type.getClassLoader().getResourceAsStream(name)) {
            out.putNextEntry(new ZipEntry(name));
            assertThat(code).isNotNull();
            code.transferTo(out);
        }
        return jar;
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    /**
     * Connections for which there are no descriptors wait or are refused, with an occasional line in the log. The other
     * connections continue.
     */
    @Test
    void withoutDescriptorsItGoesOn() throws Exception {
        List<String> few = List.of("bash", "-c", "ulimit -n 800 && exec \"$@\"", "few");
        try (ReleasedClient client = ReleasedClient.open();
                ServerProcess server = ServerProcess.start(data, Map.of(), few);
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            assertThat(number(statement, "SELECT 1")).isEqualTo(1);
            Path log = data.resolveSibling("data.log");
            long before = Files.size(log);
            int port = URI.create(server.url().substring("jdbc:".length())).getPort();
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 900; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            ServerProcess.await(() -> text(log).contains("cannot accept connections"));
            long start = System.nanoTime();
            assertThat(number(statement, "SELECT 1")).isEqualTo(1);
            System.out.printf("a bystander: %.1f ms%n", (System.nanoTime() - start) / 1e6);
            for (Socket socket : sockets) {
                socket.close();
            }
            ServerProcess.await(() -> isServed(client, server));
            // One line for each overdue connection, and one line per minute for those that could not be accepted.
            assertThat(Files.size(log) - before).isLessThan(300_000);
        }
    }

    /** Statements continue while the disk of the log is full. Their lines are logged again when it has room. */
    @Test
    void aFullDiskOfTheLogLosesLinesAlone() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        Path log = logs.resolve("skep.log");
        Path filler = logs.resolve("filler");
        String logging = "-Dskep.log.dir=" + logs + " -Dlog4j.configuration=file:" + System.getProperty("skep.home")
                + "/conf/log4j-file.properties";
        try (SmallDisk _ = SmallDisk.mount(logs, "1m");
                ReleasedClient client = ReleasedClient.open();
                ServerProcess server =
                        // The JVM processes these options before those of the command line.
                        ServerProcess.start(data, Map.of(), List.of("env", "_JAVA_OPTIONS=" + logging));
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INT) STORED AS ORC");
            makeLine(server);
            ServerProcess.await(() -> lines(log) == 1);
            assertThatThrownBy(() -> Files.write(filler, new byte[1 << 20])).hasMessageContaining("No space left");
            for (int i = 0; i < 100; i++) {
                makeLine(server);
                statement.execute("INSERT INTO t VALUES (" + i + ")");
            }
            assertThat(number(statement, "SELECT sum(a) FROM t")).isEqualTo(99 * 50);
            long logged = lines(log);
            assertThat(logged).as("the disk of the log is full").isLessThan(100);
            Files.delete(filler);
            // The first line may be appended to one that was cut off, and be no line of its own.
            ServerProcess.await(() -> {
                makeLine(server);
                return lines(log) > logged;
            });
            assertThat(number(statement, "SELECT count(*) FROM t")).isEqualTo(100);
        }
    }

    /** Opens a connection without SASL, for which the server logs one line. */
    private static void makeLine(ServerProcess server) throws IOException {
        int port = URI.create(server.url().substring("jdbc:".length())).getPort();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(new byte[] {(byte) 0x80, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
            socket.getInputStream().readAllBytes();
        }
    }

    private static long lines(Path log) {
        return text(log)
                .lines()
                .filter(line -> line.contains("connect with SASL PLAIN"))
                .count();
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isServed(ReleasedClient client, ServerProcess server) {
        try (Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            return number(statement, "SELECT 1") == 1;
        } catch (SQLException e) {
            return false;
        }
    }
}
