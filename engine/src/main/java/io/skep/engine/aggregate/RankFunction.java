package io.skep.engine.aggregate;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;

/** row_number, rank and dense_rank. */
record RankFunction(Kind kind) implements WindowFunction {
    enum Kind {
        ROW_NUMBER,
        RANK,
        DENSE_RANK
    }

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        long[] ranks = new long[rows.count()];
        for (int row = 0; row < ranks.length; row++) {
            int start = rows.partitionStarts()[row];
            ranks[row] = switch (kind) {
                case ROW_NUMBER -> row - start + 1;
                case RANK -> rows.peerStarts()[row] - start + 1;
                case DENSE_RANK -> dense(ranks, rows, row, start);
            };
        }
        return new LongVector(ranks, null, ranks.length);
    }

    private static long dense(long[] ranks, WindowRows rows, int row, int start) {
        if (row == start) {
            return 1;
        }
        return ranks[row - 1] + (rows.peerStarts()[row] == row ? 1 : 0);
    }

    @Override
    public boolean framed() {
        return false;
    }
}
