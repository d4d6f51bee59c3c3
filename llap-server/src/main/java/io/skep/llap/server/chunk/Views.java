package io.skep.llap.server.chunk;

import io.skep.common.vector.NullMask;
import org.jspecify.annotations.Nullable;

/** The layout of variable-length values that are stored one after the other. Null values have length 0. */
final class Views {
    private final int[] offsets;
    private final long[] lengths;
    private final int[] starts;

    Views(int[] offsets, int[] sourceLengths, long @Nullable [] nulls, int rows) {
        this.offsets = offsets;
        lengths = new long[rows];
        starts = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            int length = NullMask.isNull(nulls, i) ? 0 : sourceLengths[i];
            lengths[i] = length;
            try {
                starts[i + 1] = Math.addExact(starts[i], length);
            } catch (ArithmeticException e) {
                throw new ChunkTooLargeException();
            }
        }
    }

    long[] lengths() {
        return lengths;
    }

    int start(int row) {
        return starts[row];
    }

    int total() {
        return starts[starts.length - 1];
    }

    /** Returns, for each value that a row refers to, its position in the source. The positions are in row order. */
    int[] positions() {
        int[] positions = new int[total()];
        for (int row = 0; row < lengths.length; row++) {
            for (int i = 0; i < lengths[row]; i++) {
                positions[starts[row] + i] = offsets[row] + i;
            }
        }
        return positions;
    }
}
