package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;

/** percent_rank and cume_dist. */
record RelativeRankFunction(boolean cumulative) implements WindowFunction {
    static final List<WindowFunctionEntry> ENTRIES = List.of(entry("percent_rank", false), entry("cume_dist", true));

    private static WindowFunctionEntry entry(String name, boolean cumulative) {
        return new WindowFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NEVER_NULL, name),
                (function, arguments) -> new WindowFunctionEntry.Types(arguments, PrimitiveType.DOUBLE),
                false,
                call -> new RelativeRankFunction(cumulative));
    }

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        double[] ranks = new double[rows.count()];
        for (int row = 0; row < ranks.length; row++) {
            int start = rows.partitionStarts()[row];
            int size = rows.partitionEnds()[row] - start;
            if (cumulative) {
                ranks[row] = (double) (rows.peerEnds()[row] - start) / size;
            } else {
                ranks[row] = size == 1 ? 0 : (double) (rows.peerStarts()[row] - start) / (size - 1);
            }
        }
        return new DoubleVector(ranks, null, ranks.length);
    }

    @Override
    public boolean framed() {
        return false;
    }
}
