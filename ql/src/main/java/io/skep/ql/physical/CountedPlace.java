package io.skep.ql.physical;

import io.skep.common.vector.Datum;
import io.skep.metastore.BasicStatistics;
import io.skep.metastore.ColumnStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A table, or a partition of one, whose rows are counted.
 *
 * @param stats its basic statistics, with an exact row count
 * @param keys values of the partition columns
 * @param columns returns the statistics of a data column, whether exact or not
 */
public record CountedPlace(
        BasicStatistics stats, List<Datum> keys, Function<String, Optional<ColumnStatistics>> columns) {
    public CountedPlace {
        keys = List.copyOf(keys);
    }

    long rows() {
        return stats.rows().orElseThrow();
    }

    /** Returns the statistics of a column, if they are exact for the current data and plausible. */
    Optional<ColumnStatistics> exact(String column) {
        return stats.exactColumns().contains(column)
                ? columns.apply(column).filter(known -> known.nullCount() >= 0 && known.nullCount() <= rows())
                : Optional.empty();
    }
}
