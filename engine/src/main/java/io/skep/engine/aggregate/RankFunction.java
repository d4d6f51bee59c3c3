package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import io.skep.engine.plan.WindowCall;
import java.util.List;

/** row_number, rank and dense_rank. */
final class RankFunction implements WindowFunction {
    static final List<WindowFunctionEntry> ENTRIES = List.of(
            entry("row_number", Kind.ROW_NUMBER), entry("rank", Kind.RANK), entry("dense_rank", Kind.DENSE_RANK));

    private enum Kind {
        ROW_NUMBER,
        RANK,
        DENSE_RANK
    }

    private final Kind kind;
    private long lastRank;

    private RankFunction(Kind kind) {
        this.kind = kind;
    }

    private static WindowFunctionEntry entry(String name, Kind kind) {
        return new WindowFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NEVER_NULL, name),
                (function, arguments) -> new WindowFunctionEntry.Types(arguments, PrimitiveType.INT),
                false,
                call -> new RankFunction(kind));
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
