package io.skep.engine.function.scalar;

import io.skep.common.concurrent.InterruptibleText;
import io.skep.common.concurrent.Interruption;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** split: the parts of a text between the matches of the pattern, empty ones at the end included. */
final class SplitFunction extends RegexFunction {
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
                for (String part : pattern(patterns, row).split(new InterruptibleText(text), -1)) {
                    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                    parts.appendBytes(bytes, 0, bytes.length);
                }
            }
            lengths[row] = parts.length() - offsets[row];
        }
        return new ListVector(parts.build(), offsets, lengths, nulls, rows);
    }
}
