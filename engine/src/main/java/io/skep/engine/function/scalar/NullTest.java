package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tests whether a value is null, or whether it is not null. */
record NullTest(boolean wanted) implements ScalarFunction {
    static final List<ScalarFunctionEntry> ENTRIES = List.of(entry("isnull", true), entry("isnotnull", false));

    private static ScalarFunctionEntry entry(String name, boolean wanted) {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NEVER_NULL, name),
                ScalarTypes.when(types -> types.size() == 1, PrimitiveType.BOOLEAN),
                call -> Optional.of(new NullTest(wanted)));
    }

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
