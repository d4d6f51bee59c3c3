package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** {@code <=>}: never null. Null equals null. */
record NullSafeEqual(ScalarFunction equal) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long[] truths = ((LongVector) equal.evaluate(arguments, rows)).values();
        long @Nullable [] left = arguments[0].nulls();
        long @Nullable [] right = arguments[1].nulls();
        if (left != null || right != null) {
            for (int i = 0; i < rows; i++) {
                boolean leftNull = NullMask.isNull(left, i);
                boolean rightNull = NullMask.isNull(right, i);
                if (leftNull || rightNull) {
                    truths[i] = leftNull && rightNull ? 1 : 0;
                }
            }
        }
        return new LongVector(truths, null, rows);
    }
}
