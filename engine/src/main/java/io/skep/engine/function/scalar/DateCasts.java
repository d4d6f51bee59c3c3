package io.skep.engine.function.scalar;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;

/** Casts between dates and timestamps. */
final class DateCasts {
    static final long SECONDS_OF_A_DAY = 86_400;

    private DateCasts() {}

    record OfTimestamp() implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] seconds = ((TimestampVector) arguments[0]).seconds();
            long[] days = new long[rows];
            for (int i = 0; i < rows; i++) {
                days[i] = Math.floorDiv(seconds[i], SECONDS_OF_A_DAY);
            }
            return new LongVector(days, arguments[0].nulls(), rows);
        }
    }

    record ToTimestamp() implements ScalarFunction {
        @Override
        public Vector evaluate(Vector[] arguments, int rows) {
            long[] days = ((LongVector) arguments[0]).values();
            long[] seconds = new long[rows];
            for (int i = 0; i < rows; i++) {
                seconds[i] = days[i] * SECONDS_OF_A_DAY;
            }
            return new TimestampVector(seconds, new int[rows], arguments[0].nulls(), rows);
        }
    }
}
