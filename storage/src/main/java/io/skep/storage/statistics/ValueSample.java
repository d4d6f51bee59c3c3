package io.skep.storage.statistics;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hive.org.apache.datasketches.kll.KllFloatsSketch;

/**
 * A sample of a column's values, from which its histogram is made: one row of each block of as many as keep the sample
 * small, drawn at random in the block, so that neither order nor periods of the rows matter. All rows while there are
 * few. Asking a sketch to take every row costs a hundred times as much. Not thread-safe.
 */
final class ValueSample {
    /** The values that are kept at most; it halves them when there are so many. */
    static final int MOST = 2048;

    private static final int FIRST = 32;
    private static final int SKETCH_SIZE = 200;

    private float[] values = new float[0];
    private int size;
    private int doublings;
    private long untilNext;
    /** Rows of the last block behind the one that was taken. */
    private long blockLeft;

    private long random = 0x9E3779B97F4A7C15L;

    /** The rows until the next that is asked for, none for the very next. */
    long untilNext() {
        return untilNext;
    }

    /** Passes rows by, at most those until the next that is asked for. */
    void pass(long rows) {
        untilNext -= rows;
    }

    /** Takes the row that is asked for; what is no finite number, such as a null, is left out. */
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

    /** Absent without values. */
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
