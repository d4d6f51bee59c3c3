package io.skep.itests.random;

import io.skep.itests.random.Expression.Reference;
import java.util.Set;

/** What the generator knows of columns and forms. */
final class Expressions {
    private static final Set<String> JOIN_COLUMNS =
            Set.of("id", "k", "c_small", "c_big", "c_dec", "c_date", "c_text", "c_varchar", "c_char", "p", "d");

    private Expressions() {}

    /** Whether no two rows of a table have the same value. */
    static boolean identifies(Expression leaf) {
        return leaf instanceof Reference column && column.column().equals("id");
    }

    /** Whether rows that are the same in all such columns are the same: those of a table's key, all of a derived table's. */
    static boolean distinguishes(Expression leaf) {
        return leaf instanceof Reference column && column.column().matches("id|c[0-9]+");
    }

    /** Whether joins on this column do not make far more rows than they take. */
    static boolean joins(Expression leaf) {
        return leaf instanceof Reference column && JOIN_COLUMNS.contains(column.column());
    }

    /** Whether a window function takes a frame. */
    static boolean takesFrame(Form form) {
        return form.hive().matches("(min|max|sum|count|first_value|last_value)\\(.*");
    }
}
