package io.skep.itests.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import io.skep.itests.sql.SqlTestFile.Block;
import io.skep.itests.sql.SqlTestFile.Expectation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every file of SQL tests in every mode, through the released JDBC driver. */
@ExtendWith(SharedServer.class)
final class TestSqlFiles {
    private static final Path FOLDER = Path.of(
            Objects.requireNonNull(System.getProperty("skep.home"), "skep.home is not set"), "itests/src/test/sql");

    static Stream<Case> cases() throws IOException {
        String wanted = System.getProperty("skep.sql", "");
        List<Case> cases = new ArrayList<>();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".test"))
                    .sorted()
                    .toList()) {
                if (file.toString().contains(wanted)) {
                    SqlTestFile test = SqlTestFile.read(file);
                    for (ExecutionMode mode : ExecutionMode.values()) {
                        cases.add(new Case(test, mode));
                    }
                }
            }
        }
        return cases.stream();
    }

    record Case(SqlTestFile file, ExecutionMode mode) {
        @Override
        public String toString() {
            return FOLDER.relativize(file.path()) + " " + mode;
        }

        String database() {
            String name = file.path().getFileName().toString().replace(".test", "");
            return "sql_" + name + "_" + mode.name().toLowerCase(Locale.ROOT);
        }
    }

    @Test
    void thereAreFiles() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            assertThat(files.filter(path -> path.toString().endsWith(".test"))).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gives(Case test, TestServer server, @TempDir Path work) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + test.database());
            try {
                statement.execute("use " + test.database());
                for (String setting : test.mode().settings()) {
                    statement.execute("set " + setting);
                }
                for (Block block : test.file().blocks()) {
                    String sql =
                            block.sql().replace("${sql}", FOLDER.toString()).replace("${work}", work.toString());
                    check(test.file().path() + ":" + block.line(), sql, block.expectation(), statement);
                }
            } finally {
                statement.execute("drop database " + test.database() + " cascade");
            }
        }
    }

    private static void check(String where, String sql, Expectation expectation, Statement statement) {
        switch (expectation) {
            case Expectation.Ok() -> {
                try {
                    statement.execute(sql);
                } catch (SQLException e) {
                    throw new AssertionError(where + ": " + e.getMessage(), e);
                }
            }
            case Expectation.Failure(String state, String message) ->
                assertThatThrownBy(() -> statement.execute(sql))
                        .as(where)
                        .isInstanceOfSatisfying(SQLException.class, e -> {
                            assertThat(e.getSQLState())
                                    .as(where + ": " + e.getMessage())
                                    .isEqualTo(state);
                            assertThat(e.getMessage()).as(where).contains(message);
                        });
            case Expectation.Rows(boolean ordered, List<String> rows) -> {
                List<String> given = rows(where, statement, sql);
                if (ordered) {
                    assertThat(given).as(where).containsExactlyElementsOf(rows);
                } else {
                    assertThat(given).as(where).containsExactlyInAnyOrderElementsOf(rows);
                }
            }
        }
    }

    private static List<String> rows(String where, Statement statement, String sql) {
        List<String> all = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(text(rows.getObject(i)));
                }
                all.add(String.join(" | ", row).stripTrailing());
            }
            return all;
        } catch (SQLException e) {
            throw new AssertionError(where + ": " + e.getMessage(), e);
        }
    }

    private static String text(@Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        String text = value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value.toString();
        return text.isEmpty()
                ? "(empty)"
                : text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
    }
}
