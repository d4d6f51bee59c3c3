package io.skep.ql.physical;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * Sizes at which plans change.
 *
 * @param singleTaskRows a query whose scans are expected to return at most this number of rows runs as one task
 * @param broadcastBytes a join's build side up to this size is broadcast to each task
 */
public record PlanningLimits(double singleTaskRows, double broadcastBytes) {
    public static final PlanningLimits DEFAULT = new PlanningLimits(200_000, 64 << 20);

    /**
     * The limits for tasks that may run in several daemons. A single task would read all ranges in one daemon, whose
     * cache contains only the ranges that have their home there. The others would be read from files, and be in two
     * caches.
     */
    public static final PlanningLimits SPREAD = new PlanningLimits(0, DEFAULT.broadcastBytes());

    /** Whether a query is small enough for one task. */
    public boolean fitsSingleTask(RelNode root, RelMetadataQuery metadata) {
        return scannedRows(root, metadata) <= singleTaskRows;
    }

    private static double scannedRows(RelNode rel, RelMetadataQuery metadata) {
        boolean leaf =
                rel instanceof TableScan || rel instanceof Filter filter && filter.getInput() instanceof TableScan;
        if (leaf) {
            Double rows = metadata.getRowCount(rel);
            return rows == null ? Double.MAX_VALUE : rows;
        }
        double sum = 0;
        for (RelNode input : rel.getInputs()) {
            sum += scannedRows(input, metadata);
        }
        return sum;
    }
}
