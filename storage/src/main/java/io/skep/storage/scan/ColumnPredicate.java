package io.skep.storage.scan;

import io.skep.common.vector.Datum;
import java.util.List;
import java.util.Optional;

/**
 * A condition on one column that readers use to skip what cannot match; rows that do not match may still come. The column
 * is an ordinal of the table's layout, values are of the column's type.
 */
public sealed interface ColumnPredicate {
    int column();

    /** Between two bounds, of which one may be absent; null does not match. */
    record Range(int column, Optional<Datum> low, boolean lowInclusive, Optional<Datum> high, boolean highInclusive)
            implements ColumnPredicate {}

    /** One of some values; null does not match. */
    record In(int column, List<Datum> values) implements ColumnPredicate {
        public In {
            values = List.copyOf(values);
        }
    }

    record IsNull(int column) implements ColumnPredicate {}

    record IsNotNull(int column) implements ColumnPredicate {}
}
