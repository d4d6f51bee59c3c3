package io.skep.storage.prune;

import io.skep.common.vector.Datum;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.DatumOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * Known facts about a column's values in some rows. Bounds may be wider than the values.
 *
 * @param mayContain false when a value is certainly absent, by a Bloom filter or a dictionary
 */
public record ColumnBounds(
        Optional<Datum> min,
        Optional<Datum> max,
        boolean mayHaveNulls,
        boolean mayHaveValues,
        Predicate<Datum> mayContain) {
    /**
     * The maximum number of values that are tested one by one. When more values lie within the bounds, a match is
     * assumed, because one of them is likely to be present.
     */
    private static final int MAX_LOOKS = 1000;

    public static final ColumnBounds UNKNOWN =
            new ColumnBounds(Optional.empty(), Optional.empty(), true, true, value -> true);

    /** Whether one of these rows may match. */
    public boolean mayMatch(ColumnPredicate predicate) {
        return switch (predicate) {
            case ColumnPredicate.IsNull p -> mayHaveNulls;
            case ColumnPredicate.IsNotNull p -> mayHaveValues;
            case ColumnPredicate.In p -> mayHaveValues && mayHoldOneOf(p);
            case ColumnPredicate.Range p ->
                mayHaveValues && overlaps(p) && (!point(p) || mayHold(p.low().get()));
        };
    }

    private boolean mayHoldOneOf(ColumnPredicate.In in) {
        List<Datum> values = in.values();
        if (!in.ordered()) {
            return values.size() > MAX_LOOKS || values.stream().anyMatch(this::mayHold);
        }
        int first = partition(values, value -> below(value, true));
        int end = partition(values, value -> !above(value, true));
        return end - first > MAX_LOOKS
                || first < end && values.subList(first, end).stream().anyMatch(mayContain);
    }

    /** Returns how many leading values of a sorted list satisfy the predicate. */
    private static int partition(List<Datum> values, Predicate<Datum> isBefore) {
        int low = 0;
        int high = values.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isBefore.test(values.get(middle))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean mayHold(Datum value) {
        return !value.isNull() && !below(value, true) && !above(value, true) && mayContain.test(value);
    }

    private boolean overlaps(ColumnPredicate.Range range) {
        boolean lowAboveAll = range.low().isPresent() && above(range.low().get(), range.lowInclusive());
        boolean highBelowAll = range.high().isPresent() && below(range.high().get(), range.highInclusive());
        return !lowAboveAll && !highBelowAll;
    }

    private static boolean point(ColumnPredicate.Range range) {
        return range.low().isPresent()
                && range.low().equals(range.high())
                && range.lowInclusive()
                && range.highInclusive();
    }

    /** Whether a value lies above all values. With an exclusive bound, a value equal to the maximum also lies above. */
    private boolean above(Datum value, boolean inclusive) {
        OptionalInt order = max.isPresent() ? DatumOrder.compare(value, max.get()) : OptionalInt.empty();
        return order.isPresent() && (order.getAsInt() > 0 || order.getAsInt() == 0 && !inclusive);
    }

    private boolean below(Datum value, boolean inclusive) {
        OptionalInt order = min.isPresent() ? DatumOrder.compare(value, min.get()) : OptionalInt.empty();
        return order.isPresent() && (order.getAsInt() < 0 || order.getAsInt() == 0 && !inclusive);
    }
}
