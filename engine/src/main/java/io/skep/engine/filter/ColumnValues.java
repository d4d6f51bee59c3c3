package io.skep.engine.filter;

import io.skep.common.vector.Datum;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which values a column has in some rows. Immutable.
 *
 * @param few the values, without null; empty when there are too many to say
 */
public record ColumnValues(Optional<Set<Datum>> few) {
    /** Up to so many values are said. */
    public static final int MOST = 4096;

    /** May be anything. */
    public static final ColumnValues ANY = new ColumnValues(Optional.empty());

    public static final ColumnValues NONE = of(Set.of());

    public ColumnValues {
        few = few.map(Set::copyOf);
    }

    public static ColumnValues of(Set<Datum> values) {
        return values.size() > MOST ? ANY : new ColumnValues(Optional.of(values));
    }

    /** Those of both rows and other rows. */
    public ColumnValues and(ColumnValues other) {
        if (few.isEmpty() || other.few.isEmpty()) {
            return ANY;
        }
        Set<Datum> both = new HashSet<>(few.get());
        both.addAll(other.few.get());
        return of(both);
    }

    /** False when no row has the value. */
    public boolean mayHold(Datum value) {
        return !value.isNull() && few.map(values -> values.contains(value)).orElse(true);
    }
}
