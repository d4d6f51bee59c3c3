package io.skep.storage.parquet;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;

/**
 * Timestamps without a zone as INT64, in units since 1970. Hive writes them in the place of INT96 when the session asks
 * for it. What is smaller than a unit is cut off. A timestamp outside of the range becomes null.
 */
record TimestampUnits(LogicalTypeAnnotation.TimeUnit unit) implements ValueWriter {
    /** Returns the unit that the properties ask for, or empty for INT96. */
    static Optional<TimestampUnits> of(Map<String, String> properties) {
        if (!Boolean.parseBoolean(properties.get(ParquetFileFormat.INT64_TIMESTAMPS))) {
            return Optional.empty();
        }
        String unit = properties.getOrDefault(ParquetFileFormat.TIMESTAMP_UNIT, "micros");
        try {
            return Optional.of(new TimestampUnits(
                    LogicalTypeAnnotation.TimeUnit.valueOf(unit.strip().toUpperCase(Locale.ROOT))));
        } catch (IllegalArgumentException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            ParquetFileFormat.TIMESTAMP_UNIT + " '" + unit + "' is not known",
                            e)
                    .withHint("use nanos, micros or millis");
        }
    }

    LogicalTypeAnnotation annotation() {
        return LogicalTypeAnnotation.timestampType(false, unit);
    }

    @Override
    public boolean isNull(Vector vector, int row) {
        return vector.isNull(row) || !fits(((TimestampVector) vector).seconds()[row], nanos(vector, row));
    }

    private boolean fits(long seconds, int nanos) {
        try {
            units(seconds, nanos);
            return true;
        } catch (ArithmeticException e) {
            return false;
        }
    }

    @Override
    public void write(Vector vector, int row, RecordConsumer out) {
        out.addLong(units(((TimestampVector) vector).seconds()[row], nanos(vector, row)));
    }

    private static int nanos(Vector vector, int row) {
        return ((TimestampVector) vector).nanos()[row];
    }

    /** @throws ArithmeticException when the timestamp is outside of the range */
    private long units(long seconds, int nanos) {
        TimeUnit units = switch (unit) {
            case MILLIS -> TimeUnit.MILLISECONDS;
            case MICROS -> TimeUnit.MICROSECONDS;
            case NANOS -> TimeUnit.NANOSECONDS;
        };
        long perSecond = units.convert(1, TimeUnit.SECONDS);
        long part = units.convert(nanos, TimeUnit.NANOSECONDS);
        // A negative second is counted from its end, so that the first of them has no intermediate overflow.
        return seconds < 0 && part > 0
                ? Math.addExact(Math.multiplyExact(seconds + 1, perSecond), part - perSecond)
                : Math.addExact(Math.multiplyExact(seconds, perSecond), part);
    }
}
