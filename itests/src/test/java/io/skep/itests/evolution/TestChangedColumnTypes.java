package io.skep.itests.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.client.ReleasedClient;
import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Changes each type to each other type, in each format, with rows written before and after the change. Scans return
 * what Hive returns. Filters, joins and aggregates return what they return over a copy whose files have the current
 * types.
 */
@ExtendWith(SharedServer.class)
final class TestChangedColumnTypes {
    private static final boolean ALL = System.getProperty("skep.evolution", "").equals("all");

    /** The statements of one test. */
    @FunctionalInterface
    private interface Work {
        void on(Statement statement) throws Exception;
    }

    static Stream<HiveAnswers> formats() throws IOException {
        List<HiveAnswers> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(HiveAnswers.folder())) {
            for (Path file : files.filter(file -> file.toString().endsWith(".answers"))
                    .sorted()
                    .toList()) {
                all.add(HiveAnswers.read(file));
            }
        }
        return all.stream();
    }

    /** Returns the formats that differ in how they search for values. */
    static Stream<HiveAnswers> copied() throws IOException {
        return formats().filter(hive -> ALL || hive.storage().matches("stored as (orc|parquet|textfile)"));
    }

    private static void in(String database, TestServer server, Work work) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + database);
            try {
                statement.execute("use " + database);
                work.on(statement);
            } finally {
                statement.execute("drop database " + database + " cascade");
            }
        }
    }

    @Test
    void acceptsTheChangesThatHiveAccepts(TestServer server) throws Exception {
        Map<String, List<String>> accepted = HiveAnswers.lists("accepted.changes");
        in("accepted_changes", server, statement -> {
            for (String from : accepted.keySet()) {
                String table = "of_" + ChangedTables.name(from);
                statement.execute("create table " + table + " ("
                        + accepted.keySet().stream()
                                .map(to -> ChangedTables.column(from, to) + " " + from)
                                .collect(Collectors.joining(", "))
                        + ") stored as orc");
                List<String> given = new ArrayList<>();
                for (String to : accepted.keySet()) {
                    String column = ChangedTables.column(from, to);
                    String change = "alter table " + table + " change " + column + " " + column + " " + to;
                    if (!to.equals(from) && failure(statement, change).isEmpty()) {
                        given.add(to);
                    }
                }
                assertThat(given).as(from).isEqualTo(accepted.get(from));
            }
        });
    }

    private static Optional<SQLException> failure(Statement statement, String sql) {
        try {
            statement.execute(sql);
            return Optional.empty();
        } catch (SQLException e) {
            assertThat(e.getMessage()).as(sql).doesNotContain("Internal error");
            return Optional.of(e);
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void readsWhatHiveReads(HiveAnswers hive, TestServer server) throws Exception {
        in("changed_" + hive.toString().replace('.', '_'), server, statement -> {
            ChangedTables tables = new ChangedTables(statement, hive.storage());
            tables.make();
            List<String> wrong = new ArrayList<>();
            for (String cache : List.of("true", "false")) {
                statement.execute("set hive.llap.io.enabled=" + cache);
                for (String from : tables.types()) {
                    compare(hive, tables, ChangedTables.WHOLE, from, statement, wrong);
                    compare(hive, tables, ChangedTables.PARTS, from, statement, wrong);
                }
            }
            assertThat(wrong).isEmpty();
        });
    }

    private static void compare(
            HiveAnswers hive, ChangedTables tables, String table, String from, Statement statement, List<String> wrong)
            throws SQLException {
        boolean partitioned = table.equals(ChangedTables.PARTS);
        List<String> readable = readable(hive, tables, from, partitioned);
        Map<String, List<String>> given = tables.read(table, from, readable);
        for (String to : readable) {
            List<String> expected = hive.values(from, to, partitioned).orElseThrow();
            // For text formats, Hive was not asked for the rows that were written after the change.
            List<String> all = given.getOrDefault(to, List.of());
            List<String> known = all.subList(0, Math.min(all.size(), expected.size()));
            if (!same(expected, known, to)) {
                wrong.add(table + ", " + from + " > " + to + ": " + known + " instead of " + expected);
            }
        }
        for (String to : tables.types()) {
            if (hive.knows(from, to, partitioned) && !readable.contains(to)) {
                String sql = "select " + ChangedTables.column(from, to) + " from " + table;
                if (failure(statement, sql).isEmpty()) {
                    wrong.add(table + ", " + from + " > " + to + ": can be read");
                }
            }
        }
    }

    private static List<String> readable(HiveAnswers hive, ChangedTables tables, String from, boolean partitioned) {
        return tables.types().stream()
                .filter(to -> hive.values(from, to, partitioned).isPresent())
                .toList();
    }

    private static boolean same(List<String> expected, List<String> given, String type) {
        Function<String, Object> value = text -> switch (type) {
            case "float" -> text.equals("NULL") ? text : Float.valueOf(text);
            case "double" -> text.equals("NULL") ? text : Double.valueOf(text);
            default -> text;
        };
        return expected.stream()
                .map(value)
                .toList()
                .equals(given.stream().map(value).toList());
    }

    @ParameterizedTest
    @MethodSource("copied")
    void answersAsOverACopy(HiveAnswers hive, TestServer server) throws Exception {
        in("copied_" + hive.toString().replace('.', '_'), server, statement -> {
            ChangedTables tables = new ChangedTables(statement, hive.storage());
            tables.make();
            for (String from : chosen(tables.types())) {
                ask(hive, tables, ChangedTables.WHOLE, from, statement);
                statement.execute("set hive.llap.io.enabled=false");
                ask(hive, tables, ChangedTables.PARTS, from, statement);
                statement.execute("set hive.llap.io.enabled=true");
            }
        });
    }

    /** Returns every sixth type, or all of them with {@code -Dskep.evolution=all}. */
    private static List<String> chosen(List<String> types) {
        return ALL
                ? types
                : IntStream.range(0, types.size())
                        .filter(i -> i % 6 == 0)
                        .mapToObj(types::get)
                        .toList();
    }

    private static void ask(HiveAnswers hive, ChangedTables tables, String table, String from, Statement statement)
            throws SQLException {
        List<String> tos = readable(hive, tables, from, table.equals(ChangedTables.PARTS));
        if (tos.isEmpty()) {
            return;
        }
        copy(table, from, tos, statement);
        for (Function<String, String> question : questions(literals(hive, table, from, tos), from)) {
            String sql = question.apply(table);
            assertThat(tables.answers(sql)).as(sql).isEqualTo(tables.answers(question.apply("copy")));
        }
        statement.execute("drop table copy");
    }

    private static void copy(String table, String from, List<String> tos, Statement statement) throws SQLException {
        statement.execute("create table copy stored as parquet as select i"
                + tos.stream().map(to -> ", " + ChangedTables.column(from, to)).collect(Collectors.joining()) + " from "
                + table);
    }

    /** Returns one value of the column for each type, non-NULL if there is one. */
    private static Map<String, String> literals(HiveAnswers hive, String table, String from, List<String> tos) {
        Map<String, String> literals = new LinkedHashMap<>();
        for (String to : tos) {
            List<String> values =
                    hive.values(from, to, table.equals(ChangedTables.PARTS)).orElseThrow();
            String some = values.stream()
                    .skip(1)
                    .filter(value -> !value.equals("NULL"))
                    .findFirst()
                    .orElse(values.getFirst());
            literals.put(to, "cast('" + some + "' as " + to + ")");
        }
        return literals;
    }

    private static List<Function<String, String>> questions(Map<String, String> literals, String from) {
        Set<String> tos = literals.keySet();
        String bounds = tos.stream()
                .map(to -> bounds(ChangedTables.column(from, to), to))
                .collect(Collectors.joining());
        return List.of(
                table -> "select count(*)" + bounds + " from " + table,
                table -> ofEach(from, tos, c -> "select '" + c + "', i from " + table + " where " + c + " is null"),
                table -> filters(literals, from, " = ", table),
                table -> filters(literals, from, " > ", table),
                table -> ofEach(
                        from,
                        tos,
                        c -> "select '" + c + "', count(*) from " + table + " l join " + table + " r on l." + c
                                + " = r." + c + " where r.i > 0"));
    }

    private static String bounds(String column, String type) {
        String count = ", count(" + column + ")";
        return type.equals("binary")
                ? count
                : count + ", " + ChangedTables.asText("min(" + column + ")", type) + ", "
                        + ChangedTables.asText("max(" + column + ")", type);
    }

    private static String filters(Map<String, String> literals, String from, String comparison, String table) {
        return literals.entrySet().stream()
                .map(each -> "select '" + each.getKey() + "', i from " + table + " where "
                        + ChangedTables.column(from, each.getKey()) + comparison + each.getValue())
                .collect(Collectors.joining(" union all "));
    }

    private static String ofEach(String from, Set<String> tos, Function<String, String> query) {
        return tos.stream()
                .map(to -> query.apply(ChangedTables.column(from, to)))
                .collect(Collectors.joining(" union all "));
    }
}
