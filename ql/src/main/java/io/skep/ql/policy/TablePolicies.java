package io.skep.ql.policy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
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

    /**
     * Returns these policies together with others for the same table. A row must meet both filters.
     *
     * @throws SkepException NOT_SUPPORTED when both mask a column, since neither can be told to see the other's value
     */
    public TablePolicies and(TablePolicies others, Table table) {
        if (isEmpty() || others.isEmpty()) {
            return isEmpty() ? others : this;
        }
        SortedMap<String, String> all = new TreeMap<>(masks);
        others.masks.forEach((column, mask) -> {
            if (all.put(column, mask) != null) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "the column '" + column + "' of " + table.qualifiedName()
                                        + " has a mask of the table and one of the server's authorizer")
                        .withHint("ALTER TABLE ... ALTER COLUMN ... DROP MASK removes that of the table");
            }
        });
        Optional<String> both = rowFilter
                .map(own -> others.rowFilter
                        // Line breaks end the comments of a text.
                        .map(other -> "(" + own + "\n) AND (" + other + "\n)")
                        .orElse(own))
                .or(() -> others.rowFilter);
        return new TablePolicies(both, all);
    }

    /** Returns a text that only equal policies have. */
    public String key() {
        StringBuilder key = new StringBuilder();
        append(key, rowFilter.map(text -> "f" + text).orElse(""));
        masks.forEach((column, mask) -> {
            append(key, column);
            append(key, mask);
        });
        return key.toString();
    }

    private static void append(StringBuilder key, String text) {
        key.append(text.length()).append(':').append(text);
    }

    /** Whether statistics of a column tell more than its rows do. */
    public boolean hides(String column) {
        return rowFilter.isPresent() || masks.containsKey(column);
    }
}
