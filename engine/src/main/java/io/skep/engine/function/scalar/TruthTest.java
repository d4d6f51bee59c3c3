package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import java.util.Optional;

/**
 * IS TRUE, IS NOT TRUE, IS FALSE, IS NOT FALSE: never null.
 *
 * @param truth the value to test for
 * @param negated whether the result is negated
 */
record TruthTest(boolean truth, boolean negated) implements ScalarFunction {
    static final List<ScalarFunctionEntry> ENTRIES = List.of(
            entry("istrue", true, false),
            entry("isnottrue", true, true),
            entry("isfalse", false, false),
            entry("isnotfalse", false, true));

    private static ScalarFunctionEntry entry(String name, boolean truth, boolean negated) {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NEVER_NULL, name),
                ScalarTypes.when(List.of(PrimitiveType.BOOLEAN)::equals, PrimitiveType.BOOLEAN),
                call -> call.first() == PrimitiveType.BOOLEAN
                        ? Optional.of(new TruthTest(truth, negated))
                        : Optional.empty());
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long[] values = ((LongVector) arguments[0]).values();
        long[] truths = new long[rows];
        long wanted = truth ? 1 : 0;
        for (int i = 0; i < rows; i++) {
            boolean is = !arguments[0].isNull(i) && values[i] == wanted;
            truths[i] = is != negated ? 1 : 0;
        }
        return new LongVector(truths, null, rows);
    }
}
