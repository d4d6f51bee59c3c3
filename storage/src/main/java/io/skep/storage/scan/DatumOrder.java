package io.skep.storage.scan;

import io.skep.common.vector.Datum;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** The order of values of one type. */
public final class DatumOrder {
    private DatumOrder() {}

    /** Returns empty when the values are not comparable (different forms, NaN, complex types). */
    public static OptionalInt compare(Datum left, Datum right) {
        return switch (left) {
            case Datum.OfLong l
            when right instanceof Datum.OfLong r -> OptionalInt.of(Long.compare(l.value(), r.value()));
            case Datum.OfDouble l when right instanceof Datum.OfDouble r -> doubles(l.value(), r.value());
            case Datum.OfBytes l
            when right instanceof Datum.OfBytes r -> OptionalInt.of(Arrays.compareUnsigned(l.value(), r.value()));
            case Datum.OfDecimal l
            when right instanceof Datum.OfDecimal r ->
                OptionalInt.of(l.unscaled().compareTo(r.unscaled()));
            case Datum.OfTimestamp l
            when right instanceof Datum.OfTimestamp r ->
                OptionalInt.of(
                        l.seconds() == r.seconds()
                                ? Integer.compare(l.nanos(), r.nanos())
                                : Long.compare(l.seconds(), r.seconds()));
            default -> OptionalInt.empty();
        };
    }

    private static OptionalInt doubles(double left, double right) {
        if (Double.isNaN(left) || Double.isNaN(right)) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(left < right ? -1 : left > right ? 1 : 0);
    }

    /** Whether every two values are comparable, so that the list can be sorted. */
    static boolean isTotal(List<Datum> values) {
        for (Datum value : values) {
            if (value.getClass() != values.getFirst().getClass()
                    || compare(value, value).isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
