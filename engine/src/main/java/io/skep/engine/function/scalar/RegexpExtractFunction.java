package io.skep.engine.function.scalar;

import io.skep.common.concurrent.Interruption;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * regexp_extract: a group of the first match. The group defaults to the first one. The result is an empty text if there
 * is no match.
 */
final class RegexpExtractFunction extends RegexFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "regexp_extract"),
            ScalarTypes.ofHive().withEach(ScalarTypes::unbounded),
            RegexpExtractFunction::kernel);

    RegexpExtractFunction() {
        super("regexp_extract");
    }

    private static Optional<ScalarFunction> kernel(ScalarCall call) {
        List<SqlType> types = call.types();
        boolean known = types.size() == 2 || types.size() == 3 && types.get(2) == PrimitiveType.INT;
        return known && types.subList(0, 2).stream().allMatch(type -> type == PrimitiveType.STRING)
                ? Optional.of(new RegexpExtractFunction())
                : Optional.empty();
    }

    @Override
    Vector evaluate(Vector[] arguments, long @Nullable [] nulls, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector patterns = (BytesVector) arguments[1];
        LongVector groups = arguments.length > 2 ? (LongVector) arguments[2] : null;
        BytesResult result = new BytesResult(rows, rows * 8);
        long[] none = new long[NullMask.words(rows)];
        for (int row = 0; row < rows; row++) {
            Interruption.check();
            result.start(row);
            String part =
                    NullMask.isNull(nulls, row) ? null : group(matcher(texts.string(row), patterns, row), groups, row);
            if (part == null) {
                NullMask.set(none, row);
            } else {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                result.add(bytes, 0, bytes.length);
            }
            result.end(row);
        }
        return result.vector(none);
    }

    private static @Nullable String group(Matcher matcher, @Nullable LongVector groups, int row) {
        if (!matcher.find()) {
            return "";
        }
        if (groups == null) {
            return matcher.group(1);
        }
        if (groups.isNull(row)) {
            throw new IllegalArgumentException("the number of the group is NULL");
        }
        return matcher.group((int) groups.values()[row]);
    }
}
