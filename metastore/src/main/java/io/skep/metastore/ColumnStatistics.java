package io.skep.metastore;

import io.skep.common.vector.Datum;
import java.util.Optional;

/**
 * Statistics of one column.
 *
 * @param distinctValues estimated number of distinct values, or -1
 * @param averageLength bytes, for text and binary, or -1
 * @param trueCount rows that are true, for booleans, or -1
 */
public record ColumnStatistics(
        String column,
        long nullCount,
        long distinctValues,
        Optional<Datum> low,
        Optional<Datum> high,
        double averageLength,
        long maxLength,
        long trueCount,
        long falseCount) {}
