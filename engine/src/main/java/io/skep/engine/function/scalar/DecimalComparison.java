package io.skep.engine.function.scalar;

import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.Vector;

/** Compares decimals of more than 18 digits that have the same scale. */
record DecimalComparison(Comparison comparison) implements ScalarFunction {
    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        Decimal128Vector left = (Decimal128Vector) arguments[0];
        Decimal128Vector right = (Decimal128Vector) arguments[1];
        long[] truths = new long[rows];
        for (int i = 0; i < rows; i++) {
            int order = Int128.compare(left.high()[i], left.low()[i], right.high()[i], right.low()[i]);
            truths[i] = comparison.holds(order) ? 1 : 0;
        }
        return Comparison.result(truths, left, right);
    }
}
