package io.skep.engine.function.scalar;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** LIKE with a pattern for each row. The pattern is parsed if it differs from the pattern of the previous row. */
final class VaryingLikeFunction implements ScalarFunction {
    private byte[] pattern = {};
    private LikeFunction like = new LikeFunction(pattern);

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector patterns = (BytesVector) arguments[1];
        long[] nulls = NullMask.or(texts.nulls(), patterns.nulls(), rows);
        long[] truths = new long[rows];
        for (int row = 0; row < rows; row++) {
            if (!NullMask.isNull(nulls, row)) {
                int from = texts.offsets()[row];
                truths[row] = of(patterns, row).matches(texts.data(), from, from + texts.lengths()[row]) ? 1 : 0;
            }
        }
        return new LongVector(truths, nulls, rows);
    }

    private LikeFunction of(BytesVector patterns, int row) {
        int from = patterns.offsets()[row];
        int to = from + patterns.lengths()[row];
        if (!Arrays.equals(pattern, 0, pattern.length, patterns.data(), from, to)) {
            pattern = patterns.bytes(row);
            like = new LikeFunction(pattern);
        }
        return like;
    }
}
