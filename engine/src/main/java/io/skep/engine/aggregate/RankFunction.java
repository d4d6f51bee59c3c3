package io.skep.engine.aggregate;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.WindowCall;

/** row_number, rank and dense_rank. */
final class RankFunction implements WindowFunction {
    enum Kind {
        ROW_NUMBER,
        RANK,
        DENSE_RANK
    }

    private final Kind kind;
    private long lastRank;

    RankFunction(Kind kind) {
        this.kind = kind;
    }

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        long[] ranks = new long[rows.count()];
        for (int row = 0; row < ranks.length; row++) {
            int start = rows.partitionStarts()[row];
            long earlier = start == 0 ? rows.before() : 0;
            ranks[row] = switch (kind) {
                case ROW_NUMBER -> earlier + row - start + 1;
                case RANK -> earlier + rows.peerStarts()[row] - start + 1;
                case DENSE_RANK -> dense(rows, row, earlier + row == start);
            };
            lastRank = ranks[row];
        }
        return new LongVector(ranks, null, ranks.length);
    }

    private long dense(WindowRows rows, int row, boolean first) {
        return first ? 1 : lastRank + (rows.peerStarts()[row] == row ? 1 : 0);
    }

    @Override
    public boolean framed() {
        return false;
    }

    @Override
    public WindowPiece piece(WindowCall.Frame frame) {
        return kind == Kind.ROW_NUMBER ? WindowPiece.ROWS : WindowPiece.PEER_GROUPS;
    }
}
