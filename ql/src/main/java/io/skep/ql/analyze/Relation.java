package io.skep.ql.analyze;

import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * The result of a query: rows and the names of their columns.
 *
 * @param columns one for each field; the table is that of a column that was selected as {@code t.c} or {@code *}
 */
record Relation(RelNode rel, List<OutputColumn> columns) {
    record OutputColumn(String table, String name) {}

    Relation {
        columns = List.copyOf(columns);
    }

    /** As a table of the FROM clause. */
    List<ScopeColumn> as(String alias) {
        return columns.stream()
                .map(column -> ScopeColumn.of(alias, column.name()))
                .toList();
    }

    /** The same columns over other rows. */
    Relation over(RelNode other) {
        return new Relation(other, columns);
    }
}
