package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server process that is killed in the middle of an INSERT: data survive, and the table is as it was. */
@Timeout(300)
final class TestKilledServer {
    private static final long PAUSE_NANOS = 5_000_000;
    private static final String HUNDRED = "(SELECT posexplode(split(space(99), ' ')) AS (i, e))";

    @TempDir
    private Path data;

    @Test
    void theTableIsAsItWas() throws Exception {
        try (ReleasedClient client = ReleasedClient.open()) {
            Process first = start();
            String url = url(first);
            try (Connection connection = client.connect(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t (a INT, b STRING) STORED AS ORC");
                statement.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
                CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insert(client, url));
                await(() -> hasStaging() || insert.isDone());
                assertThat(insert.isDone()).as("the INSERT was still at work").isFalse();
                first.destroyForcibly().waitFor();
                assertThatThrownBy(insert::join).hasCauseInstanceOf(IllegalStateException.class);
            } catch (SQLException e) {
                // Closing a connection whose server is gone.
                assertThat(first.isAlive()).isFalse();
            }
            Process second = start();
            try (Connection connection = client.connect(url(second));
                    Statement statement = connection.createStatement()) {
                assertThat(count(statement)).isEqualTo(2);
                statement.execute("INSERT INTO t VALUES (3, 'three')");
                assertThat(count(statement)).isEqualTo(3);
            } finally {
                second.destroy();
                assertThat(second.waitFor()).isIn(0, 143);
            }
        }
    }

    private static void insert(ReleasedClient client, String url) {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT OVERWRITE TABLE t SELECT a.i, sha2(concat(a.i, b.i, c.i, d.i), 512) FROM "
                    + HUNDRED + " a CROSS JOIN " + HUNDRED + " b CROSS JOIN " + HUNDRED + " c CROSS JOIN " + HUNDRED
                    + " d");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long count(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    private boolean hasStaging() {
        try (Stream<Path> files = Files.walk(data.resolve("warehouse"))) {
            return files.anyMatch(file -> file.toString().contains(".skep-staging") && Files.isRegularFile(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Process start() throws IOException {
        Files.deleteIfExists(data.resolve("server.properties"));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Path.of(System.getProperty("skep.home"), "bin", "jvm.flags"),
                        "-Xmx1g",
                        "-Duser.timezone=UTC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.skep.service.ServerMain",
                        "--port",
                        "0",
                        "--ui-port",
                        "0",
                        "--data",
                        data.toString())
                .redirectErrorStream(true)
                .redirectOutput(data.resolveSibling(data.getFileName() + ".log").toFile())
                .start();
    }

    private String url(Process server) throws IOException {
        Path file = data.resolve("server.properties");
        await(() -> Files.exists(file) || !server.isAlive());
        Properties properties = new Properties();
        try (var in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return properties.getProperty("jdbc.url");
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
