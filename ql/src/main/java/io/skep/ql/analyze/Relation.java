package io.skep.ql.analyze;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;

/**
 * The result of a query: its rows and the names of their columns.
 *
 * @param columns one for each field; the table is set for a column that was selected as {@code t.c} or {@code *}
 */
record Relation(RelNode rel, List<OutputColumn> columns) {
    record OutputColumn(String table, String name) {}

    Relation {
        columns = List.copyOf(columns);
    }

    /**
     * Returns the columns for use as a table of the FROM clause. A duplicate name is replaced by {@code _col} and its
     * position.
     */
    List<ScopeColumn> as(String alias) {
        Set<String> used = new HashSet<>();
        List<ScopeColumn> named = new ArrayList<>();
        for (OutputColumn column : columns) {
            String name = used.add(column.name()) ? column.name() : "_col" + named.size();
            named.add(ScopeColumn.of(alias, name));
        }
        return named;
    }

    /** Returns the same columns over other rows. */
    Relation over(RelNode other) {
        return new Relation(other, columns);
    }
}
