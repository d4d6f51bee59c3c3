package io.skep.ql.physical;

import io.skep.engine.function.FunctionCatalog;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * The inputs for planning one query.
 *
 * @param resources jars of user functions
 * @param limits sizes at which plans change
 * @param singleTask whether the whole query runs as one task
 * @param runtimeFilters whether joins send runtime filters to scans, on columns of files
 * @param partitionPruning whether joins send runtime filters on partition columns
 * @param repeatable whether the query's functions return the same results on each run
 * @param sharedWork whether subplans that return the same rows on each run are executed once
 * @param answers aggregates whose values are already known
 */
public record PlanningContext(
        RexTranslator rex,
        FunctionCatalog functions,
        RelMetadataQuery metadata,
        List<String> resources,
        PlanningLimits limits,
        boolean singleTask,
        boolean runtimeFilters,
        boolean partitionPruning,
        boolean repeatable,
        boolean sharedWork,
        Answers answers) {
    public PlanningContext {
        resources = List.copyOf(resources);
    }

    double rows(RelNode rel) {
        Double rows = metadata.getRowCount(rel);
        return rows == null ? 1e6 : rows;
    }

    double rowBytes(RelNode rel) {
        Double size = metadata.getAverageRowSize(rel);
        return size == null ? 8.0 * rel.getRowType().getFieldCount() : size;
    }
}
