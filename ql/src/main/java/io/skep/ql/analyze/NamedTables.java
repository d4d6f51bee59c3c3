package io.skep.ql.analyze;

import io.skep.metastore.Table;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/** The tables and views that a text itself names, without those in the texts of views. Owned by one analysis. */
final class NamedTables {
    private final Map<String, Table> tables = new LinkedHashMap<>();

    /** The rows of each use of a view. */
    private final IdentityHashMap<RelNode, Table> views = new IdentityHashMap<>();

    void table(Table table) {
        tables.put(table.qualifiedName(), table);
    }

    void view(Table view, RelNode rows) {
        views.put(rows, view);
    }

    /** Returns the view whose rows a relation is. */
    Optional<Table> view(RelNode rows) {
        return Optional.ofNullable(views.get(rows));
    }

    List<Table> all() {
        return List.copyOf(tables.values());
    }
}
