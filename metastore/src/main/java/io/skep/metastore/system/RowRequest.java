package io.skep.metastore.system;

import java.util.List;
import java.util.Optional;

/**
 * What is read of a system table.
 *
 * @param columns positions of columns in the table
 * @param conditions all hold for the rows that matter
 * @param database the only database whose rows are read, in a table with rows about databases
 * @param visibility empty if all rows are shown
 */
public record RowRequest(
        SystemTable table,
        List<Integer> columns,
        List<RowCondition> conditions,
        Optional<String> database,
        RowContext context,
        Optional<RowVisibility> visibility) {
    public RowRequest {
        columns = List.copyOf(columns);
        conditions = List.copyOf(conditions);
    }

    /** Returns the same request for one database. */
    public RowRequest in(String only) {
        return new RowRequest(table, columns, conditions, Optional.of(only), context, visibility);
    }

    /** Returns the same request for the rows that a user sees. */
    public RowRequest visibleTo(RowVisibility user) {
        return new RowRequest(table, columns, conditions, database, context, Optional.of(user));
    }
}
