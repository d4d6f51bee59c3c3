package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;

/** length: the number of characters of a text, or of bytes. */
record LengthFunction(boolean characters) implements ScalarFunction {
    static final List<ScalarFunctionEntry> ENTRIES = List.of(
            entry(ScalarTypes.when(ScalarTypes.strings(1, 1), PrimitiveType.INT), true, "length"),
            entry(ScalarTypes.ofHive(), true, "char_length", "character_length"),
            entry(ScalarTypes.ofHive(), false, "octet_length"));

    private static ScalarFunctionEntry entry(ScalarTypes types, boolean characters, String... names) {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, names),
                types.withEach(ScalarTypes::unbounded),
                ScalarCall.ofStrings(() -> new LengthFunction(characters)));
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector text = (BytesVector) arguments[0];
        long[] lengths = new long[rows];
        for (int i = 0; i < rows; i++) {
            int start = text.offsets()[i];
            int bytes = text.lengths()[i];
            lengths[i] = characters ? Utf8.length(text.data(), start, start + bytes) : bytes;
        }
        return new LongVector(lengths, text.nulls(), rows);
    }
}
