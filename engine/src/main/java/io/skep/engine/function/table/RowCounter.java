package io.skep.engine.function.table;

import io.skep.common.vector.Batch;

/**
 * Iterates over input rows that each produce a known number of output rows, one piece of the output at a time. Owned by
 * one thread.
 */
public final class RowCounter {
    /** Returns the number of rows that an input row produces. */
    public interface Counts {
        long of(int row);
    }

    private final Counts counts;
    private final int rows;
    private int row;
    private long given;

    public RowCounter(Counts counts, int rows) {
        this.counts = counts;
        this.rows = rows;
    }

    /**
     * A piece of the output.
     *
     * @param inputRows the input row of each output row
     * @param ordinals the ordinal of each output row among those of its input row
     * @param completed input rows before this one produce no more rows
     */
    public record Piece(int[] inputRows, long[] ordinals, int count, int completed) {}

    public Piece next() {
        int[] inputRows = new int[Batch.TARGET_ROWS];
        long[] ordinals = new long[Batch.TARGET_ROWS];
        int count = 0;
        while (row < rows) {
            long left = counts.of(row) - given;
            int taken = Math.clamp(left, 0, Batch.TARGET_ROWS - count);
            for (int i = 0; i < taken; i++) {
                inputRows[count] = row;
                ordinals[count++] = given++;
            }
            if (taken < left) {
                break;
            }
            row++;
            given = 0;
        }
        return new Piece(inputRows, ordinals, count, row);
    }
}
