package io.skep.engine.filter;

import io.skep.common.vector.Vector;
import io.skep.storage.scan.ColumnPredicate;
import java.util.List;
import java.util.Optional;

/**
 * Tests which values may be among the values of one key on a join's build side. It may pass a value that is not among
 * them, but never drops one that is. Null is never among them. Immutable, read by many threads.
 *
 * @param values the test of values; absent if no value passes
 * @param bounds the bounds by which readers can skip row groups
 */
public record KeyFilter(Optional<ValueSet> values, Optional<KeyBounds> bounds) {
    /** A filter that passes no value. */
    public static final KeyFilter NOTHING = new KeyFilter(Optional.empty(), Optional.empty());

    public boolean matchesNothing() {
        return values.isEmpty();
    }

    /**
     * Keeps the rows out of {@code rows[0..count)} whose value may be among the keys, in their order. Returns their
     * number.
     */
    public int retain(Vector column, int[] rows, int count) {
        return values.isEmpty() ? 0 : values.get().retain(column, rows, count);
    }

    /** Returns conditions on a column of a table that hold for every row that the filter passes. */
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
