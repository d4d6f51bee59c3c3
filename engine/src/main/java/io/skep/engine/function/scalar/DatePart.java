package io.skep.engine.function.scalar;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.TimestampVector;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Fields of dates and timestamps. */
enum DatePart {
    YEAR("year"),
    QUARTER("quarter"),
    MONTH("month"),
    DAY("day", "dayofmonth"),
    HOUR("hour"),
    MINUTE("minute"),
    SECOND("second");

    private final String[] names;

    DatePart(String... names) {
        this.names = names;
    }

    static List<ScalarFunctionEntry> entries() {
        return Arrays.stream(values()).map(DatePart::entry).toList();
    }

    private ScalarFunctionEntry entry() {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, names),
                ScalarTypes.when(types -> types.size() == 1 && isIn(types.getFirst()), PrimitiveType.INT),
                call -> isIn(call.first()) ? Optional.of(kernel()) : Optional.empty());
    }

    /** Whether values of the type have this field. */
    private boolean isIn(SqlType type) {
        return type == PrimitiveType.TIMESTAMP || type == PrimitiveType.DATE && !isOfTime();
    }

    private boolean isOfTime() {
        return compareTo(HOUR) >= 0;
    }

    private ScalarFunction kernel() {
        return (arguments, rows) -> {
            long[] parts = new long[rows];
            switch (arguments[0]) {
                case LongVector days -> ofDays(days.values(), parts);
                case TimestampVector times -> ofSeconds(times.seconds(), parts);
                default -> throw new IllegalStateException("dates in " + arguments[0].getClass());
            }
            return new LongVector(parts, arguments[0].nulls(), rows);
        };
    }

    private void ofSeconds(long[] seconds, long[] parts) {
        if (!isOfTime()) {
            long[] days = new long[parts.length];
            for (int i = 0; i < days.length; i++) {
                days[i] = Math.floorDiv(seconds[i], DateCasts.SECONDS_OF_A_DAY);
            }
            ofDays(days, parts);
            return;
        }
        int divisor = this == HOUR ? 3600 : this == MINUTE ? 60 : 1;
        int modulus = this == HOUR ? 24 : 60;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Math.floorMod(Math.floorDiv(seconds[i], divisor), modulus);
        }
    }

    private void ofDays(long[] days, long[] parts) {
        for (int i = 0; i < parts.length; i++) {
            parts[i] = ofDay(days[i]);
        }
    }

    /**
     * Computes in the Gregorian calendar with years that begin in March, so that a leap day is the last day of a year.
     */
    private long ofDay(long day) {
        long shifted = day + 719_468;
        long era = Math.floorDiv(shifted, 146_097L);
        long dayOfEra = shifted - era * 146_097;
        long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long marchMonth = (5 * dayOfYear + 2) / 153;
        long month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
        return switch (this) {
            case YEAR -> yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
            case QUARTER -> (month + 2) / 3;
            case MONTH -> month;
            case DAY -> dayOfYear - (153 * marchMonth + 2) / 5 + 1;
            default -> throw new IllegalStateException(this + " of a date");
        };
    }
}
