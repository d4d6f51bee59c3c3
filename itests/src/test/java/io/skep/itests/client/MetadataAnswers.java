package io.skep.itests.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a driver answers to each method of {@link DatabaseMetaData}, a line for each value and each row of a result.
 * Methods with names and patterns are called with several.
 */
final class MetadataAnswers {
    static final String DATABASE = "driver_answers";

    /** What {@link #DATABASE} must contain. */
    static final List<String> TABLES = List.of(
            "create external table wide (c_boolean boolean, c_tinyint tinyint, c_smallint smallint,"
                    + " c_int int comment 'a number', c_bigint bigint, c_float float, c_double double,"
                    + " c_decimal decimal(16,7), c_string string, c_varchar varchar(20), c_char char(7), c_date date,"
                    + " c_timestamp timestamp, c_local timestamp with local time zone, c_binary binary,"
                    + " c_array array<int>, c_map map<string,int>, c_struct struct<x:int,y:string>,"
                    + " c_union uniontype<int,string>) comment 'every type' partitioned by (p_day date, p_word string)",
            "create external table parents (id int, name string,"
                    + " constraint parents_key primary key (id) disable novalidate rely)",
            "create external table children (id int, parent int,"
                    + " constraint to_parents foreign key (parent) references parents (id) disable novalidate rely)",
            "create view seen as select c_int, c_decimal, c_array from wide");

    /** Arguments by method and number of parameters. */
    private static final Map<String, List<Object[]>> ARGUMENTS = Map.ofEntries(
            arguments("getTables/4", tablesArguments()),
            arguments(
                    "getColumns/4",
                    patterns("%", "%"),
                    patterns("wide", "c\\_d%"),
                    patterns("WIDE", "c_int"),
                    patterns("wide", "C_INT"),
                    patterns("wide", ""),
                    patterns("", "%"),
                    patterns("none", "%"),
                    patterns(null, "id")),
            arguments(
                    "getSchemas/2",
                    new Object[] {null, "driver\\_ans%"},
                    new Object[] {null, DATABASE},
                    new Object[] {"hive", "DRIVER_ANSWERS"},
                    new Object[] {null, "no such%"}),
            arguments(
                    "getPrimaryKeys/3",
                    patterns("parents"),
                    patterns("children"),
                    patterns("none"),
                    new Object[] {null, null, "parents"},
                    new Object[] {null, "no_such_database", "parents"}),
            arguments("getImportedKeys/3", new Object[][] {patterns("children")}),
            arguments("getExportedKeys/3", new Object[][] {patterns("parents")}),
            arguments(
                    "getCrossReference/6",
                    new Object[] {null, DATABASE, "parents", null, DATABASE, "children"},
                    new Object[] {null, DATABASE, "parents", null, null, null},
                    new Object[] {null, null, null, null, DATABASE, "children"},
                    new Object[] {null, DATABASE, "children", null, DATABASE, "parents"}),
            arguments(
                    "getFunctions/3",
                    new Object[] {null, null, "%"},
                    new Object[] {null, null, "CONC%"},
                    new Object[] {null, null, "st\\_con%"},
                    new Object[] {null, null, ""},
                    new Object[] {null, "default", "abs"},
                    new Object[] {null, "", "abs"},
                    new Object[] {null, null, "none"}),
            arguments("getProcedures/3", new Object[][] {patterns("%")}),
            arguments("getProcedureColumns/4", new Object[][] {patterns("%", "%")}),
            arguments("getUDTs/4", new Object[][] {{null, DATABASE, "%", null}}));

    private final DatabaseMetaData metadata;
    private final List<String> lines = new ArrayList<>();

    private MetadataAnswers(DatabaseMetaData metadata) {
        this.metadata = metadata;
    }

    private static Map.Entry<String, List<Object[]>> arguments(String method, Object[]... calls) {
        return Map.entry(method, List.of(calls));
    }

