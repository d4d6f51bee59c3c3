package io.skep.engine.function.scalar;

import io.skep.common.concurrent.InterruptibleText;
import io.skep.common.concurrent.Interruption;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** split: the parts of a text between the matches of the pattern, empty ones at the end included. */
final class SplitFunction extends RegexFunction {
    /** Texts up to this length are taken apart without a look at how many parts they have. */
    private static final int SHORT = 1 << 16;

    /** A part as an object, and its place in the vector. */
    private static final long PART_BYTES = 64;

    SplitFunction() {
        super("split");
    }

    @Override
    Vector evaluate(Vector[] arguments, long @Nullable [] nulls, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector patterns = (BytesVector) arguments[1];
        VectorAppender parts = VectorAppender.of(PrimitiveType.STRING);
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        for (int row = 0; row < rows; row++) {
            Interruption.check();
            offsets[row] = parts.length();
            if (!NullMask.isNull(nulls, row)) {
                String text = texts.string(row);
                Pattern pattern = pattern(patterns, row);
                checkParts(pattern, text, parts.length());
                for (String part : pattern.split(new InterruptibleText(text), -1)) {
                    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                    parts.appendBytes(bytes, 0, bytes.length);
                }
            }
            lengths[row] = parts.length() - offsets[row];
        }
        return new ListVector(parts.build(), offsets, lengths, nulls, rows);
    }

    /** @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED */
    private static void checkParts(Pattern pattern, String text, int before) {
        long parts = before;
        if (text.length() <= SHORT && parts * PART_BYTES <= TextLimit.MAX_BYTES) {
            return;
        }
        Matcher matcher = pattern.matcher(new InterruptibleText(text));
        while (matcher.find()) {
            parts++;
            if (parts * PART_BYTES > TextLimit.MAX_BYTES) {
                throw TextLimit.exceeded("the result of split");
            }
        }
    }
}
