package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** upper and lower. */
record LetterCase(boolean upper) implements ScalarFunction {
    static final List<ScalarFunctionEntry> ENTRIES =
            List.of(entry(true, "upper", "ucase"), entry(false, "lower", "lcase"));

    private static ScalarFunctionEntry entry(boolean upper, String... names) {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, names),
                ScalarTypes.when(ScalarTypes.strings(1, 1), PrimitiveType.STRING),
                ScalarCall.ofStrings(() -> new LetterCase(upper)));
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector text = (BytesVector) arguments[0];
        byte[] data = text.data();
        BytesResult result = new BytesResult(rows, rows * 8);
        for (int i = 0; i < rows; i++) {
            int start = text.offsets()[i];
            int end = start + text.lengths()[i];
            result.start(i);
            if (Utf8.isAscii(data, start, end)) {
                result.addAscii(data, start, end - start, upper);
            } else {
                String decoded = text.string(i);
                String turned = upper ? decoded.toUpperCase(Locale.ROOT) : decoded.toLowerCase(Locale.ROOT);
                byte[] bytes = turned.getBytes(StandardCharsets.UTF_8);
                result.add(bytes, 0, bytes.length);
            }
            result.end(i);
        }
        return result.vector(text.nulls());
    }
}
