package io.skep.ql.policy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Table;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps policies in properties of their table, so that they are renamed, versioned and dropped with it. Only the
 * statements about policies may set these properties.
 */
public final class PolicyProperties {
    private static final String ROW_FILTER = "skep.row-filter";
    private static final String MASK = "skep.mask.";

    private PolicyProperties() {}

    public static TablePolicies of(Table table) {
        Map<String, String> masks = new TreeMap<>();
        table.properties().forEach((name, value) -> {
            if (name.startsWith(MASK)) {
                masks.put(name.substring(MASK.length()), value);
            }
        });
        Optional<String> filter = Optional.ofNullable(table.properties().get(ROW_FILTER));
        return filter.isEmpty() && masks.isEmpty() ? TablePolicies.NONE : new TablePolicies(filter, masks);
    }

    /** Returns the properties with another row filter, or without one. */
    public static Map<String, String> withRowFilter(Map<String, String> properties, Optional<String> expression) {
        return with(properties, ROW_FILTER, expression);
    }

    /** Returns the properties with another mask of a column, or without one. */
    public static Map<String, String> withMask(
            Map<String, String> properties, String column, Optional<String> expression) {
        return with(properties, MASK + column, expression);
    }

    private static Map<String, String> with(Map<String, String> properties, String name, Optional<String> value) {
        Map<String, String> changed = new TreeMap<>(properties);
        changed.remove(name);
        value.ifPresent(text -> changed.put(name, text));
        return changed;
    }

    /** Returns the properties without those of policies. */
    public static Map<String, String> without(Map<String, String> properties) {
        Map<String, String> rest = new TreeMap<>(properties);
        rest.keySet().removeIf(PolicyProperties::isReserved);
        return rest;
    }

    private static boolean isReserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(ROW_FILTER) || lower.startsWith(MASK);
    }

    /**
     * Returns properties that a statement names itself.
     *
     * @throws SkepException INVALID_ARGUMENT with the first reserved name
     */
    public static Map<String, String> unreserved(Map<String, String> properties, TextPosition where) {
        properties.keySet().stream()
                .filter(PolicyProperties::isReserved)
                .findFirst()
                .ifPresent(name -> {
                    throw new SkepException(
                                    StandardErrorCode.INVALID_ARGUMENT,
                                    "the property '" + name + "' is reserved for row filters and masks")
                            .withHint("use ALTER TABLE ... SET ROW FILTER (...) or ALTER COLUMN ... SET MASK (...)")
                            .at(where);
                });
        return properties;
    }

    /**
     * Refuses to replace a view with policies, which are for the columns of its present query.
     *
     * @throws SkepException INVALID_ARGUMENT
     */
    public static void refuseReplacement(Table view, TextPosition where) {
        if (!of(view).isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_ARGUMENT,
                            "the view " + view.qualifiedName() + " has a row filter or masks, which another query"
                                    + " would make void")
                    .withHint("first ALTER VIEW ... DROP ROW FILTER, ALTER COLUMN ... DROP MASK")
                    .at(where);
        }
    }
}
