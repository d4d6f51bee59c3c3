package io.skep.ql.system;

import io.skep.metastore.system.RowVisibility;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The rows that a user sees.
 *
 * @param people the user and the roles that count
 */
record VisibleRows(Predicate<String> databases, Tables tables, Set<String> people) implements RowVisibility {
    /** Decides about tables, from memory. */
    @FunctionalInterface
    interface Tables {
        boolean shows(String database, String table, String owner, boolean ownerIsRole);
    }

    @Override
    public boolean showsDatabase(String database) {
        return databases.test(database);
    }

    @Override
    public boolean showsTable(String database, String table, String owner, boolean ownerIsRole) {
        return tables.shows(database, table, owner, ownerIsRole);
    }

    @Override
    public boolean isUser(String name) {
        return people.contains(name);
    }
}
