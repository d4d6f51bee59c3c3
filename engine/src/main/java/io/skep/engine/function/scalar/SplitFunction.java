package io.skep.engine.function.scalar;

import io.skep.common.concurrent.InterruptibleText;
import io.skep.common.concurrent.Interruption;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** split: the parts of a text between the matches of the pattern, including empty parts at the end. */
final class SplitFunction extends RegexFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "split"),
            ScalarTypes.ofHive().withEach(ScalarTypes::plain),
            ScalarCall.ofStrings(2, SplitFunction::new));

    /** The bytes of a part's entry in the vector, plus a similar amount for its text. */
    private static final long PART_BYTES = 64;

    /** The bytes per byte of the text that is split. */
    private static final int TEXT_BYTES = 4;

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
                long passing = (long) TEXT_BYTES * texts.lengths()[row];
                ScratchMemory.count(passing);
                String text = texts.string(row);
                append(text, pattern(patterns, row).matcher(new InterruptibleText(text)), parts);
                ScratchMemory.discount(passing);
            }
            lengths[row] = parts.length() - offsets[row];
        }
        return new ListVector(parts.build(), offsets, lengths, nulls, rows);
    }

    /** An empty match at the beginning does not separate parts. */
    private static void append(String text, Matcher matcher, VectorAppender parts) {
        int from = 0;
        while (matcher.find()) {
            if (matcher.end() > 0) {
                append(text, from, matcher.start(), parts);
                from = matcher.end();
            }
        }
        append(text, from, text.length(), parts);
    }

    /** @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED */
    private static void append(String text, int from, int to, VectorAppender parts) {
        if (parts.length() * PART_BYTES > TextLimit.MAX_BYTES) {
            throw TextLimit.exceeded("the result of split");
        }
        byte[] bytes = text.substring(from, to).getBytes(StandardCharsets.UTF_8);
        parts.appendBytes(bytes, 0, bytes.length);
    }
}
