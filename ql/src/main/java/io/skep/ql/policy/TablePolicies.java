package io.skep.ql.policy;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The row filter and the column masks of one table or view, as texts of expressions over its columns.
 *
 * @param masks by column, in lower case
 */
public record TablePolicies(Optional<String> rowFilter, SortedMap<String, String> masks) {
    public static final TablePolicies NONE = new TablePolicies(Optional.empty(), Map.of());

    public TablePolicies {
        masks = Collections.unmodifiableSortedMap(new TreeMap<>(masks));
    }

    public TablePolicies(Optional<String> rowFilter, Map<String, String> masks) {
        this(rowFilter, new TreeMap<>(masks));
    }

    public boolean isEmpty() {
        return rowFilter.isEmpty() && masks.isEmpty();
    }

    /** Whether statistics of a column tell more than its rows do. */
    public boolean hides(String column) {
        return rowFilter.isPresent() || masks.containsKey(column);
    }
}
