package io.skep.engine.function.hive;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;

/**
 * Functions whose result is as long as an argument says: a call is refused before Hive's class makes a text that the heap has no
 * room for.
 */
enum ResultLength {
    SPACE("space", 0),
    REPEAT("repeat", 1),
    LPAD("lpad", 1),
    RPAD("rpad", 1),
    FORMAT_NUMBER("format_number", 1);

    /** Of a character, in the memory of the text that is being made. */
    private static final int BYTES_OF_A_LETTER = 4;

    /** Of a text that is made of another type. */
    private static final int LETTERS_OF_A_NUMBER = 64;

    private final String function;
    private final int countArgument;

    ResultLength(String function, int countArgument) {
        this.function = function;
        this.countArgument = countArgument;
    }

    /** @throws io.skep.common.error.SkepException MEMORY_LIMIT_EXCEEDED when a row asks for too much */
    static void check(String function, Vector[] arguments, int rows) {
        for (ResultLength one : values()) {
            if (one.function.equals(function)) {
                one.check(arguments, rows);
            }
        }
    }

    private void check(Vector[] arguments, int rows) {
        if (arguments.length <= countArgument || !(arguments[countArgument] instanceof LongVector counts)) {
            return;
        }
        for (int row = 0; row < rows; row++) {
            if (!counts.isNull(row)) {
                check(counts.values()[row], arguments[0], row);
            }
        }
    }

    private void check(long count, Vector first, int row) {
        long unit = this == REPEAT ? length(first, row) : BYTES_OF_A_LETTER;
        if (count > 0 && unit > 0 && count > TextLimit.MAX_BYTES / BYTES_OF_A_LETTER / unit) {
            throw TextLimit.exceeded("the result of " + function + " with " + count);
        }
    }

    private static long length(Vector text, int row) {
        return text instanceof BytesVector bytes ? bytes.isNull(row) ? 0 : bytes.lengths()[row] : LETTERS_OF_A_NUMBER;
    }
}
