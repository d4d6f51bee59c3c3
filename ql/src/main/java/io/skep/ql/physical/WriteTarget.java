package io.skep.ql.physical;

import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The target of a query whose rows are written. The fields are those of
 * {@link io.skep.engine.plan.PlanNode.TableWrite}.
 *
 * @param columns the number of columns that the query returns: the table's data columns, then the dynamic partition
 *     columns
 * @param buckets present for a table with buckets; the query then returns the bucket's number as its last column
 * @param listFolders the folders of list buckets; with some the query returns the number of the row's folder after
 *     {@code columns}
 * @param summarized whether the data columns are summarized
 * @param changes whether the query returns changes of a transactional table: before the data columns are the kind of
 *     change and the row's identifier
 */
public record WriteTarget(
        TableLayout table,
        String stagingPath,
        String staticPartition,
        List<String> dynamicColumns,
        int columns,
        Optional<Buckets> buckets,
        boolean summarized,
        boolean changes,
        List<String> listFolders) {
    /**
     * The buckets of a table.
     *
     * @param order the order of the rows in a bucket, by data columns; may be empty
     */
    public record Buckets(List<SortKey> order) {
        public Buckets {
            order = List.copyOf(order);
        }
    }

    public WriteTarget {
        dynamicColumns = List.copyOf(dynamicColumns);
        listFolders = List.copyOf(listFolders);
        staticPartition =
                staticPartition.isEmpty() || staticPartition.endsWith("/") ? staticPartition : staticPartition + "/";
    }

    /**
     * Distributes the rows over tasks. With dynamic partitions, rows of one partition go to one task, so that each task
     * opens few files. Rows of one bucket go to one task and, after sorting, to one of its drivers, so that each bucket
     * has one file.
     */
    Planned placement(Planned input, Fragmenter fragmenter) {
        List<Integer> keys = partitionColumns();
        if (buckets.isPresent()) {
            keys.add(listFolders.isEmpty() ? columns : columns + 1);
        }
        Planned placed = keys.isEmpty() || input.isSingle() ? input : fragmenter.hash(input, keys);
        if (buckets.isEmpty()) {
            return placed;
        }
        List<SortKey> order = new ArrayList<>();
        keys.forEach(key -> order.add(new SortKey(key, true, true)));
        order.addAll(buckets.get().order());
        return placed.with(new PlanNode.Sort(placed.node(), order), placed.rows());
    }

    private List<Integer> partitionColumns() {
        List<Integer> partitionColumns = new ArrayList<>();
        for (int i = columns - dynamicColumns.size(); i < columns; i++) {
            partitionColumns.add(i);
        }
        return partitionColumns;
    }
}
