package io.skep.ql.system;

import io.skep.metastore.system.RowVisibility;
import java.util.Set;

/**
 * The rows that a user sees.
 *
 * @param databases those that the user sees
 * @param tables names of the tables that the user sees, in the only database that is read
 * @param people the user and the roles that count
 */
record VisibleRows(Set<String> databases, Set<String> tables, Set<String> people) implements RowVisibility {
    @Override
    public boolean showsDatabase(String database) {
        return databases.contains(database);
    }

    @Override
    public boolean showsTable(String database, String table) {
        return tables.contains(table);
    }

    @Override
    public boolean isUser(String name) {
        return people.contains(name);
    }
}
