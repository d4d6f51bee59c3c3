package io.skep.itests.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.client.ReleasedJars;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file of SQL tests to run in a mode through the released JDBC driver. */
public final class SqlCase {
    private final SqlTestFile file;
    private final ExecutionMode mode;

    private SqlCase(SqlTestFile file, ExecutionMode mode) {
        this.file = file;
        this.mode = mode;
    }

    private static Path folder() {
        return ReleasedJars.home().resolve("itests/src/test/sql");
    }

    /** Returns all files, or those whose path contains the value of {@code skep.sql}, in some modes. */
    public static Stream<SqlCase> all(ExecutionMode... modes) throws IOException {
        String wanted = System.getProperty("skep.sql", "");
        List<SqlCase> cases = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder())) {
            for (Path path : files.filter(path -> path.toString().endsWith(".test"))
                    .sorted()
                    .toList()) {
                if (path.toString().contains(wanted)) {
                    SqlTestFile file = SqlTestFile.read(path);
                    for (ExecutionMode mode : modes) {
                        cases.add(new SqlCase(file, mode));
                    }
                }
            }
        }
        return cases.stream();
    }

    @Override
    public String toString() {
        return folder().relativize(file.path()) + " " + mode;
    }

    /** Returns a database name that is unique to this case. */
    public String database() {
        String name = file.path().getFileName().toString().replace(".test", "");
        return "sql_" + name + "_" + mode.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Runs the file in its own database.
     *
     * @param work an empty local folder
     * @param files the folder for the server's tables, with its scheme; it is empty or does not exist
     */
    public void run(String url, Path work, String files) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + database());
            try {
                statement.execute("use " + database());
                for (String setting : mode.settings()) {
                    statement.execute("set " + setting);
                }
                for (Block block : file.blocks()) {
                    String sql = block.sql()
                            .replace("${sql}", folder().toString())
                            .replace("${work}", work.toString())
                            .replace("${files}", files);
                    check(file.path() + ":" + block.line(), sql, block.expectation(), statement);
                }
            } finally {
                statement.execute("drop database " + database() + " cascade");
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
