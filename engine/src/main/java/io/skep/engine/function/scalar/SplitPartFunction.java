package io.skep.engine.function.scalar;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionDocumentation;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import java.util.Optional;

/** split_part: one of the parts of a text between the places where a delimiter stands; the delimiter is no pattern. */
final class SplitPartFunction implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofSkep(
                    Nullability.NULL_ON_NULL,
                    new FunctionDocumentation(
                            "_FUNC_(text, delimiter, index) - Returns a part of the text between delimiters; the first"
                                    + " part has the index 1",
                            """
                            The result is NULL when there are fewer parts. An index below 1 is an error.
                            With an empty delimiter each character is a part.
                            Example:
                              > SELECT _FUNC_('a-b-c', '-', 2);
                              b"""),
                    "split_part"),
            ScalarTypes.of(PrimitiveType.STRING, PrimitiveType.STRING, PrimitiveType.STRING, PrimitiveType.BIGINT),
            call -> Optional.of(new SplitPartFunction()));

    private byte[] delimiter = {};

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector texts = (BytesVector) arguments[0];
        BytesVector delimiters = (BytesVector) arguments[1];
        LongVector indexes = (LongVector) arguments[2];
        NullMaskBuilder nulls = new NullMaskBuilder(
                NullMask.or(NullMask.or(texts.nulls(), delimiters.nulls(), rows), indexes.nulls(), rows), rows);
        BytesResult result = new BytesResult(rows, rows * 8);
        for (int row = 0; row < rows; row++) {
            result.start(row);
            if (!nulls.isNull(row)) {
                long index = checked(indexes.values()[row]);
                boolean found = delimiters.lengths()[row] == 0
                        ? addCharacter(texts, row, index, result)
                        : addPart(texts, row, delimiter(delimiters, row), index, result);
                if (!found) {
                    nulls.set(row);
                }
            }
            result.end(row);
        }
        return result.vector(nulls.mask());
    }

    private static long checked(long index) {
        if (index < 1) {
            throw new SkepException(
                    StandardErrorCode.INVALID_ARGUMENT, "split_part: the index of a part is at least 1, not " + index);
        }
        return index;
    }

    /** The row's delimiter; a new array only where it differs from that of the row before. */
    private byte[] delimiter(BytesVector delimiters, int row) {
        int from = delimiters.offsets()[row];
        int to = from + delimiters.lengths()[row];
        if (!Arrays.equals(delimiter, 0, delimiter.length, delimiters.data(), from, to)) {
            delimiter = delimiters.bytes(row);
        }
        return delimiter;
    }

    /** Returns false where there are fewer parts. */
    private static boolean addPart(BytesVector texts, int row, byte[] delimiter, long index, BytesResult result) {
        byte[] data = texts.data();
        int start = texts.offsets()[row];
        int end = start + texts.lengths()[row];
        int stop = Bytes.indexOf(data, start, end, delimiter);
        for (long left = index; left > 1; left--) {
            if (stop < 0) {
                return false;
            }
            start = stop + delimiter.length;
            stop = Bytes.indexOf(data, start, end, delimiter);
        }
        result.add(data, start, (stop < 0 ? end : stop) - start);
        return true;
    }

    /** Returns false where there are fewer characters. */
    private static boolean addCharacter(BytesVector texts, int row, long index, BytesResult result) {
        int offset = texts.offsets()[row];
        int end = offset + texts.lengths()[row];
        if (index > texts.lengths()[row]) {
            return false;
        }
        int start = Utf8.skip(texts.data(), offset, end, (int) index - 1);
        if (start == end) {
            return false;
        }
        result.add(texts.data(), start, Utf8.skip(texts.data(), start, end, 1) - start);
        return true;
    }
}
