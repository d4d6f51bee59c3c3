package io.skep.storage.statistics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hive.org.apache.datasketches.kll.KllFloatsSketch;

/**
 * A sample of a column's values, from which its histogram is built. It keeps all rows while there are few. Then it
 * keeps one row of each block, and the block size grows to keep the sample small. The row is drawn at random within the
 * block, so that neither the order nor periods of the rows matter. Passing every row to a sketch costs a hundred times
 * as much. Not thread-safe.
 */
final class ValueSample {
    /** The maximum number of values kept. At this number, the sample is halved. */
    static final int MOST = 2048;

    private static final int FIRST = 32;
    private static final int SKETCH_SIZE = 200;

    private float[] values = new float[0];
    private int size;
    private int doublings;
    private long untilNext;
    /** The rows of the last block after the sampled one. */
    private long blockLeft;

    private long random = 0x9E3779B97F4A7C15L;

    /** Returns the number of rows to skip before the next sampled row, 0 if the next row is sampled. */
    long untilNext() {
        return untilNext;
    }

    /** Skips rows, at most those before the next sampled row. */
    void pass(long rows) {
        untilNext -= rows;
    }

    /** Adds the sampled row. Values that are not finite numbers, such as nulls, are ignored. */
    void take(double value) {
        if (Double.isFinite(value)) {
            if (size == values.length) {
                values = Arrays.copyOf(values, Math.max(FIRST, 2 * size));
            }
            values[size++] = (float) value;
        }
        next();
    }

    private void next() {
        if (size == MOST) {
            halve();
        }
        long block = 1L << doublings;
        long place = random() & block - 1;
        untilNext = blockLeft + place;
        blockLeft = block - 1 - place;
    }

    private void halve() {
        for (int i = 0; i < MOST / 2; i++) {
            values[i] = values[2 * i + (int) (random() & 1)];
        }
        size = MOST / 2;
        doublings++;
    }

    private long random() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return random >>> 11;
    }

    /** Returns empty when there are no values. */
    Optional<Histogram> histogram() {
        if (size == 0) {
            return Optional.empty();
        }
        KllFloatsSketch sketch = KllFloatsSketch.newHeapInstance(SKETCH_SIZE);
        for (int i = 0; i < size; i++) {
            sketch.update(values[i]);
        }
        Histogram histogram = new Histogram(sketch.toByteArray());
        for (int i = 0; i < doublings; i++) {
            histogram = histogram.merge(histogram);
        }
        return Optional.of(histogram);
    }

    long retainedBytes() {
        return 64 + 4L * values.length;
    }
}
