package io.skep.engine.rows;

import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.SortKey;
import java.util.List;

/**
 * Sorts the rows of one batch stably. The first key of each row becomes a 64-bit prefix whose order agrees with that of
 * the key. A merge sort moves prefixes and row numbers together. It compares rows only if their prefixes are equal.
 */
public final class RowSorter {
    private static final int RUN = 24;

    private final Batch batch;
    private final RowOrder order;
    private final boolean prefixDecides;

    private RowSorter(Batch batch, List<SortKey> keys) {
        this.batch = batch;
        this.order = new RowOrder(keys);
        Vector first = batch.column(keys.getFirst().column());
        this.prefixDecides = keys.size() == 1 && first instanceof LongVector && !first.mayHaveNulls();
    }

    /** Returns the row numbers of a batch in order. Key columns should be flat. */
    public static int[] sort(Batch batch, List<SortKey> keys) {
        int rows = batch.rowCount();
        int[] positions = new int[rows];
        for (int i = 0; i < rows; i++) {
            positions[i] = i;
        }
        if (keys.isEmpty() || rows < 2) {
            return positions;
        }
        long[] prefixes = prefixes(batch.column(keys.getFirst().column()), rows, keys.getFirst());
        return new RowSorter(batch, keys).sort(positions, prefixes, rows);
    }

    private static long[] prefixes(Vector column, int rows, SortKey key) {
        long[] prefixes = new long[rows];
        fill(column.flatten(), rows, prefixes);
        if (!key.ascending()) {
            for (int i = 0; i < rows; i++) {
                prefixes[i] = ~prefixes[i];
            }
        }
        if (column.mayHaveNulls()) {
            long ofNull = key.nullsFirst() ? Long.MIN_VALUE : Long.MAX_VALUE;
            for (int i = 0; i < rows; i++) {
                prefixes[i] = column.isNull(i) ? ofNull : prefixes[i];
            }
        }
        return prefixes;
    }

    private static void fill(Vector column, int rows, long[] prefixes) {
        switch (column) {
            case LongVector v -> System.arraycopy(v.values(), 0, prefixes, 0, rows);
            case TimestampVector v -> System.arraycopy(v.seconds(), 0, prefixes, 0, rows);
            case DoubleVector v -> {
                for (int i = 0; i < rows; i++) {
                    long bits = Double.doubleToLongBits(v.values()[i] + 0.0);
                    prefixes[i] = bits ^ bits >> 63 & Long.MAX_VALUE;
                }
            }
            case BytesVector v -> {
                for (int i = 0; i < rows; i++) {
                    prefixes[i] = prefix(v.data(), v.offsets()[i], v.isNull(i) ? 0 : v.lengths()[i]);
                }
            }
            case Decimal128Vector v -> {
                for (int i = 0; i < rows; i++) {
                    long high = v.high()[i];
                    long low = v.low()[i];
                    prefixes[i] = high == low >> 63 ? low : high < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
                }
            }
            default -> {}
        }
    }

    private static long prefix(byte[] data, int from, int count) {
        long prefix = 0;
        for (int i = 0; i < 8; i++) {
            prefix = prefix << 8 | (i < count ? data[from + i] & 0xFF : 0);
        }
        return prefix ^ Long.MIN_VALUE;
    }

    private int[] sort(int[] positions, long[] prefixes, int rows) {
        for (int from = 0; from < rows; from += RUN) {
            insertionSort(positions, prefixes, from, Math.min(rows, from + RUN));
        }
        int[] positionsOut = new int[rows];
        long[] prefixesOut = new long[rows];
        for (long width = RUN; width < rows; width *= 2) {
            for (long from = 0; from < rows; from += 2 * width) {
                int middle = (int) Math.min(rows, from + width);
                int to = (int) Math.min(rows, from + 2 * width);
                merge(positions, prefixes, (int) from, middle, to, positionsOut, prefixesOut);
            }
            int[] positionsSwap = positions;
            positions = positionsOut;
            positionsOut = positionsSwap;
            long[] prefixesSwap = prefixes;
            prefixes = prefixesOut;
            prefixesOut = prefixesSwap;
        }
        return positions;
    }

    private void insertionSort(int[] positions, long[] prefixes, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int position = positions[i];
            long prefix = prefixes[i];
            int at = i;
            while (at > from && above(prefixes[at - 1], positions[at - 1], prefix, position)) {
                prefixes[at] = prefixes[at - 1];
                positions[at] = positions[at - 1];
                at--;
            }
            positions[at] = position;
            prefixes[at] = prefix;
        }
    }

    private void merge(
            int[] positions, long[] prefixes, int from, int middle, int to, int[] positionsOut, long[] prefixesOut) {
        int left = from;
        int right = middle;
        int out = from;
        if (middle < to && !above(prefixes[middle - 1], positions[middle - 1], prefixes[middle], positions[middle])) {
            System.arraycopy(positions, from, positionsOut, from, to - from);
            System.arraycopy(prefixes, from, prefixesOut, from, to - from);
            return;
        }
        while (left < middle && right < to) {
            int take = above(prefixes[left], positions[left], prefixes[right], positions[right]) ? right++ : left++;
            positionsOut[out] = positions[take];
            prefixesOut[out++] = prefixes[take];
        }
        int rest = left < middle ? left : right;
        int count = to - out;
        System.arraycopy(positions, rest, positionsOut, out, count);
        System.arraycopy(prefixes, rest, prefixesOut, out, count);
    }

    private boolean above(long leftPrefix, int left, long rightPrefix, int right) {
        if (leftPrefix != rightPrefix) {
            return leftPrefix > rightPrefix;
        }
        return !prefixDecides && order.compare(batch, left, batch, right) > 0;
    }
}
