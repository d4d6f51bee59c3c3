package io.skep.itests.random;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A result as text. Values that differ only in scale, padding or the sign of zero have the same text. */
record Rows(List<String> rows) {
    Rows {
        rows = List.copyOf(rows);
    }

    static Rows ask(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            ResultSetMetaData columns = result.getMetaData();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    row.add(text(result.getObject(i), columns.getColumnType(i) == Types.CHAR));
                }
                rows.add(String.join("|", row));
            }
        }
        return new Rows(rows);
    }

    private static String text(@Nullable Object value, boolean padded) {
        return switch (value) {
            case null -> "NULL";
            case BigDecimal decimal when decimal.signum() == 0 -> "0";
            case BigDecimal decimal -> decimal.stripTrailingZeros().toPlainString();
            case Number number
            when number.doubleValue() == 0.0 && number.toString().startsWith("-") -> "0.0";
            case String string when padded -> string.stripTrailing();
            default -> value.toString();
        };
    }

    Rows and(Rows others) {
        return new Rows(Stream.concat(rows.stream(), others.rows.stream()).toList());
    }

    /** Returns the rows without duplicates. */
    Rows distinct() {
        return new Rows(rows.stream().distinct().toList());
    }

    /** Describes how this result differs from the expected one. */
    Optional<String> difference(Rows expected, boolean ordered) {
        if (ordered ? rows.equals(expected.rows) : sorted().equals(expected.sorted())) {
            return Optional.empty();
        }
        Map<String, Integer> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(row, 1, Integer::sum));
        expected.rows.forEach(row -> counts.merge(row, -1, Integer::sum));
        List<String> extra = example(counts, 1);
        List<String> missing = example(counts, -1);
        return Optional.of(rows.size() + " rows instead of " + expected.rows.size() + "; not expected: " + extra
                + "; expected: " + missing + (extra.isEmpty() && missing.isEmpty() ? "; in another order" : ""));
    }

    private static List<String> example(Map<String, Integer> counts, int sign) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() * sign > 0)
                .limit(3)
                .map(entry -> "(" + entry.getKey() + ") x" + entry.getValue() * sign)
                .toList();
    }

    private List<String> sorted() {
        List<String> sorted = new ArrayList<>(rows);
        Collections.sort(sorted);
        return sorted;
    }
}
