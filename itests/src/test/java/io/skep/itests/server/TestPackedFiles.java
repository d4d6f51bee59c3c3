package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compressed text that can be read only from its beginning, with more data than fit into a server with a heap of 1 GB.
 * The server reads it in pieces.
 */
@Timeout(300)
final class TestPackedFiles {
    private static final int LINES = 4_000_000;
    private static final int EMPTY_LINES = 200 << 20;

    @TempDir
    private Path folder;

    @Test
    void areReadInPieces() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path lines = Files.createDirectories(folder.resolve("lines"));
        Path empty = Files.createDirectories(folder.resolve("empty"));
        writeLines(lines.resolve("part.gz"));
        writeEmptyLines(empty.resolve("part.gz"));
        try (ReleasedClient client = ReleasedClient.open();
                ServerProcess server = ServerProcess.start(data, Map.of());
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE EXTERNAL TABLE packed (n BIGINT, s STRING, t STRING) ROW FORMAT DELIMITED"
                    + " FIELDS TERMINATED BY ',' STORED AS TEXTFILE LOCATION 'file:" + lines + "'");
            statement.execute(
                    "CREATE EXTERNAL TABLE short (s STRING) STORED AS TEXTFILE LOCATION 'file:" + empty + "'");
            assertThat(answer(statement, "SELECT sum(n), max(s), count(DISTINCT t), count(*) FROM packed"))
                    .isEqualTo((LINES - 1L) * LINES / 2 + " " + "s".repeat(60) + " 1 " + LINES);
            assertThat(answer(statement, "SELECT count(*) FROM packed WHERE n % 1000 = 7"))
                    .isEqualTo("" + LINES / 1000);
            assertThat(answer(statement, "SELECT count(*) FROM short")).isEqualTo("" + EMPTY_LINES);
            assertThat(server.process().isAlive()).isTrue();
        }
    }

    private static String answer(Statement statement, String sql) throws Exception {
        try (ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            StringBuilder answer = new StringBuilder();
            for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                answer.append(column == 1 ? "" : " ").append(rows.getString(column));
            }
            return answer.toString();
        }
    }

    private static void writeLines(Path file) throws IOException {
        byte[] rest = ("," + "s".repeat(60) + "," + "t".repeat(60) + "\n").getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(file)), 1 << 20)) {
            for (int line = 0; line < LINES; line++) {
                out.write(Integer.toString(line).getBytes(StandardCharsets.US_ASCII));
                out.write(rest);
            }
        }
    }

    private static void writeEmptyLines(Path file) throws IOException {
        byte[] lines = new byte[1 << 20];
        Arrays.fill(lines, (byte) '\n');
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            for (int part = 0; part < EMPTY_LINES / lines.length; part++) {
                out.write(lines);
            }
        }
    }
}
