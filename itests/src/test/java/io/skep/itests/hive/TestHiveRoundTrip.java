package io.skep.itests.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs Skep and Hive one after the other over the same metastore database and warehouse. Each creates its own tables of
 * every kind, writes to those of the other, and returns the same answers as the other over all of them.
 * docs/testing/hive-round-trip.md says how to run it.
 */
@EnabledIfSystemProperty(named = "skep.hive.home", matches = ".+")
@Timeout(value = 4, unit = java.util.concurrent.TimeUnit.HOURS)
final class TestHiveRoundTrip {
    private static final List<String> DATABASES = List.of("of_skep", "of_hive");

    /**
     * The statistics of decimal columns of partitioned tables. Their maximum in Hive 4.0.1 is too small, even for
     * Hive's own tables after its own ANALYZE.
     */
    private static final Pattern MERGED_DECIMAL = Pattern.compile("describe formatted of_\\w+\\.p_\\w+ d");

    /** Matches a column statistic in the output of DESCRIBE FORMATTED. */
    private static final Pattern STATISTIC = Pattern.compile(
            "(data_type|min|max|num_nulls|distinct_count|avg_col_len|max_col_len|num_trues|num_falses)\\b.*");

    @TempDir
    private Path folder;

    private final List<String> differences = new ArrayList<>();

    @Test
    void eachReadsWhatTheOtherWrote() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path file = Files.writeString(folder.resolve("lines.csv"), "1,one\n2,\n,three\nx,\u4e2d\n");
        Map<String, RoundTripTables> tables = new TreeMap<>();
        DATABASES.forEach(database -> tables.put(database, new RoundTripTables(database, file)));
        RoundTripTables skeps = Objects.requireNonNull(tables.get("of_skep"));
        RoundTripTables hives = Objects.requireNonNull(tables.get("of_hive"));
        Map<String, List<String>> before;
        try (ReleasedClient client = ReleasedClient.open()) {
            try (ServerProcess skep = ServerProcess.start(data, Map.of());
                    Connection connection = client.connect(skep.url())) {
                execute(connection, skeps.statements());
                before = answers(connection, List.of(skeps));
            }
            try (HiveProcess hive = hive(data);
                    Connection connection = client.connect(hive.url())) {
                compare("Hive over what Skep wrote", before, answers(connection, List.of(skeps)));
                execute(connection, hives.statements());
                compare("What both wrote", unnamed(before), unnamed(answers(connection, List.of(hives))));
                execute(connection, skeps.appends());
                before = answers(connection, List.copyOf(tables.values()));
            }
            try (ServerProcess skep = ServerProcess.start(data, Map.of());
                    Connection connection = client.connect(skep.url())) {
                compare("Skep over what Hive wrote", before, answers(connection, List.copyOf(tables.values())));
                execute(connection, hives.appends());
                before = answers(connection, List.copyOf(tables.values()));
            }
            try (HiveProcess hive = hive(data);
                    Connection connection = client.connect(hive.url())) {
                compare("Hive over what both wrote", before, answers(connection, List.copyOf(tables.values())));
            }
        }
        assertThat(differences).isEmpty();
    }

    private HiveProcess hive(Path data) throws Exception {
        return HiveProcess.start(
                Path.of(System.getProperty("skep.hive.home")),
                System.getProperty("skep.hive.java", "java"),
                data,
                Files.createDirectories(folder.resolve("hive")));
    }

    private void execute(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : statements) {
                try {
                    statement.execute(text);
                } catch (SQLException e) {
                    differ(text + ": " + firstLine(e));
                }
            }
        }
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private void differ(String what) {
        System.out.println(what);
        differences.add(what);
    }

    /** Returns rows as sorted texts, by query. */
    private static Map<String, List<String>> answers(Connection connection, List<RoundTripTables> all)
            throws SQLException {
        Map<String, List<String>> answers = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            for (RoundTripTables tables : all) {
                for (List<String> questions : tables.questions().values()) {
                    for (String question : questions) {
                        answers.put(question, rows(statement, question));
                    }
                }
            }
        }
        return answers;
    }

    private static List<String> rows(Statement statement, String question) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet results = statement.executeQuery(question)) {
            int width = results.getMetaData().getColumnCount();
            while (results.next()) {
                List<String> values = new ArrayList<>();
                for (int column = 1; column <= width; column++) {
                    values.add(String.valueOf(results.getString(column)).strip());
                }
                rows.add(String.join(" | ", values));
            }
        } catch (SQLException e) {
            rows.add("error: " + firstLine(e));
        }
        if (question.startsWith("describe")) {
            rows.removeIf(row -> !STATISTIC.matcher(row).matches());
            if (MERGED_DECIMAL.matcher(question).matches()) {
                rows.removeIf(row -> row.startsWith("max "));
            }
        }
        rows.sort(null);
        return rows;
    }

    /** Removes the names of the databases. */
    private static Map<String, List<String>> unnamed(Map<String, List<String>> answers) {
        Map<String, List<String>> unnamed = new TreeMap<>();
        answers.forEach((question, rows) -> unnamed.put(question.replaceAll("of_(skep|hive)\\.", ""), rows));
        return unnamed;
    }

    private void compare(String what, Map<String, List<String>> expected, Map<String, List<String>> actual) {
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        int equal = 0;
        for (Map.Entry<String, List<String>> one : expected.entrySet()) {
            List<String> rows = Objects.requireNonNull(actual.get(one.getKey()));
            if (rows.equals(one.getValue())) {
                equal++;
            } else {
                List<String> missing = new ArrayList<>(one.getValue());
                rows.forEach(missing::remove);
                List<String> added = new ArrayList<>(rows);
                one.getValue().forEach(added::remove);
                differ(what + ": " + one.getKey() + "\n  before: " + missing + "\n  now: " + added);
            }
        }
        System.out.println(what + ": " + equal + " of " + expected.size() + " answers are equal");
    }
}
