package io.skep.ql.physical;

import io.skep.engine.function.FunctionCatalog;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/**
 * What planning one query needs.
 *
 * @param resources jars of user functions
 * @param limits sizes at which plans change
 * @param singleTask whether the whole query runs as one task
 * @param runtimeFilters whether joins give filters to scans, on columns of files
 * @param partitionPruning whether they do on partition columns
 * @param repeatable whether the query's functions give the same each time
 * @param sharedWork whether subplans that give the same rows each time are run once
 * @param answers aggregates whose values are known already
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
