package io.skep.engine.filter;

import io.skep.common.vector.Vector;
import io.skep.storage.scan.ColumnPredicate;
import java.util.List;
import java.util.Optional;

/**
 * Which values may be among those of one key on a join's build side. It lets through some that are not, never keeps one that
 * is; null is none of them. Immutable, read by many threads.
 *
 * @param values the test of values; absent when no value passes
 * @param bounds what readers can skip row groups by
 */
public record KeyFilter(Optional<ValueSet> values, Optional<KeyBounds> bounds) {
    /** Lets nothing through. */
    public static final KeyFilter NOTHING = new KeyFilter(Optional.empty(), Optional.empty());

    public boolean matchesNothing() {
        return values.isEmpty();
    }

    /** Keeps the rows whose value may be among the keys, out of {@code rows[0..count)}, in their order; gives their number. */
    public int retain(Vector column, int[] rows, int count) {
        return values.isEmpty() ? 0 : values.get().retain(column, rows, count);
    }

    /** Conditions that hold for every row that the filter lets through, on a column of a table. */
    public List<ColumnPredicate> predicates(int column) {
        if (matchesNothing()) {
            return List.of(new ColumnPredicate.In(column, List.of()));
        }
        return bounds.map(known -> known.predicate(column)).stream().toList();
    }

    public long retainedBytes() {
        return values.map(ValueSet::retainedBytes).orElse(0L);
    }
}
