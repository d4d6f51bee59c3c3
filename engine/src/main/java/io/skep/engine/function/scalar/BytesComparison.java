package io.skep.engine.function.scalar;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import java.util.Arrays;

/** Compares text and binary by unsigned bytes. For UTF-8 this is the order of code points. */
record BytesComparison(Comparison comparison) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector left = (BytesVector) arguments[0];
        BytesVector right = (BytesVector) arguments[1];
        long[] truths = new long[rows];
        switch (comparison) {
            case EQUAL -> equal(left, right, truths, 1);
            case NOT_EQUAL -> equal(left, right, truths, 0);
            default -> ordered(left, right, truths);
        }
        return Comparison.result(truths, left, right);
    }

    private static void equal(BytesVector left, BytesVector right, long[] truths, long whenEqual) {
        for (int i = 0; i < truths.length; i++) {
            int length = left.lengths()[i];
            int leftStart = left.offsets()[i];
            int rightStart = right.offsets()[i];
            boolean same = length == right.lengths()[i]
                    && Arrays.equals(
                            left.data(), leftStart, leftStart + length, right.data(), rightStart, rightStart + length);
            truths[i] = same ? whenEqual : 1 - whenEqual;
        }
    }

    private void ordered(BytesVector left, BytesVector right, long[] truths) {
        for (int i = 0; i < truths.length; i++) {
            int leftStart = left.offsets()[i];
            int rightStart = right.offsets()[i];
            int order = Arrays.compareUnsigned(
                    left.data(),
                    leftStart,
                    leftStart + left.lengths()[i],
                    right.data(),
                    rightStart,
                    rightStart + right.lengths()[i]);
            truths[i] = comparison.holds(order) ? 1 : 0;
        }
    }
}
