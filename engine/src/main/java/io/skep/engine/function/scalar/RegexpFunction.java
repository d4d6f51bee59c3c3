package io.skep.engine.function.scalar;

import io.skep.common.concurrent.Interruption;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** regexp: whether the pattern occurs anywhere in the text. An empty pattern never matches, as in Hive. */
final class RegexpFunction extends RegexFunction {
    RegexpFunction() {
        super("regexp");
    }

    @Override
    Vector evaluate(Vector[] arguments, long @Nullable [] nulls, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector patterns = (BytesVector) arguments[1];
        long[] truths = new long[rows];
        for (int row = 0; row < rows; row++) {
            Interruption.check();
            if (!NullMask.isNull(nulls, row) && patterns.lengths()[row] > 0) {
                truths[row] = matcher(texts.string(row), patterns, row).find() ? 1 : 0;
            }
        }
        return new LongVector(truths, nulls, rows);
    }
}
