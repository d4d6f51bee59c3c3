package io.skep.metastore.hive;

import com.google.common.primitives.Longs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections on which statements that differ only in numbers are the same statement. Hive's library writes the ids of
 * transactions and locks into the text of its statements. Derby compiles each text to a class, which takes
 * milliseconds, and keeps the last hundred. Numbers that columns are compared with or set to become parameters here,
 * and so do large ones between the columns of a SELECT.
 */
final class ParameterizedStatements extends DelegatingDataSource {
    /** A number behind a column's name, alone in an IN list, or, if it exceeds INT, between columns; or a parameter. */
    private static final Pattern NUMBER =
            Pattern.compile("(?<before>\"\\s*(?:=|<>|!=|<=|>=|<|>)\\s*|\"\\s+(?i:in)\\s*\\(\\s*)"
                    + "(?<number>-?\\d{1,19})(?![\\d.])(?=\\s*(?:\\)|,|\\s|$))"
                    + "|(?<=\",)\\s*(?<selected>-?\\d{11,19})(?=,)"
                    + "|\\?");

    ParameterizedStatements(DataSource target) {
        super(target);
    }

    /**
     * A text with a question mark in the place of each number.
     *
     * @param parameters the number of each question mark; empty for those that the text had already
     */
    record Parameterized(String sql, List<Optional<Long>> parameters) {
        static Parameterized of(String sql) {
            List<Optional<Long>> parameters = new ArrayList<>();
            String[] parts = sql.split("'", -1);
            // Every other part is in quotes.
            for (int i = 0; i < parts.length; i += 2) {
                Matcher matcher = NUMBER.matcher(parts[i]);
                StringBuilder part = new StringBuilder();
                while (matcher.find()) {
                    String selected = matcher.group("selected");
                    String text = selected == null ? matcher.group("number") : selected;
                    if (text == null) {
                        parameters.add(Optional.empty());
                        continue;
                    }
                    String before = selected == null ? matcher.group("before") : " ";
                    Long number = Longs.tryParse(text);
                    if (number == null || before.endsWith("(") && !parts[i].startsWith(")", matcher.end())) {
                        continue;
                    }
                    parameters.add(Optional.of(number));
                    String replacement = before + (selected == null ? "?" : "CAST(? AS BIGINT)");
                    matcher.appendReplacement(part, Matcher.quoteReplacement(replacement));
                }
                parts[i] = matcher.appendTail(part).toString();
            }
            return new Parameterized(String.join("'", parts), List.copyOf(parameters));
        }

        PreparedStatement prepare(Connection connection) throws SQLException {
            PreparedStatement statement = connection.prepareStatement(sql);
            try {
                setNumbers(statement);
            } catch (SQLException e) {
                statement.close();
                throw e;
            }
            boolean isMixed =
                    parameters.stream().map(Optional::isPresent).distinct().count() > 1;
            return isMixed ? withOwnPlaces(statement) : statement;
        }

        private void setNumbers(PreparedStatement statement) throws SQLException {
            for (int i = 0; i < parameters.size(); i++) {
                if (parameters.get(i).isPresent()) {
                    statement.setLong(i + 1, parameters.get(i).get());
                }
            }
        }

        /** Returns a statement whose callers count the parameters of the original text only. */
        private PreparedStatement withOwnPlaces(PreparedStatement statement) {
            int[] places = IntStream.rangeClosed(1, parameters.size())
                    .filter(place -> parameters.get(place - 1).isEmpty())
                    .toArray();
            return proxy(PreparedStatement.class, (method, arguments) -> switch (method.getName()) {
                case "clearParameters" -> {
                    statement.clearParameters();
                    setNumbers(statement);
                    yield null;
                }
                case "getParameterMetaData" -> {
                    ParameterMetaData types = statement.getParameterMetaData();
                    yield proxy(
                            ParameterMetaData.class,
                            (asked, given) -> asked.getName().equals("getParameterCount")
                                    ? places.length
                                    : invoke(types, asked, placed(given, places)));
                }
                default -> {
                    boolean isPlaced = method.getName().startsWith("set") && arguments.length > 1;
                    yield invoke(statement, method, isPlaced ? placed(arguments, places) : arguments);
                }
            });
        }

        private static Object[] placed(Object[] arguments, int[] places) {
            if (arguments.length == 0 || !(arguments[0] instanceof Integer place)) {
                return arguments;
            }
            Object[] placed = arguments.clone();
            placed[0] = places[place - 1];
            return placed;
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        return proxy(Connection.class, (method, arguments) -> switch (method.getName()) {
            case "prepareStatement" ->
                arguments.length == 1 && arguments[0] instanceof String sql
                        ? Parameterized.of(sql).prepare(real)
                        : invoke(real, method, arguments);
            case "createStatement" ->
                new Plain(real, Objects.requireNonNull((Statement) invoke(real, method, arguments))).asStatement();
            default -> invoke(real, method, arguments);
        });
    }

    /** A statement whose texts are prepared. Used by one thread. */
    private static final class Plain {
        private final Connection connection;
        private final Statement real;
        private final List<PreparedStatement> prepared = new ArrayList<>();
        private final List<String> batch = new ArrayList<>();

        Plain(Connection connection, Statement real) {
            this.connection = connection;
            this.real = real;
        }

        Statement asStatement() {
            return proxy(Statement.class, (method, arguments) -> switch (method.getName()) {
                case "executeQuery" -> prepare((String) arguments[0]).executeQuery();
                case "executeUpdate" ->
                    arguments.length == 1
                            ? prepare((String) arguments[0]).executeUpdate()
                            : invoke(real, method, arguments);
                case "execute" ->
                    arguments.length == 1 ? prepare((String) arguments[0]).execute() : invoke(real, method, arguments);
                case "addBatch" -> batch.add((String) arguments[0]);
                case "executeBatch" -> runBatch();
                case "close" -> {
                    for (PreparedStatement statement : prepared) {
                        statement.close();
                    }
                    yield invoke(real, method, arguments);
                }
                case "getResultSet", "getUpdateCount", "getMoreResults" ->
                    invoke(prepared.isEmpty() ? real : prepared.getLast(), method, arguments);
                default -> invoke(real, method, arguments);
            });
        }

        private PreparedStatement prepare(String sql) throws SQLException {
            PreparedStatement statement = Parameterized.of(sql).prepare(connection);
            prepared.add(statement);
            return statement;
        }

        private int[] runBatch() throws SQLException {
            int[] counts = new int[batch.size()];
            for (int i = 0; i < counts.length; i++) {
                try (PreparedStatement statement =
                        Parameterized.of(batch.get(i)).prepare(connection)) {
                    counts[i] = statement.executeUpdate();
                }
            }
            batch.clear();
            return counts;
        }
    }

    @FunctionalInterface
    private interface Calls {
        @Nullable
        Object call(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                ParameterizedStatements.class.getClassLoader(),
                new Class<?>[] {type},
                (_, method, arguments) -> calls.call(method, arguments == null ? new Object[0] : arguments)));
    }

    private static @Nullable Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
