package io.skep.itests.evolution;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two tables of one format with a column for each pair of types. {@code whole} has no partitions. {@code parts} has one
 * partition that was written before the type change and one that was written after it.
 */
final class ChangedTables {
    static final String WHOLE = "whole";
    static final String PARTS = "parts";

    /** The rows that were written after the change: the first into the new partition, the second into the old one. */
    private static final List<Integer> LATE = List.of(1000, 2000);

    private final Statement statement;
    private final Map<String, List<String>> values;
    private final String storage;
    private final int rows;

    ChangedTables(Statement statement, String storage) throws IOException {
        this.statement = statement;
        this.values = HiveAnswers.lists("source.values");
        this.storage = storage;
        this.rows = values.values().stream().mapToInt(List::size).max().orElseThrow();
    }

    List<String> types() {
        return List.copyOf(values.keySet());
    }

    /** Returns how many values were written to a column of a type before the change. */
    int valueCount(String type) {
        return valuesOf(type).size() - 1;
    }

    private List<String> valuesOf(String type) {
        return Objects.requireNonNull(values.get(type), type);
    }

    static String name(String type) {
        return type.replaceAll("[(,]", "_").replace(")", "");
    }

    static String column(String from, String to) {
        return "c_" + name(from) + "__" + name(to);
    }

    /** Casts an expression to text where the driver does not support all values, such as dates far from today. */
    static String asText(String expression, String type) {
        return type.equals("date") || type.equals("timestamp") ? "cast(" + expression + " as string)" : expression;
    }

    void make() throws SQLException {
        statement.execute("create table source (i int, "
                + types().stream().map(type -> "v_" + name(type) + " string").collect(Collectors.joining(", "))
                + ") stored as orc");
        statement.execute("insert into source values "
                + IntStream.range(0, rows).mapToObj(this::sourceRow).collect(Collectors.joining(", ")));
        statement.execute("set hive.metastore.disallow.incompatible.col.type.changes=false");
        String rowsOfOld =
                "select i, " + each((from, to) -> "cast(v_" + name(from) + " as " + from + ")") + " from source";
        statement.execute("create table whole (" + columns((from, to) -> from) + ") " + storage);
        statement.execute("insert into whole " + rowsOfOld);
        statement.execute("alter table whole replace columns (" + columns((from, to) -> to) + ")");
        statement.execute("create table parts (" + columns((from, to) -> from) + ") partitioned by (p int) " + storage);
        statement.execute("insert into parts partition (p = 1) " + rowsOfOld);
        statement.execute("analyze table parts partition (p) compute statistics for columns");
        statement.execute("alter table parts replace columns (" + columns((from, to) -> to) + ")");
        statement.execute("insert into parts partition (p = 2) " + late(LATE.getFirst()));
        statement.execute("insert into parts partition (p = 1) " + late(LATE.getLast()));
    }

    private String sourceRow(int row) {
        return "(" + row + ", "
                + types().stream()
                        .map(type ->
                                row < valueCount(type) ? quoted(valuesOf(type).get(row)) : "null")
                        .collect(Collectors.joining(", "))
                + ")";
    }

    private static String quoted(String text) {
        return "'" + text + "'";
    }

    private String late(int row) {
        return "select " + row + ", " + each((from, to) -> sample(to));
    }

    private String sample(String type) {
        return "cast(" + quoted(valuesOf(type).getLast()) + " as " + type + ")";
    }

    private String columns(BinaryOperator<String> type) {
        return "i int, " + each((from, to) -> column(from, to) + " " + type.apply(from, to));
    }

    private String each(BinaryOperator<String> expression) {
        return types().stream()
                .flatMap(from -> types().stream().map(to -> expression.apply(from, to)))
                .collect(Collectors.joining(", "));
    }

    /**
     * Reads the changed columns that had one type before, keyed by their current type. The values from before the
     * change come first, then those from after it.
     */
    Map<String, List<String>> read(String table, String from, List<String> tos) throws SQLException {
        List<Map<Integer, String>> found = new ArrayList<>();
        tos.forEach(to -> found.add(new TreeMap<>()));
        String wanted =
                tos.stream().map(to -> ", " + asText(column(from, to), to)).collect(Collectors.joining());
        try (ResultSet rows = statement.executeQuery("select i" + wanted + " from " + table)) {
            while (rows.next()) {
                for (int i = 0; i < tos.size(); i++) {
                    found.get(i).put(rows.getInt(1), Objects.requireNonNullElse(rows.getString(i + 2), "NULL"));
                }
            }
        }
        Map<String, List<String>> answers = new LinkedHashMap<>();
        for (int i = 0; i < tos.size(); i++) {
            answers.put(tos.get(i), written(found.get(i), valueCount(from)));
        }
        return answers;
    }

    /** Returns the values without the rows for which the source has no value. Such rows must contain NULL. */
    private List<String> written(Map<Integer, String> found, int count) {
        List<String> values = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            String value = found.getOrDefault(row, "no row");
            if (row < count || !value.equals("NULL")) {
                values.add(value);
            }
        }
        LATE.stream().filter(found::containsKey).forEach(row -> values.add(found.getOrDefault(row, "no row")));
        return values;
    }

    /** Returns all rows of a query, sorted. */
    List<String> answers(String sql) throws SQLException {
        List<String> all = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(String.valueOf(rows.getString(i)));
                }
                all.add(String.join(" | ", row));
            }
        }
        all.sort(null);
        return all;
    }
}
