package io.skep.engine.function.hive;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * Functions whose result is many times as large as their arguments: formats with widths, replaced texts, texts that are taken
 * apart. A call is refused before Hive's class makes what the heap has no room for.
 */
final class ResultGrowth {
    private static final Set<String> FORMATS = Set.of("printf", "format_string");
    private static final String REPLACE = "replace";

    /** A part of a text as an object in a list or map, of at least one byte of the text and what separates it from the next. */
    private static final Set<String> TAKEN_APART = Set.of("str_to_map", "sentences", "split");

    private static final int PART_BYTES = 64;

    /** Of a character, in the memory of the text that is being made. */
    private static final int LETTER_BYTES = 4;

    /** Of an argument that is no text. */
    private static final int NUMBER_LETTERS = 400;

    private static final String FLAGS = "-#+ ,(<.";

    private ResultGrowth() {}

    /**
     * The bytes that making a row's result takes for a while.
     *
     * @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED when a row would give too much
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

    /** At most so many letters: the widths, and each value in each place that may have it. */
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
                    // What stands before a dollar sign is the number of an argument.
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

    /** Counts only when the result could be too long. */
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
