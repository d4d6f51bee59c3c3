package io.skep.ql.analyze;

import io.skep.ql.analyze.ScopeColumn.Ambiguous;
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
     * position, and the first column that has it cannot be named.
     */
    List<ScopeColumn> as(String alias) {
        List<OutputColumn> distinct = distinctNames().columns();
        Set<String> repeated = new HashSet<>();
        for (int i = 0; i < columns.size(); i++) {
            if (!distinct.get(i).equals(columns.get(i))) {
                repeated.add(columns.get(i).name());
            }
        }
        List<ScopeColumn> named = new ArrayList<>();
        for (OutputColumn column : distinct) {
            ScopeColumn plain = ScopeColumn.of(alias, column.name());
            named.add(repeated.contains(column.name()) ? plain.ambiguous(Ambiguous.ALL) : plain);
        }
        return named;
    }

    /** Returns the same rows, with {@code _col} and its position in the place of a name that an earlier column has. */
    Relation distinctNames() {
        Set<String> used = new HashSet<>();
        List<OutputColumn> distinct = new ArrayList<>();
        for (OutputColumn column : columns) {
            distinct.add(used.add(column.name()) ? column : new OutputColumn(column.table(), "_col" + distinct.size()));
        }
        return new Relation(rel, distinct);
    }

    /**
     * Returns the same rows, whose first columns have other names. Hive ignores a list with more names than columns, or
     * with a name twice.
     */
    Relation named(List<String> names) {
        if (names.size() > columns.size() || Set.copyOf(names).size() < names.size()) {
            return this;
        }
        List<OutputColumn> renamed = new ArrayList<>(columns);
        for (int i = 0; i < names.size(); i++) {
            renamed.set(i, new OutputColumn("", names.get(i)));
        }
        return new Relation(rel, renamed);
    }

    /** Returns the same columns over other rows. */
    Relation over(RelNode other) {
        return new Relation(other, columns);
    }
}
