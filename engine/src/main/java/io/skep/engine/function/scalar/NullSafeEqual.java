package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code <=>}: never null. Null equals null. */
record NullSafeEqual(ScalarFunction equal) implements ScalarFunction {
    static final List<ScalarFunctionEntry> ENTRIES = List.of(
            new ScalarFunctionEntry(
                    FunctionMetadata.ofHive(Nullability.NEVER_NULL, "<=>", "is_not_distinct_from"),
                    ComparisonTypes.of(),
                    call -> Comparison.EQUAL.kernel(call).map(NullSafeEqual::new)),
            new ScalarFunctionEntry(
                    FunctionMetadata.ofPlans(Nullability.NEVER_NULL, "is_distinct_from"),
                    ScalarTypes.ofHive(),
                    call -> Comparison.EQUAL
                            .kernel(call)
                            .map(equal -> new Composed(new NotFunction(), new NullSafeEqual(equal)))));

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
