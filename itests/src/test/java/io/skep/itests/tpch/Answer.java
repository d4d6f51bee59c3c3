package io.skep.itests.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Rows of text; numbers that two engines round differently count as equal when they are within a millionth. */
record Answer(List<List<String>> rows) {
    private static final double TOLERANCE = 1e-6;

    /** Compares without regard to the order of rows, which ties leave open. */
    void assertEquals(Answer expected, String what) {
        List<List<String>> mine = sorted();
        List<List<String>> theirs = expected.sorted();
        assertThat(mine).as("rows of %s", what).hasSameSizeAs(theirs);
        for (int row = 0; row < mine.size(); row++) {
            assertThat(mine.get(row)).as("columns of %s", what).hasSameSizeAs(theirs.get(row));
            for (int column = 0; column < mine.get(row).size(); column++) {
                String left = mine.get(row).get(column);
                String right = theirs.get(row).get(column);
                assertThat(near(left, right))
                        .as("row %d, column %d of %s: %s and %s", row, column, what, left, right)
                        .isTrue();
            }
        }
    }

    private List<List<String>> sorted() {
        List<List<String>> sorted = new ArrayList<>(rows);
        sorted.sort((left, right) -> key(left).compareTo(key(right)));
        return sorted;
    }

    /** Texts first, then numbers without the digits in which engines differ. */
    private static String key(List<String> row) {
        StringBuilder key = new StringBuilder();
        for (String cell : row) {
            key.append(isNumber(cell) ? String.format("%25.2f", new BigDecimal(cell)) : cell)
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
