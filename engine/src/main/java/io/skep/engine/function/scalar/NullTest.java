package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** Tests whether a value is null, or whether it is not null. */
record NullTest(boolean wanted) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long @Nullable [] nulls = arguments[0].nulls();
        long[] truths = new long[rows];
        long whenPresent = wanted ? 0 : 1;
        for (int i = 0; i < rows; i++) {
            truths[i] = NullMask.isNull(nulls, i) ? 1 - whenPresent : whenPresent;
        }
        return new LongVector(truths, null, rows);
    }
}
