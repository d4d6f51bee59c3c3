package io.skep.bench;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A query result as rows of text. Numbers that two engines round differently are equal when they differ by less than a
 * millionth.
 */
public record Answer(List<List<String>> rows) {
    private static final double TOLERANCE = 1e-6;

    /** Reads all rows of a result. The blanks that fill a CHAR are no part of its value. */
    public static Answer of(ResultSet result) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        ResultSetMetaData columns = result.getMetaData();
        while (result.next()) {
            List<String> row = new ArrayList<>(columns.getColumnCount());
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                String value = String.valueOf(result.getString(i));
                row.add(columns.getColumnType(i) == Types.CHAR ? value.stripTrailing() : value);
            }
            rows.add(row);
        }
        return new Answer(rows);
    }

    /**
     * Returns the first difference from the expected answer, if any. The order of rows is ignored, because ties leave
     * it open.
     */
    public Optional<String> difference(Answer expected) {
        return difference(sorted(), expected.sorted());
    }

    /** Returns the first difference from the expected answer, if any, of a query that leaves no order open. */
    public Optional<String> differenceInOrder(Answer expected) {
        return difference(rows, expected.rows);
    }

    private static Optional<String> difference(List<List<String>> mine, List<List<String>> theirs) {
        if (mine.size() != theirs.size()) {
            return Optional.of(mine.size() + " rows instead of " + theirs.size());
        }
        for (int row = 0; row < mine.size(); row++) {
            if (!near(mine.get(row), theirs.get(row))) {
                return Optional.of("row " + row + " is " + mine.get(row) + " instead of " + theirs.get(row));
            }
        }
        return Optional.empty();
    }

    private static boolean near(List<String> left, List<String> right) {
        boolean near = left.size() == right.size();
        for (int i = 0; near && i < left.size(); i++) {
            near = near(left.get(i), right.get(i));
        }
        return near;
    }

    private List<List<String>> sorted() {
        List<List<String>> sorted = new ArrayList<>(rows);
        sorted.sort((left, right) -> key(left).compareTo(key(right)));
        return sorted;
    }

    /** Returns a sort key. Numbers are rounded to hide the digits in which engines differ. */
    private static String key(List<String> row) {
        StringBuilder key = new StringBuilder();
        for (String cell : row) {
            key.append(isNumber(cell) ? String.format(Locale.ROOT, "%25.2f", new BigDecimal(cell)) : cell)
                    .append('\u0001');
        }
        return key.toString();
    }

    private static boolean near(String left, String right) {
        if (left.equals(right)) {
            return true;
        }
        if (!isNumber(left) || !isNumber(right)) {
            return false;
        }
        double a = Double.parseDouble(left);
        double b = Double.parseDouble(right);
        return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
    }

    private static boolean isNumber(String text) {
        return text.matches("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
    }
}
