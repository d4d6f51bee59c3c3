package io.skep.itests.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.StandardErrorCode;
import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A broken file fails only the query that reads it, with an error that names the file. A check after each test finds
 * what must not stay behind.
 */
@ExtendWith(SharedServer.class)
final class TestBrokenFiles {
    private static final int ROWS = 10_000;
    private static final int FLIPS = 20;
    private static final String READ = "SELECT count(k), sum(k), max(s) FROM broken.t";

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet"})
    void failsTheQueryOnly(String format, TestServer server, @TempDir Path folder) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            try {
                byte[] whole = writeFile(statement, format, folder);
                Path file = folder.resolve("part");
                Files.write(file, whole);
                assertReads(statement);
                for (byte[] broken : broken(whole)) {
                    Files.write(file, broken);
                    assertRefused(statement, file);
                }
                flipBits(statement, file, whole);
                Files.write(file, new byte[0]);
                assertThat(number(statement, "SELECT count(*) FROM broken.t")).isZero();
                Files.delete(file);
                assertThat(number(statement, "SELECT count(*) FROM broken.t")).isZero();
                Files.write(file, whole);
                assertReads(statement);
            } finally {
                statement.execute("DROP DATABASE IF EXISTS broken CASCADE");
            }
        }
    }

    /** Writes rows through a table in {@code folder}, returns the bytes of the file, and leaves the folder empty. */
    private static byte[] writeFile(Statement statement, String format, Path folder) throws SQLException, IOException {
        statement.execute("CREATE DATABASE broken");
        statement.execute("CREATE EXTERNAL TABLE broken.t (k int, s string) STORED AS " + format + " LOCATION '"
                + folder.toUri() + "'");
        statement.execute("INSERT INTO broken.t SELECT a.i * 100 + b.i, concat('text ', a.i, '-', b.i)"
                + " FROM (SELECT posexplode(split(space(99), ' ')) AS (i, e)) a"
                + " CROSS JOIN (SELECT posexplode(split(space(99), ' ')) AS (i, e)) b");
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            assertThat(all).hasSize(1);
            byte[] whole = Files.readAllBytes(all.getFirst());
            Files.delete(all.getFirst());
            return whole;
        }
    }

    private static List<byte[]> broken(byte[] whole) {
        byte[] zeroTail = whole.clone();
        Arrays.fill(zeroTail, zeroTail.length - 30, zeroTail.length, (byte) 0);
        return List.of(
                Arrays.copyOf(whole, whole.length / 2),
                Arrays.copyOf(whole, whole.length - 1),
                zeroTail,
                "OR".getBytes(StandardCharsets.UTF_8),
                "a line of text in a columnar table\n".repeat(40).getBytes(StandardCharsets.UTF_8));
    }

    private static void assertRefused(Statement statement, Path file) throws SQLException {
        assertThatThrownBy(() -> number(statement, READ)).isInstanceOfSatisfying(SQLException.class, e -> {
            assertThat(e.getSQLState()).isEqualTo(StandardErrorCode.CORRUPT_FILE.sqlState());
            assertThat(e.getErrorCode()).isEqualTo(StandardErrorCode.CORRUPT_FILE.code());
            assertThat(e.getMessage()).contains(file.toString(), "hint: ");
        });
        assertThat(number(statement, "SELECT 1")).isEqualTo(1);
    }

    /**
     * ORC has no checksums. Flipped bits may produce other values, but never an unexpected error, and never a query
     * that does not end.
     */
    private static void flipBits(Statement statement, Path file, byte[] whole) throws SQLException, IOException {
        for (int seed = 0; seed < FLIPS; seed++) {
            Random random = new Random(seed);
            byte[] flipped = whole.clone();
            for (int i = 0; i < FLIPS; i++) {
                flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(file, flipped);
            try {
                number(statement, READ);
            } catch (SQLException e) {
                assertThat(e.getErrorCode())
                        .as("seed " + seed + ": " + e.getMessage())
                        .isEqualTo(StandardErrorCode.CORRUPT_FILE.code());
            }
        }
    }

    private static void assertReads(Statement statement) throws SQLException {
        assertThat(number(statement, READ)).isEqualTo(ROWS);
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }
}
