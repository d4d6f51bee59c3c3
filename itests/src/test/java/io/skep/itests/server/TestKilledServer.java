package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalWrite;
import io.skep.reader.PartWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a server process in the middle of an INSERT. The data survive, and the table is unchanged. */
@Timeout(300)
final class TestKilledServer {
    private static final int ENOUGH_ROWS = 40;
    private static final String HUNDRED = "(SELECT posexplode(split(space(99), ' ')) AS (i, e))";

    @TempDir
    private Path folder;

    private Path data;

    @BeforeEach
    void makeDataFolder() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
    }

    @Test
    void theTableIsAsItWas() throws Exception {
        try (ReleasedClient client = ReleasedClient.open()) {
            ServerProcess started = ServerProcess.start(data, Map.of("skep.flight.port", "0"));
            Process first = started.process();
            String url = started.url();
            try (Connection connection = client.connect(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TEMPORARY TABLE mine (a INT)");
                sendPart(statement);
                statement.execute("CREATE TABLE t (a INT, b STRING) STORED AS ORC");
                statement.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
                CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insert(client, url));
                ServerProcess.await(() -> hasStaging() || insert.isDone());
                assertThat(insert.isDone()).as("the INSERT was still at work").isFalse();
                first.destroyForcibly().waitFor();
                assertThatThrownBy(insert::join).hasCauseInstanceOf(IllegalStateException.class);
            } catch (SQLException e) {
                // The error comes from closing a connection whose server is gone.
                assertThat(first.isAlive()).isFalse();
            }
            ServerProcess restarted = ServerProcess.start(data, Map.of());
            Process second = restarted.process();
            try (Connection connection = client.connect(restarted.url());
                    Statement statement = connection.createStatement()) {
                assertThat(leftovers()).isEmpty();
                assertThat(count(statement)).isEqualTo(2);
                statement.execute("INSERT INTO t VALUES (3, 'three')");
                assertThat(count(statement)).isEqualTo(3);
            } finally {
                second.destroy();
                assertThat(second.waitFor()).isIn(0, 143);
            }
        }
    }

    /** Sends a part of a temporary table, as a program outside of the server does, which is never committed. */
    private static void sendPart(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT get_write_ticket('mine')");
                RootAllocator memory = new RootAllocator()) {
            assertThat(rows.next()).isTrue();
            ExternalWrite write = ExternalWrite.decode((byte[]) rows.getObject(1));
            try (VectorSchemaRoot batch = VectorSchemaRoot.create(write.arrowSchema(), memory);
                    PartWriter part =
                            new PartWriter(write, batch, new ExternalReader(memory, Optional.empty()), memory)) {
                batch.allocateNew();
                batch.setRowCount(10);
                part.send();
                assertThat(part.finish().rows()).isEqualTo(10);
            }
        }
    }

    /** The server is killed during a series of small INSERTs. Every acknowledged INSERT is present as a whole. */
    @Test
    void acknowledgedRowsStay() throws Exception {
        try (ReleasedClient client = ReleasedClient.open()) {
            ServerProcess started = ServerProcess.start(data, Map.of());
            Process first = started.process();
            String url = started.url();
            AtomicLong rows = new AtomicLong();
            try (Connection connection = client.connect(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE s (a INT) PARTITIONED BY (p INT) STORED AS ORC");
                CompletableFuture<Void> inserts =
                        CompletableFuture.runAsync(() -> insertUntilKilled(client, url, rows));
                ServerProcess.await(() -> rows.get() >= ENOUGH_ROWS || inserts.isDone());
                first.destroyForcibly().waitFor();
                inserts.join();
            } catch (SQLException e) {
                // The error comes from closing a connection whose server is gone.
                assertThat(first.isAlive()).isFalse();
            }
            assertThat(rows.get()).isGreaterThanOrEqualTo(ENOUGH_ROWS);
            ServerProcess restarted = ServerProcess.start(data, Map.of());
            Process second = restarted.process();
            try (Connection connection = client.connect(restarted.url());
                    Statement statement = connection.createStatement()) {
                assertIsThere(statement, rows.get());
                assertThat(leftovers()).isEmpty();
            } finally {
                second.destroy();
                assertThat(second.waitFor()).isIn(0, 143);
            }
        }
    }

    /**
     * Checks that the table contains the acknowledged rows, and perhaps the two of the last INSERT. The count from
     * statistics must equal the number of rows that a scan reads.
     */
    private static void assertIsThere(Statement statement, long acknowledged) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT (SELECT count(*) FROM s), sum(if(a >= 0, 1, 0)) FROM s")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong(1)).isEqualTo(rows.getLong(2)).isIn(acknowledged, acknowledged + 2);
        }
    }

    private static void insertUntilKilled(ReleasedClient client, String url, AtomicLong rows) {
        try (Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            while (true) {
                long row = rows.get();
                statement.execute("INSERT INTO s PARTITION (p) VALUES (" + row + ", " + row % 3 + "), (" + (row + 1)
                        + ", " + (row + 1) % 3 + ")");
                rows.addAndGet(2);
            }
        } catch (SQLException killed) {
            assertThat(killed.getMessage()).isNotEmpty();
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

    /** Returns folders that belong to statements and sessions, and the notes about them. */
    private List<Path> leftovers() throws IOException {
        List<Path> left = new ArrayList<>();
        for (String part : List.of("warehouse", "commits", "spill", "tez")) {
            Path place = data.resolve(part);
            if (Files.exists(place)) {
                try (Stream<Path> files = Files.walk(place)) {
                    files.filter(path -> !path.equals(place))
                            .filter(path -> !part.equals("warehouse")
                                    || path.getFileName().toString().matches("(\\.skep|_tmp).*"))
                            .forEach(left::add);
                }
            }
        }
        return left;
    }
}
