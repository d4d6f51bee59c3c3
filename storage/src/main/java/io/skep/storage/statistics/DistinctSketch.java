package io.skep.storage.statistics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hive.common.ndv.NumDistinctValueEstimator;
import org.apache.hadoop.hive.common.ndv.NumDistinctValueEstimatorFactory;

/**
 * A sketch of a column's distinct values, in the bytes that Hive's metastore stores as its bit vector. Equality is by
 * content. The array given to the constructor and returned by {@link #bytes} is shared and must never be modified.
 */
public final class DistinctSketch {
    private final byte[] bytes;

    public DistinctSketch(byte[] bytes) {
        this.bytes = bytes;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** Returns the estimated number of distinct values, at least 1, as Hive computes it. */
    public long estimate() {
        return estimator().estimateNumDistinctValues();
    }

    /** Returns the sketch of the values of both, or empty when the sketches are of different kinds. */
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
