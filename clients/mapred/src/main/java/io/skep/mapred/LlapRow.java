package io.skep.mapred;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A row as Java objects. Readers fill the same row again and again.
 *
 * <p>Classes by type: Boolean, Byte, Short, Integer, Long, Float, Double, String (also for char and varchar), byte[],
 * java.sql.Date, java.sql.Timestamp, java.time.Instant (timestamp with local time zone), java.time.Period (interval
 * year to month), BigDecimal, List (array), Map in the order of its entries, and List of the fields' values (struct).
 */
public class LlapRow {
    private final RowSchema schema;
    private final @Nullable Object[] values;

    public LlapRow(RowSchema schema) {
        this.schema = schema;
        this.values = new @Nullable Object[schema.names().size()];
    }

    public final RowSchema schema() {
        return schema;
    }

    /** Returns the value of a column, from 0. */
    public final @Nullable Object value(int column) {
        return values[column];
    }

    /** @throws IllegalArgumentException when there is no column of that name */
    public final @Nullable Object value(String column) {
        return values[schema.indexOf(column)];
    }

    final void set(int column, @Nullable Object value) {
        values[column] = value;
    }

    @Override
    public final String toString() {
        return Arrays.deepToString(values);
    }
}
