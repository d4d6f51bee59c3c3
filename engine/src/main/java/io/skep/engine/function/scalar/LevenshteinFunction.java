package io.skep.engine.function.scalar;

import io.skep.common.concurrent.Interruption;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import org.jspecify.annotations.Nullable;

/**
 * levenshtein: the minimum number of characters (UTF-16) to insert, delete or replace to turn one text into the other.
 * Its time is proportional to the product of the lengths, and its memory to the shorter length. An interrupt stops it.
 */
record LevenshteinFunction() implements ScalarFunction {
    static final ScalarFunctionEntry ENTRY = new ScalarFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "levenshtein"),
            ScalarTypes.ofHive().withEach(ScalarTypes::unbounded),
            ScalarCall.ofStrings(2, LevenshteinFunction::new));

    /** The bytes per character of a text, including its entry in the row of distances. */
    private static final int LETTER_BYTES = 8;

    @Override
    public Vector evaluate(Vector[] arguments, int rows) {
        BytesVector left = (BytesVector) arguments[0];
        BytesVector right = (BytesVector) arguments[1];
        long @Nullable [] nulls = NullMask.or(left.nulls(), right.nulls(), rows);
        long[] distances = new long[rows];
        for (int row = 0; row < rows; row++) {
            if (!NullMask.isNull(nulls, row)) {
                long passing = (long) LETTER_BYTES * (left.lengths()[row] + (long) right.lengths()[row]);
                ScratchMemory.count(passing);
                distances[row] = distance(left.string(row), right.string(row));
                ScratchMemory.discount(passing);
            }
        }
        return new LongVector(distances, nulls, rows);
    }

    private static int distance(String left, String right) {
        String across = left.length() < right.length() ? left : right;
        String down = left.length() < right.length() ? right : left;
        int width = across.length();
        int[] distances = new int[width + 1];
        for (int i = 0; i <= width; i++) {
            distances[i] = i;
        }
        for (int row = 1; row <= down.length(); row++) {
            Interruption.check();
            char letter = down.charAt(row - 1);
            int diagonal = distances[0];
            distances[0] = row;
            for (int i = 1; i <= width; i++) {
                int above = distances[i];
                int replaced = diagonal + (across.charAt(i - 1) == letter ? 0 : 1);
                distances[i] = Math.min(replaced, Math.min(above, distances[i - 1]) + 1);
                diagonal = above;
            }
        }
        return distances[width];
    }
}
