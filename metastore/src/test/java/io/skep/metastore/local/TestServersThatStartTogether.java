package io.skep.metastore.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests servers that find an empty PostgreSQL database at the same time. One creates the schema and the initial
 * content, and all start.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class TestServersThatStartTogether {
    private static final int ROUNDS = Integer.getInteger("skep.starts-together", 2);
    private static final int SERVERS = 2;

    @TempDir
    private Path folder;

    @Test
    void onAnEmptyDatabase() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
            for (int round = 0; round < ROUNDS; round++) {
                String database = "round" + round;
                make(postgres, "CREATE DATABASE " + database);
                startOn(postgres.getJdbcUrl("postgres", database), folder.resolve(database));
            }
        }
    }

    private static void make(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void startOn(String url, Path place) throws IOException, InterruptedException {
        List<Process> servers = new ArrayList<>();
        try {
            for (int number = 0; number < SERVERS; number++) {
                servers.add(launch(url, place, number));
            }
            for (Process server : servers) {
                assertThat(line(server)).isEqualTo("waits");
            }
            for (Process server : servers) {
                server.outputWriter().write("go\n");
                server.outputWriter().flush();
            }
            for (int number = 0; number < SERVERS; number++) {
                assertThat(line(servers.get(number)))
                        .as(Files.readString(log(place, number)))
                        .isEqualTo("has [default]");
            }
        } finally {
            for (Process server : servers) {
                server.outputWriter().close();
                if (!server.waitFor(1, TimeUnit.MINUTES)) {
                    server.destroyForcibly().waitFor();
                }
            }
        }
    }

    private static Process launch(String url, Path place, int number) throws IOException {
        Path data = Files.createDirectories(place.resolve("server" + number));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "--add-opens=java.base/java.net=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartingServer.class.getName(),
                        data.toString(),
                        url,
                        place.resolve("warehouse").toString())
                .redirectError(log(place, number).toFile())
                .start();
    }

    private static Path log(Path place, int number) {
        return place.resolve("server" + number + ".log");
    }

    /** Returns the server's next line, skipping the library's output. */
    private static String line(Process server) throws IOException {
        BufferedReader lines = server.inputReader();
        String line = lines.readLine();
        while (line != null && !line.equals("waits") && !line.startsWith("has ")) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }
}
