package io.skep.engine.aggregate;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;

/** ntile: divides the partition into buckets whose sizes differ by at most one row, larger ones first. */
record NtileFunction() implements WindowFunction {
    static final WindowFunctionEntry ENTRY = new WindowFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NEVER_NULL, "ntile"),
            WindowFunctionEntry.TypeRule.ofCount(
                    1, 1, arguments -> new WindowFunctionEntry.Types(List.of(PrimitiveType.INT), PrimitiveType.INT)),
            false,
            call -> new NtileFunction());

    @Override
    public Vector evaluate(Vector[] arguments, WindowRows rows) {
        long[] buckets = ((LongVector) arguments[0]).values();
        long[] tiles = new long[rows.count()];
        for (int row = 0; row < tiles.length; row++) {
            int start = rows.partitionStarts()[row];
            tiles[row] = tile(row - start, rows.partitionEnds()[row] - start, buckets[row]);
        }
        return new LongVector(tiles, null, tiles.length);
    }

    private static long tile(long row, long size, long buckets) {
        if (buckets <= 0) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT, "ntile needs a positive number of buckets, not " + buckets);
        }
        long small = size / buckets;
        long large = size % buckets;
        long rowsInLarge = large * (small + 1);
        return row < rowsInLarge ? row / (small + 1) + 1 : large + (row - rowsInLarge) / small + 1;
    }

    @Override
    public boolean framed() {
        return false;
    }
}
