package io.skep.ql.optimize;

import io.skep.metastore.Table;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.SkepTable;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexNode;

/**
 * A materialized view that may answer parts of a query, in the query's cluster.
 *
 * @param rows reads the view's columns
 * @param query computes the same rows from the view's sources
 */
public record MaterializedViewScan(List<String> qualifiedName, RelNode rows, RelNode query) {
    public MaterializedViewScan {
        qualifiedName = List.copyOf(qualifiedName);
    }

    /** @param query its columns are those of the view, in the view's order */
    public static MaterializedViewScan of(Table view, RelNode query, RelFactory factory) {
        RelNode scan = SkepTable.of(view, factory.types()).scan(factory.cluster());
        int stored = SkepTable.storedColumns(view).size();
        List<RexNode> columns = factory.columns(scan).subList(0, stored);
        List<String> names = scan.getRowType().getFieldNames().subList(0, stored);
        RelNode rows = LogicalProject.create(scan, List.of(), columns, names, Set.of());
        return new MaterializedViewScan(List.of(view.database(), view.name()), rows, query);
    }

    MaterializedViewScan withQuery(RelNode same) {
        return new MaterializedViewScan(qualifiedName, rows, same);
    }
}
