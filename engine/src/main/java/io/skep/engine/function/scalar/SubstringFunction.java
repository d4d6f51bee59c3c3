package io.skep.engine.function.scalar;

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
import org.jspecify.annotations.Nullable;

/**
 * substr of text. Positions count from 1 (0 is treated as 1), or from the end if negative. They count UTF-16 units, as
 * in Hive. ASCII text is cut without being decoded.
 */
record SubstringFunction() implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "substr", "substring", "mid"),
            ScalarTypes.when(SubstringFunction::isNative, PrimitiveType.STRING).withEach(ScalarTypes::unbounded),
            call -> isNative(call.types()) ? Optional.of(new SubstringFunction()) : Optional.empty());

    private static boolean isNative(List<SqlType> types) {
        return types.size() >= 2
                && types.size() <= 3
                && types.getFirst() == PrimitiveType.STRING
                && types.stream().skip(1).allMatch(type -> type == PrimitiveType.INT);
    }

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector text = (BytesVector) arguments[0];
        long[] positions = ((LongVector) arguments[1]).values();
        long @Nullable [] counts = arguments.length > 2 ? ((LongVector) arguments[2]).values() : null;
        long[] nulls = NullMask.or(text.nulls(), arguments[1].nulls(), rows);
        if (arguments.length > 2) {
            nulls = NullMask.or(nulls, arguments[2].nulls(), rows);
        }
        BytesResult result = new BytesResult(rows, rows * 8);
        for (int i = 0; i < rows; i++) {
            result.start(i);
            if (!NullMask.isNull(nulls, i)) {
                cut(text, i, positions[i], counts == null ? Integer.MAX_VALUE : counts[i], result);
            }
            result.end(i);
        }
        return result.vector(nulls);
    }

    private static void cut(BytesVector text, int row, long position, long count, BytesResult result) {
        int offset = text.offsets()[row];
        int bytes = text.lengths()[row];
        if (Utf8.isAscii(text.data(), offset, offset + bytes)) {
            int start = start(position, bytes);
            int length = length(start, count, bytes);
            if (length > 0) {
                result.add(text.data(), offset + start, length);
            }
            return;
        }
        String decoded = text.string(row);
        int start = start(position, decoded.length());
        int length = length(start, count, decoded.length());
        if (length > 0) {
            byte[] part = decoded.substring(start, start + length).getBytes(StandardCharsets.UTF_8);
            result.add(part, 0, part.length);
        }
    }

    /** Returns the start, counted from 0. It is negative if it is before the text. */
    private static int start(long position, int length) {
        if (position > 0) {
            return (int) Math.min(position - 1, length);
        }
        return position == 0 ? 0 : (int) Math.max(length + position, -1);
    }

    private static int length(int start, long count, int length) {
        return start < 0 ? 0 : (int) Math.min(count, length - start);
    }
}
