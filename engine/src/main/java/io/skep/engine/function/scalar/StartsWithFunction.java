package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionDocumentation;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** starts_with: whether a text begins with another, byte by byte. */
record StartsWithFunction() implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofSkep(
                    Nullability.NULL_ON_NULL,
                    new FunctionDocumentation(
                            "_FUNC_(text, prefix) - Returns whether the text begins with the prefix", """
                            Every text begins with the empty text. Upper and lower case are different.
                            Example:
                              > SELECT _FUNC_('skep', 'sk');
                              true"""),
                    "starts_with"),
            ScalarTypes.of(PrimitiveType.BOOLEAN, PrimitiveType.STRING, PrimitiveType.STRING),
            ScalarCall.ofStrings(StartsWithFunction::new));

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector prefixes = (BytesVector) arguments[1];
        long @Nullable [] nulls = NullMask.or(texts.nulls(), prefixes.nulls(), rows);
        long[] truths = new long[rows];
        for (int row = 0; row < rows; row++) {
            truths[row] = startsWith(texts, prefixes, row) ? 1 : 0;
        }
        return new LongVector(truths, nulls, rows);
    }

    /** The answer for a row without a text or a prefix counts for nothing. */
    private static boolean startsWith(BytesVector texts, BytesVector prefixes, int row) {
        int length = prefixes.lengths()[row];
        int text = texts.offsets()[row];
        int prefix = prefixes.offsets()[row];
        return length <= texts.lengths()[row]
                && Arrays.equals(texts.data(), text, text + length, prefixes.data(), prefix, prefix + length);
    }
}
