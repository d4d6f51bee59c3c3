package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Compares the numbers, SQLSTATEs and texts of errors with those of Hive 4.0.1, which was asked with the same
 * statements. The table is in {@code src/test/sql/errors/hive-errors.txt}.
 */
@ExtendWith(SharedServer.class)
final class TestErrorsOfHive {
    private static final Path TABLE = Path.of("src/test/sql/errors/hive-errors.txt");
    private static final String COMPILING = "Error while compiling statement: FAILED: ";

    private record Entry(String statement, String expected) {}

    @Test
    void errorsAreThoseOfHive(TestServer server) throws Exception {
        List<String> setup = new ArrayList<>();
        List<Entry> entries = read(setup);
        assertThat(entries).hasSizeGreaterThan(800);
        Properties user = new Properties();
        user.put("user", "root");
        user.put("password", "x");
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl(), user);
                Statement statement = connection.createStatement()) {
            for (String sql : setup) {
                statement.execute(sql);
            }
            SoftAssertions softly = new SoftAssertions();
            for (Entry entry : entries) {
                softly.assertThat(outcome(statement, entry.statement()))
                        .as(entry.statement())
                        .isEqualTo(entry.expected());
            }
            statement.execute("use default");
            statement.execute("drop database er cascade");
            softly.assertAll();
        }
    }

    private static List<Entry> read(List<String> setup) throws Exception {
        List<Entry> entries = new ArrayList<>();
        for (String block : Files.readString(TABLE).split("\n\n")) {
            List<String> lines =
                    block.lines().filter(line -> !line.startsWith("#")).toList();
            if (lines.size() == 1) {
                setup.add(lines.getFirst());
            } else if (!lines.isEmpty()) {
                entries.add(new Entry(lines.getFirst(), expected(lines)));
            }
        }
        return entries;
    }

    /** Returns what Skep answers: Hive's line, unless a line of its own follows. */
    private static String expected(List<String> lines) {
        String own = lines.getLast();
        return own.startsWith("skep ")
                ? own.substring("skep ".length())
                : lines.get(1).substring("hive ".length());
    }

    private static String outcome(Statement statement, String sql) {
        try {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        rows.getRow();
                    }
                }
            }
            return "ok";
        } catch (SQLException e) {
            return e.getErrorCode() + " " + e.getSQLState() + " " + text(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the text in one line, without the hint and the position that follow Hive's words. */
    private static String text(String message) {
        String plain = message.startsWith(COMPILING) ? message.substring(COMPILING.length()) : message;
        return plain.replaceFirst("\n(hint: |at line )(?s:.*)$", "")
                .replaceFirst("^(CalciteSubquery|ValidationFailure)SemanticException", "SemanticException")
                .replace("\n", "\\n");
    }
}
