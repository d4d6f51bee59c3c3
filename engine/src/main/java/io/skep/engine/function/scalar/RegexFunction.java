package io.skep.engine.function.scalar;

import io.skep.common.concurrent.InterruptibleText;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A function of a text and a regular expression, which are the first two arguments. The pattern is compiled if it
 * differs from the pattern of the previous row. A pattern with nested quantifiers may run for years on a short text. An
 * interrupt stops it.
 */
abstract class RegexFunction implements ScalarFunction {
    private final String name;
    private byte[] patternBytes = {};
    private @Nullable Pattern pattern;

    /** @param name the function's name, for errors */
    RegexFunction(String name) {
        this.name = name;
    }

    @Override
    public final Vector evaluate(Vector[] arguments, int rows) {
        long[] nulls = NullMask.or(arguments[0].nulls(), arguments[1].nulls(), rows);
        try {
            return evaluate(arguments, nulls, rows);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw failed(e.getMessage(), e);
        } catch (StackOverflowError e) {
            throw failed("the pattern takes more steps for a text than there is stack for", e);
        }
    }

    /** @param nulls the null mask of rows without a text or a pattern */
    abstract Vector evaluate(Vector[] arguments, long @Nullable [] nulls, int rows);

    final SkepException failed(@Nullable String why, Throwable cause) {
        return new SkepException(StandardErrorCode.UDF_FAILED, name + ": " + why, cause);
    }

    /** Returns a matcher of a row's pattern for its text. */
    final Matcher matcher(String text, BytesVector patterns, int row) {
        return pattern(patterns, row).matcher(new InterruptibleText(text));
    }

    final Pattern pattern(BytesVector patterns, int row) {
        int from = patterns.offsets()[row];
        int to = from + patterns.lengths()[row];
        Pattern known = pattern;
        if (known == null || !Arrays.equals(patternBytes, 0, patternBytes.length, patterns.data(), from, to)) {
            known = Pattern.compile(patterns.string(row));
            patternBytes = patterns.bytes(row);
            pattern = known;
        }
        return known;
    }
}
