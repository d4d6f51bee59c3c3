package io.skep.engine.function.hive;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;

/**
 * Functions whose result has a length that is given by an argument. A call is rejected before Hive's class builds a
 * text that the heap cannot hold.
 */
enum ResultLength {
    SPACE("space", 0),
    REPEAT("repeat", 1),
    LPAD("lpad", 1),
    RPAD("rpad", 1),
    FORMAT_NUMBER("format_number", 1);

    /** The bytes per character of a text while it is built. */
    private static final int BYTES_OF_A_LETTER = 4;

    /** The maximum characters of a text that is converted from another type. */
    private static final int LETTERS_OF_A_NUMBER = 64;

    private final String function;
    private final int countArgument;

    ResultLength(String function, int countArgument) {
        this.function = function;
        this.countArgument = countArgument;
    }

    /**
     * Returns the temporary bytes that are needed to build a row's text.
     *
     * @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED if a row requests too much
     */
    static long check(String function, Vector[] arguments, int rows) {
        for (ResultLength one : values()) {
            if (one.function.equals(function)) {
                return one.check(arguments, rows);
            }
        }
        return 0;
    }

    private long check(Vector[] arguments, int rows) {
        if (arguments.length <= countArgument || !(arguments[countArgument] instanceof LongVector counts)) {
            return 0;
        }
        long most = 0;
        for (int row = 0; row < rows; row++) {
            if (!counts.isNull(row)) {
                most = Math.max(most, check(counts.values()[row], arguments[0], row));
            }
        }
        return most;
    }

    private long check(long count, Vector first, int row) {
        long unit = this == REPEAT ? length(first, row) : BYTES_OF_A_LETTER;
        if (count <= 0 || unit <= 0) {
            return 0;
        }
        if (count > TextLimit.MAX_BYTES / BYTES_OF_A_LETTER / unit) {
            throw TextLimit.exceeded("the result of " + function + " with " + count);
        }
        return count * unit * BYTES_OF_A_LETTER;
    }

    private static long length(Vector text, int row) {
        return text instanceof BytesVector bytes ? bytes.isNull(row) ? 0 : bytes.lengths()[row] : LETTERS_OF_A_NUMBER;
    }
}
