package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import java.util.Optional;

/** date_add and date_sub of a date and a number of days, and datediff of two dates. */
record DayArithmetic(int sign) implements ScalarFunction {
    static final List<ScalarFunctionEntry> ENTRIES = List.of(
            entry("date_add", ScalarTypes.ofHive(), PrimitiveType.INT, 1),
            entry("date_sub", ScalarTypes.ofHive(), PrimitiveType.INT, -1),
            entry(
                    "datediff",
                    ScalarTypes.when(List.of(PrimitiveType.DATE, PrimitiveType.DATE)::equals, PrimitiveType.INT),
                    PrimitiveType.DATE,
                    -1));

    /** @param second the type of the second argument that the kernel takes */
    private static ScalarFunctionEntry entry(String name, ScalarTypes types, PrimitiveType second, int sign) {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, name),
                types,
                call -> call.types().equals(List.of(PrimitiveType.DATE, second))
                        ? Optional.of(new DayArithmetic(sign))
                        : Optional.empty());
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long[] left = ((LongVector) arguments[0]).values();
        long[] right = ((LongVector) arguments[1]).values();
        long[] results = new long[rows];
        for (int i = 0; i < rows; i++) {
            results[i] = (int) (left[i] + sign * right[i]);
        }
        return new LongVector(results, NullMask.or(arguments[0].nulls(), arguments[1].nulls(), rows), rows);
    }
}
