package io.skep.storage.scan;

import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Optional;

/**
 * A condition on one column that readers use to skip rows that cannot match. Readers may still return rows that do not
 * match. The column is an ordinal of the table's layout, and values are of the column's type.
 */
public sealed interface ColumnPredicate {
    int column();

    /** Matches values between two bounds, one of which may be absent. Null does not match. */
    record Range(int column, Optional<Datum> low, boolean lowInclusive, Optional<Datum> high, boolean highInclusive)
            implements ColumnPredicate {}

    /**
     * Matches a list of values. Null does not match.
     *
     * @param values non-null values, sorted if they have an order, so that a row group can be checked without testing
     *     all of them
     * @param ordered whether the values have an order; the constructor ignores the argument
     */
    record In(int column, List<Datum> values, boolean ordered) implements ColumnPredicate {
        public In {
            values = values.stream().filter(value -> !value.isNull()).toList();
            ordered = DatumOrder.isTotal(values);
            if (ordered) {
                values = values.stream()
                        .sorted((left, right) -> DatumOrder.compare(left, right).orElseThrow())
                        .toList();
            }
        }

        public In(int column, List<Datum> values) {
            this(column, values, false);
        }
    }

    record IsNull(int column) implements ColumnPredicate {}

    record IsNotNull(int column) implements ColumnPredicate {}
}
