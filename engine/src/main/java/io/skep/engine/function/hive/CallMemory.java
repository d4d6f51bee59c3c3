package io.skep.engine.function.hive;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import java.util.List;

/**
 * Estimates the temporary memory of a call of one of Hive's scalar functions: copies of its arguments, its result,
 * trees and sets of objects. It is an upper bound from the {@link CallKind} of the function and the lengths of the
 * arguments, computed before the call of Hive's class. A call is rejected if its result does not fit in a batch, or if
 * a binary claims more content than it contains.
 */
final class CallMemory {
    /** The bytes per byte of text: Hive's classes copy it, decode it, build another text and encode that. */
    private static final int COPIES = 8;

    /** The bytes of an object for an element, in addition to its text. */
    private static final int ELEMENT_BYTES = 48;

    /** The bytes of an element in a set. */
    private static final int ENTRY_BYTES = 144;

    /** The bytes per character of a pattern, for its representation in a compiled pattern or in a map. */
    private static final int PATTERN_BYTES = 128;

    /** The bytes of a part of a document, including its share of the containing object. */
    private static final int JSON_BYTES = 128;

    private static final int XML_BYTES = 256;

    /**
     * The bytes per byte of a shape. A coordinate may be as short as one digit, and a buffer puts an arc around each
     * coordinate.
     */
    private static final int SHAPE_BYTES = 24;

    private static final int BUFFER_BYTES = 200;

    /** Texts of at most this length are not examined further. */
    private static final int SHORT = 1 << 10;

    private CallMemory() {}

    /**
     * Returns the bytes that the evaluation of a row uses, for the row that uses the most.
     *
     * @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED if a row's result would be too large;
     *     INVALID_ARGUMENT if a binary is shorter than it claims
     */
    static long check(String function, Vector[] arguments, int rows) {
        CallKind kind = CallKind.of(function).orElse(CallKind.COPIES);
        long copies = copies(kind, arguments, rows);
        long growth = switch (kind) {
            case COPIES, ELEMENTS, PRODUCTS -> 0;
            case LENGTH -> ResultLength.check(function, arguments, rows);
            case FORMAT, REPLACED, PARTS, SPLIT -> ResultGrowth.check(function, arguments, rows);
            default -> most(kind, function, arguments, rows);
        };
        return copies + growth;
    }

    /** Returns the bytes that one row uses in a table function, which has no result of its own. */
    static long ofTableFunction(String function, Vector[] arguments, int row) {
        CallKind kind = CallKind.of(function).orElse(CallKind.COPIES);
        return sum(arguments, row, element(kind)) + ofRow(kind, function, arguments, row);
    }

    private static int element(CallKind kind) {
        return kind == CallKind.ELEMENTS ? ENTRY_BYTES : ELEMENT_BYTES;
    }

    /**
     * Returns an upper bound of the bytes of the copies of a row's arguments, from the longest value of each argument.
     */
    private static long copies(CallKind kind, Vector[] arguments, int rows) {
        long copies = 0;
        for (Vector argument : arguments) {
            copies += longest(argument, rows, element(kind));
        }
        return copies;
    }

    private static long longest(Vector vector, int rows, int element) {
        return switch (vector) {
            case BytesVector texts -> (long) COPIES * longest(texts.lengths(), rows);
            case ListVector _, MapVector _, StructVector _, UnionVector _, DictionaryVector _, ConstantVector _ -> {
                long longest = 0;
                for (int row = 0; row < rows; row++) {
                    longest = Math.max(longest, bytes(vector, row, element));
                }
                yield longest;
            }
            default -> 0;
        };
    }

    /** A null has a length of 0, or the length of a value in the array. */
    private static int longest(int[] lengths, int rows) {
        int longest = 0;
        for (int row = 0; row < rows; row++) {
            longest = Math.max(longest, lengths[row]);
        }
        return longest;
    }

    private static long most(CallKind kind, String function, Vector[] arguments, int rows) {
        long most = 0;
        for (int row = 0; row < rows; row++) {
            most = Math.max(most, ofRow(kind, function, arguments, row));
        }
        return most;
    }

    private static long ofRow(CallKind kind, String function, Vector[] arguments, int row) {
        return switch (kind) {
            case PATTERN -> PATTERN_BYTES * texts(arguments, 1, row);
            case PATTERNS -> PATTERN_BYTES * texts(arguments, 0, row);
            case JOINED -> joined(function, arguments, row);
            case JSON -> JSON_BYTES * parts(arguments, row, CallMemory::isJsonMark);
            case XML -> XML_BYTES * parts(arguments, row, CallMemory::isXmlMark) + expressions(arguments, row);
            case GEOMETRY -> (function.equals("st_buffer") ? BUFFER_BYTES : SHAPE_BYTES) * texts(arguments, 0, row);
            case BLOOM_FILTER, BIT_VECTOR, SKETCH, COMPRESSED ->
                BinaryLengthCheck.check(kind, function, arguments, row);
            default -> 0;
        };
    }

