package io.skep.ql.physical;

import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a query's rows are written; the fields are those of {@link io.skep.engine.plan.PlanNode.TableWrite}.
 *
 * @param columns how many columns the query gives: the table's data columns, then the dynamic partition columns
 * @param summarized whether the data columns are summarized
 */
public record WriteTarget(
        TableLayout table,
        String stagingPath,
        String staticPartition,
        List<String> dynamicColumns,
        int columns,
        boolean summarized) {
    public WriteTarget {
        dynamicColumns = List.copyOf(dynamicColumns);
        staticPartition =
                staticPartition.isEmpty() || staticPartition.endsWith("/") ? staticPartition : staticPartition + "/";
    }

    /** With dynamic partitions, rows of one partition go to one task, so that each task opens few files. */
    Planned placement(Planned input, Fragmenter fragmenter) {
        if (dynamicColumns.isEmpty() || input.isSingle()) {
            return input;
        }
        List<Integer> partitionColumns = new ArrayList<>();
        for (int i = columns - dynamicColumns.size(); i < columns; i++) {
            partitionColumns.add(i);
        }
        return fragmenter.hash(input, partitionColumns);
    }
}
