package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** concat of strings. The result is null if any string is null. */
record ConcatFunction() implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "concat"),
            ScalarTypes.when(ScalarTypes.strings(2, Integer.MAX_VALUE), PrimitiveType.STRING)
                    .withParameters((arguments, result, zone) -> parameters(arguments, result)),
            ScalarCall.ofStrings(ConcatFunction::new));

    private static List<SqlType> parameters(List<SqlType> types, SqlType result) {
        return result == PrimitiveType.STRING && !types.contains(PrimitiveType.BINARY)
                ? Collections.nCopies(types.size(), result)
                : types;
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        long @Nullable [] nulls = null;
        for (Vector argument : arguments) {
            nulls = NullMask.or(nulls, argument.nulls(), rows);
        }
        BytesResult result = new BytesResult(rows, rows * 16);
        for (int i = 0; i < rows; i++) {
            result.start(i);
            if (!NullMask.isNull(nulls, i)) {
                for (Vector argument : arguments) {
                    BytesVector text = (BytesVector) argument;
                    result.add(text.data(), text.offsets()[i], text.lengths()[i]);
                }
            }
            result.end(i);
        }
        return result.vector(nulls);
    }
}
