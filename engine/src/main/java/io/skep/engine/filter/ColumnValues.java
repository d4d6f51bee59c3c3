package io.skep.engine.filter;

import io.skep.common.vector.Datum;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The values that a column has in some rows. Immutable.
 *
 * @param few the values, without null; empty if there are too many to list
 */
public record ColumnValues(Optional<Set<Datum>> few) {
    /** The maximum number of values that are listed. */
    public static final int MAX_VALUES = 4096;

    /** The column may have any value. */
    public static final ColumnValues ANY = new ColumnValues(Optional.empty());

    public static final ColumnValues NONE = of(Set.of());

    public ColumnValues {
        few = few.map(Set::copyOf);
    }

    public static ColumnValues of(Set<Datum> values) {
        return values.size() > MAX_VALUES ? ANY : new ColumnValues(Optional.of(values));
    }

    /** Returns the values of both sets of rows. */
    public ColumnValues and(ColumnValues other) {
        if (few.isEmpty() || other.few.isEmpty()) {
            return ANY;
        }
        Set<Datum> both = new HashSet<>(few.get());
        both.addAll(other.few.get());
        return of(both);
    }

    /** Returns false if no row has the value. */
    public boolean mayHold(Datum value) {
        return !value.isNull() && few.map(values -> values.contains(value)).orElse(true);
    }
}
