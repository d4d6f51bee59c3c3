package io.skep.itests.random;

import io.skep.itests.random.Expression.Reference;
import java.util.Set;

/** Properties of columns and forms that the generator needs. */
final class Expressions {
    private static final Set<String> JOIN_COLUMNS =
            Set.of("id", "k", "c_small", "c_big", "c_dec", "c_date", "c_text", "c_varchar", "c_char", "p", "d");

    private Expressions() {}

    /** Whether all rows of a table have different values of this column. */
    static boolean identifies(Expression leaf) {
        return leaf instanceof Reference column && column.column().equals("id");
    }

    /**
     * Whether rows that agree in all columns of this kind are equal. These are the key columns of a table, and all
     * columns of a derived table.
     */
    static boolean distinguishes(Expression leaf) {
        return leaf instanceof Reference column && column.column().matches("id|c[0-9]+");
    }

    /** Whether joins on this column do not return far more rows than they read. */
    static boolean joins(Expression leaf) {
        return leaf instanceof Reference column && JOIN_COLUMNS.contains(column.column());
    }

    /** Whether a window function accepts a frame. */
    static boolean takesFrame(Form form) {
        return form.hive().matches("(min|max|sum|count|first_value|last_value)\\(.*");
    }
}
