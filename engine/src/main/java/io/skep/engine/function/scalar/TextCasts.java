package io.skep.engine.function.scalar;

import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/** Casts to text. */
final class TextCasts {
    private static final byte[] TRUE = {'T', 'R', 'U', 'E'};
    private static final byte[] FALSE = {'F', 'A', 'L', 'S', 'E'};

    private TextCasts() {}

    record OfBoolean() implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] values = ((LongVector) arguments[0]).values();
            BytesResult result = new BytesResult(rows, rows * FALSE.length);
            for (int i = 0; i < rows; i++) {
                byte[] text = values[i] != 0 ? TRUE : FALSE;
                result.start(i);
                result.add(text, 0, text.length);
                result.end(i);
            }
            return result.vector(arguments[0].nulls());
        }
    }

    record OfInteger() implements ScalarFunction {
        private static final int MAX_DIGITS = 20;

        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] values = ((LongVector) arguments[0]).values();
            BytesResult result = new BytesResult(rows, rows * 8);
            byte[] digits = new byte[MAX_DIGITS];
            for (int i = 0; i < rows; i++) {
                int start = digits(values[i], digits);
                result.start(i);
                result.add(digits, start, MAX_DIGITS - start);
                result.end(i);
            }
            return result.vector(arguments[0].nulls());
        }

        /** Writes the number at the end of the buffer. Returns the index at which it begins. */
        private static int digits(long value, byte[] buffer) {
            int at = MAX_DIGITS;
            long rest = value;
            do {
                buffer[--at] = (byte) ('0' + Math.abs(rest % 10));
                rest /= 10;
            } while (rest != 0);
            if (value < 0) {
                buffer[--at] = '-';
            }
            return at;
        }
    }

    record OfDate() implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] days = ((LongVector) arguments[0]).values();
            BytesResult result = new BytesResult(rows, rows * 10);
            for (int i = 0; i < rows; i++) {
                result.start(i);
                if (!NullMask.isNull(arguments[0].nulls(), i)) {
                    byte[] text = LocalDate.ofEpochDay(days[i]).toString().getBytes(StandardCharsets.US_ASCII);
                    result.add(text, 0, text.length);
                }
                result.end(i);
            }
            return result.vector(arguments[0].nulls());
        }
    }

    /** Casts to text with a maximum number of characters. Trailing spaces of a padded type are removed. */
    record Cut(int length, boolean padded) implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            BytesVector text = (BytesVector) arguments[0];
            byte[] data = text.data();
            int[] lengths = new int[rows];
            for (int i = 0; i < rows; i++) {
                int start = text.offsets()[i];
                int end = text.lengths()[i] <= length
                        ? start + text.lengths()[i]
                        : Utf8.skip(data, start, start + text.lengths()[i], length);
                while (padded && end > start && data[end - 1] == ' ') {
                    end--;
                }
                lengths[i] = end - start;
            }
            return new BytesVector(data, text.offsets(), lengths, text.nulls(), rows);
        }
    }
}
