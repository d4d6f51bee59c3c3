package io.skep.engine.function.scalar;

import io.skep.common.concurrent.Interruption;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** regexp_replace: replaces all matches by a text in which {@code $1} stands for the first group. */
final class RegexpReplaceFunction extends RegexFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "regexp_replace"),
            ScalarTypes.ofHive().withEach(ScalarTypes::plain),
            ScalarCall.ofStrings(3, RegexpReplaceFunction::new));

    RegexpReplaceFunction() {
        super("regexp_replace");
    }

    @Override
    Vector evaluate(Vector[] arguments, long @Nullable [] textNulls, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector patterns = (BytesVector) arguments[1];
        BytesVector replacements = (BytesVector) arguments[2];
        long[] nulls = NullMask.or(textNulls, replacements.nulls(), rows);
        BytesResult result = new BytesResult(rows, rows * 8);
        for (int row = 0; row < rows; row++) {
            Interruption.check();
            result.start(row);
            if (!NullMask.isNull(nulls, row)) {
                String text = texts.string(row);
                byte[] bytes = replaced(text, matcher(text, patterns, row), replacements.string(row))
                        .getBytes(StandardCharsets.UTF_8);
                result.add(bytes, 0, bytes.length);
            }
            result.end(row);
        }
        return result.vector(nulls);
    }

    private static String replaced(String text, Matcher matcher, String replacement) {
        if (!matcher.find()) {
            return text;
        }
        boolean plain = replacement.indexOf('$') < 0 && replacement.indexOf('\\') < 0;
        StringBuilder result = new StringBuilder(text.length());
        int copied = 0;
        do {
            if (plain) {
                result.append(text, copied, matcher.start()).append(replacement);
                copied = matcher.end();
            } else {
                matcher.appendReplacement(result, replacement);
            }
            if (result.length() > TextLimit.MAX_BYTES) {
                throw TextLimit.exceeded("the result of regexp_replace");
            }
        } while (matcher.find());
        return plain
                ? result.append(text, copied, text.length()).toString()
                : matcher.appendTail(result).toString();
    }
}
