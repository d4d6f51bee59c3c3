package io.skep.metastore.system;

import java.util.List;

/**
 * A condition on rows that are read: a column has one of some values. The values are Longs or Strings. Rows that do not
 * match it may be returned too.
 *
 * @param column a comparable column's position in its table
 */
public record RowCondition(int column, List<Object> values) {
    /** Conditions with more values are left out. */
    public static final int MAX_VALUES = 100;

    public RowCondition {
        values = List.copyOf(values);
    }
}