    private static long sum(Vector[] vectors, int row, int element) {
        long bytes = 0;
        for (Vector vector : vectors) {
            bytes += bytes(vector, row, element);
        }
        return bytes;
    }

    /** Returns the bytes of one value as objects, including all copies. */
    private static long bytes(Vector vector, int row, int element) {
        if (vector.isNull(row)) {
            return 0;
        }
        return switch (vector) {
            case BytesVector v -> (long) COPIES * v.lengths()[row];
            case ListVector v -> entries(v.elements(), v.offsets()[row], v.lengths()[row], element);
            case MapVector v ->
                entries(v.keys(), v.offsets()[row], v.lengths()[row], element)
                        + entries(v.values(), v.offsets()[row], v.lengths()[row], element);
            case StructVector v -> fields(v.fields(), row, element);
            case UnionVector v -> fields(v.alternatives(), row, element);
            case DictionaryVector v -> bytes(v.dictionary(), v.ids()[row], element);
            case ConstantVector v -> bytes(v.value(), 0, element);
            default -> 0;
        };
    }

    private static long fields(List<Vector> fields, int row, int element) {
        long bytes = 0;
        for (Vector field : fields) {
            bytes += element + bytes(field, row, element);
        }
        return bytes;
    }

    private static long entries(Vector elements, int from, int count, int element) {
        long bytes = (long) count * element;
        for (int i = from; i < from + count; i++) {
            bytes += bytes(elements, i, element);
        }
        return bytes;
    }

    /** Returns the bytes of text of the arguments from {@code first} on. */
    private static long texts(Vector[] arguments, int first, int row) {
        long bytes = 0;
        for (int i = first; i < arguments.length; i++) {
            bytes += bytes(arguments[i], row, 0) / COPIES;
        }
        return bytes;
    }

    /** The separator is between all joined values. In array_join, another text may replace nulls. */
    private static long joined(String function, Vector[] arguments, int row) {
        boolean separatorFirst = function.equals("concat_ws");
        long separator = length(arguments, separatorFirst ? 0 : 1, row);
        if (!separatorFirst) {
            separator += length(arguments, 2, row);
        }
        long result = 0;
        for (int i = separatorFirst ? 1 : 0; i < (separatorFirst ? arguments.length : 1); i++) {
            long entries = arguments[i] instanceof ListVector lists && !lists.isNull(row) ? lists.lengths()[row] : 1;
            result += bytes(arguments[i], row, 0) / COPIES + entries * separator;
        }
        long bytes = result * COPIES / 2;
        if (bytes > TextLimit.MAX_BYTES) {
            throw TextLimit.exceeded("the result of " + function);
        }
        return bytes;
    }

    private static int length(Vector[] arguments, int index, int row) {
        return index < arguments.length && arguments[index] instanceof BytesVector texts && !texts.isNull(row)
                ? texts.lengths()[row]
                : 0;
    }

    /** Tests whether a byte begins a part of a document. */
    private interface Mark {
        boolean is(byte letter);
    }

    private static boolean isJsonMark(byte letter) {
        return letter == ',' || letter == ':' || letter == '[' || letter == '{';
    }

    private static boolean isXmlMark(byte letter) {
        return letter == '<' || letter == '=' || letter == '&';
    }

    /**
     * Returns an upper bound of the number of parts of the first argument. The parts are counted only if it is long.
     */
    private static long parts(Vector[] arguments, int row, Mark mark) {
        if (arguments.length == 0 || !(arguments[0] instanceof BytesVector texts) || texts.isNull(row)) {
            return 0;
        }
        int length = texts.lengths()[row];
        if (length <= SHORT) {
            return length;
        }
        long parts = 1;
        byte[] data = texts.data();
        int from = texts.offsets()[row];
        for (int i = from; i < from + length; i++) {
            parts += mark.is(data[i]) ? 1 : 0;
        }
        return parts;
    }

    /** An expression with functions may concatenate the text of a document several times. */
    private static long expressions(Vector[] arguments, int row) {
        if (arguments.length < 2 || !(arguments[1] instanceof BytesVector paths) || paths.isNull(row)) {
            return 0;
        }
        long times = 0;
        int from = paths.offsets()[row];
        for (int i = from; i < from + paths.lengths()[row]; i++) {
            times += paths.data()[i] == ',' || paths.data()[i] == '(' ? 1 : 0;
        }
        long bytes = times * COPIES / 2 * length(arguments, 0, row);
        if (bytes > TextLimit.MAX_BYTES) {
            throw TextLimit.exceeded("the result of an XPath expression with " + times + " calls and arguments");
        }
        return bytes;
    }
}