    private static Object[] patterns(@Nullable String... names) {
        return Stream.concat(Stream.of(null, DATABASE), Arrays.stream(names)).toArray();
    }

    private static Object[][] tablesArguments() {
        List<Object[]> calls = new ArrayList<>();
        for (String pattern : new String[] {"%", "c%", "CHILDREN", "", null}) {
            calls.add(new Object[] {null, DATABASE, pattern, null});
        }
        calls.add(new Object[] {"", "driver\\_ans%", "%", null});
        calls.add(new Object[] {"hive", DATABASE, "%", null});
        for (String[] types : new String[][] {{}, {"TABLE"}, {"VIEW"}, {"table", "VIEW"}, {"MATERIALIZED_VIEW"}}) {
            calls.add(new Object[] {null, DATABASE, "%", types});
        }
        return calls.toArray(Object[][]::new);
    }

    /** Calls all methods, by name and then by parameters. */
    static List<String> ask(Connection connection) throws SQLException, IllegalAccessException {
        MetadataAnswers answers = new MetadataAnswers(connection.getMetaData());
        for (Method method : methods()) {
            String key = method.getName() + "/" + method.getParameterCount();
            for (Object[] arguments : ARGUMENTS.getOrDefault(key, Collections.singletonList(usual(method)))) {
                answers.call(method, arguments);
            }
        }
        return answers.lines;
    }

    static List<Method> methods() {
        return Arrays.stream(DatabaseMetaData.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName)
                        .thenComparing(method -> Arrays.toString(method.getParameterTypes())))
                .toList();
    }

    private static Object[] usual(Method method) {
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) {
            if (types[i] == int.class) {
                values[i] = ResultSet.TYPE_FORWARD_ONLY;
            } else if (types[i] == boolean.class) {
                values[i] = true;
            } else if (types[i] == Class.class) {
                values[i] = DatabaseMetaData.class;
            } else if (i > 0) {
                values[i] = i == 1 ? DATABASE : "%";
            }
        }
        return values;
    }

    private void call(Method method, Object[] arguments) throws SQLException, IllegalAccessException {
        String call = method.getName() + "(" + text(arguments) + ")";
        try {
            add(call, method.invoke(metadata, arguments));
        } catch (InvocationTargetException e) {
            lines.add(call + " throws " + e.getTargetException().getClass().getName());
        }
    }

    private static String text(Object[] arguments) {
        return String.join(
                ", ",
                Arrays.stream(arguments)
                        .map(one -> one instanceof Object[] many ? Arrays.toString(many) : String.valueOf(one))
                        .toList());
    }

    private void add(String call, Object answer) throws SQLException {
        if (answer instanceof ResultSet rows) {
            try (rows) {
                add(call, rows);
            }
        } else if (call.equals("getSQLKeywords()")) {
            for (String word : String.valueOf(answer).split(",")) {
                lines.add(call + ": " + word);
            }
        } else {
            lines.add(call + ": " + (answer instanceof Connection ? "a connection" : String.valueOf(answer)));
        }
    }

    private void add(String call, ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        List<String> header = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            header.add(columns.getColumnName(i) + " " + typeName(columns, i));
        }
        lines.add(call + " columns: " + String.join(", ", header));
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                // Hive does not describe functions; Skep does.
                boolean isDescription = call.startsWith("getFunctions(")
                        && columns.getColumnName(i).equals("REMARKS");
                row.add(isDescription ? "..." : String.valueOf(rows.getObject(i)));
            }
            String line = String.join(" | ", row).replace("\n", "\\n");
            // Other databases of a server are not the tables' concern.
            if (!call.equals("getSchemas()") || line.startsWith(DATABASE + " ")) {
                lines.add(call + ": " + line);
            }
        }
    }

    /** The drivers do not name a type that only their own results have. */
    private static String typeName(ResultSetMetaData columns, int column) {
        try {
            return columns.getColumnTypeName(column);
        } catch (SQLException e) {
            return "?";
        }
    }
}
