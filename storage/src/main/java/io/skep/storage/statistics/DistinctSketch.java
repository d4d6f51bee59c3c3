package io.skep.storage.statistics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hive.common.ndv.NumDistinctValueEstimator;
import org.apache.hadoop.hive.common.ndv.NumDistinctValueEstimatorFactory;

/**
 * A sketch of the distinct values of a column, in the bytes that Hive's metastore keeps as its bit vector. Equal by
 * content; the array that was given and that {@link #bytes} gives is shared, never to be written.
 */
public final class DistinctSketch {
    private final byte[] bytes;

    public DistinctSketch(byte[] bytes) {
        this.bytes = bytes;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** The number of distinct values, at least 1, as Hive counts them. */
    public long estimate() {
        return estimator().estimateNumDistinctValues();
    }

    /** The sketch of the values of both; absent when they are of different kinds. */
    public Optional<DistinctSketch> merge(DistinctSketch other) {
        NumDistinctValueEstimator mine = estimator();
        NumDistinctValueEstimator others = other.estimator();
        if (!mine.canMerge(others)) {
            return Optional.empty();
        }
        mine.mergeEstimators(others);
        return Optional.of(new DistinctSketch(mine.serialize()));
    }

    private NumDistinctValueEstimator estimator() {
        return NumDistinctValueEstimatorFactory.getNumDistinctValueEstimator(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DistinctSketch sketch && Arrays.equals(bytes, sketch.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "sketch of about " + estimate();
    }
}
