package io.skep.storage.scan;

import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Optional;

/**
 * A condition on one column that readers use to skip what cannot match; rows that do not match may still come. The
 * column is an ordinal of the table's layout, values are of the column's type.
 */
public sealed interface ColumnPredicate {
    int column();

    /** Between two bounds, of which one may be absent; null does not match. */
    record Range(int column, Optional<Datum> low, boolean lowInclusive, Optional<Datum> high, boolean highInclusive)
            implements ColumnPredicate {}

    /**
     * One of some values; null does not match.
     *
     * @param values without nulls, in their order, where they have one, so that a group of rows is judged without a
     *     look at all of them
     * @param ordered whether they have an order; what is given for it does not count
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
