package io.skep.engine.function.hive;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * Functions whose result may be many times as large as their arguments: formats with widths, replaced texts, split
 * texts. A call is rejected before Hive's class allocates more than the heap can hold.
 */
final class ResultGrowth {
    private static final Set<String> FORMATS = Set.of("printf", "format_string");
    private static final String REPLACE = "replace";

    /**
     * Functions that return each part of a text as an object in a list or map. A part and its separator use at least
     * one byte of the text.
     */
    private static final Set<String> TAKEN_APART = Set.of("str_to_map", "sentences", "split");

    private static final int PART_BYTES = 64;

    /** The bytes per character of a text while it is built. */
    private static final int LETTER_BYTES = 4;

    /** The maximum characters of an argument that is not a text. */
    private static final int NUMBER_LETTERS = 400;

    private static final String FLAGS = "-#+ ,(<.";

    private ResultGrowth() {}

    /**
     * Returns the temporary bytes that are needed to build a row's result.
     *
     * @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED if a row's result would be too large
     */
    static long check(String function, Vector[] arguments, int rows) {
        if (arguments.length == 0 || !(arguments[0] instanceof BytesVector texts)) {
            return 0;
        }
        boolean formats = FORMATS.contains(function);
        boolean replaces = function.equals(REPLACE) && arguments.length == 3;
        if (!formats && !replaces && !TAKEN_APART.contains(function)) {
            return 0;
        }
        long most = 0;
        for (int row = 0; row < rows; row++) {
            if (!texts.isNull(row)) {
                long bytes = formats
                        ? formatted(texts.string(row), arguments, row) * LETTER_BYTES
                        : replaces
                                ? replaced(texts, arguments[1], arguments[2], row) * LETTER_BYTES
                                : (long) texts.lengths()[row] * PART_BYTES / 2;
                if (bytes > TextLimit.MAX_BYTES) {
                    throw TextLimit.exceeded("the result of " + function);
                }
                most = Math.max(most, bytes);
            }
        }
        return most;
    }

    /**
     * Returns an upper bound of the number of characters: the widths, and each value in each place where it may occur.
     */
    static long formatted(String format, Vector[] arguments, int row) {
        long widths = 0;
        long places = 0;
        int at = format.indexOf('%');
        while (at >= 0) {
            places++;
            long number = 0;
            int end = at + 1;
            for (; end < format.length(); end++) {
                char c = format.charAt(end);
                if (c >= '0' && c <= '9') {
                    number = Math.min(Integer.MAX_VALUE, 10 * number + c - '0');
                } else {
                    // The number before a dollar sign is the index of an argument.
                    widths += c == '$' ? 0 : number;
                    number = 0;
                    if (c != '$' && FLAGS.indexOf(c) < 0) {
                        break;
                    }
                }
            }
            at = format.indexOf('%', Math.min(end + 1, format.length()));
        }
        long longest = NUMBER_LETTERS;
        for (Vector argument : Arrays.asList(arguments).subList(1, arguments.length)) {
            longest = Math.max(longest, length(argument, row));
        }
        return format.length() + widths + places * longest;
    }

    private static long length(Vector vector, int row) {
        return vector instanceof BytesVector bytes && !bytes.isNull(row) ? bytes.lengths()[row] : 0;
    }

    /** Counts the occurrences only if the result could be too long. */
    private static long replaced(BytesVector texts, Vector searched, Vector replacements, int row) {
        long text = texts.lengths()[row];
        long search = length(searched, row);
        long replacement = length(replacements, row);
        if (search == 0 || replacement <= search) {
            return text;
        }
        long most = text + text / search * replacement;
        return most * LETTER_BYTES <= TextLimit.MAX_BYTES
                ? most
                : text + occurrences(texts.string(row), (BytesVector) searched, row) * replacement;
    }

    private static long occurrences(String text, BytesVector searched, int row) {
        String search =
                new String(searched.data(), searched.offsets()[row], searched.lengths()[row], StandardCharsets.UTF_8);
        long count = 0;
        for (int at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length())) {
            count++;
        }
        return count;
    }
}
