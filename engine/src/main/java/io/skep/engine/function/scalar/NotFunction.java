package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import java.util.Optional;

/** NOT. */
record NotFunction() implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "not", "!"),
            ScalarTypes.when(List.of(PrimitiveType.BOOLEAN)::equals, PrimitiveType.BOOLEAN),
            call -> call.first() == PrimitiveType.BOOLEAN ? Optional.of(new NotFunction()) : Optional.empty());

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        LongVector argument = (LongVector) arguments[0];
        long[] values = argument.values();
        long[] truths = new long[rows];
        for (int i = 0; i < rows; i++) {
            truths[i] = 1 - values[i];
        }
        return new LongVector(truths, argument.nulls(), rows);
    }
}
