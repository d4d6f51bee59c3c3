package io.skep.ql.query;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.analyze.StrictChecks;
import io.skep.ql.optimize.AlgebraMetadata;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.rel.SkepTable;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.jspecify.annotations.Nullable;

/**
 * The strict checks of optimized queries: of scans of all partitions of a table, and of joins without a condition that
 * two columns are equal.
 *
 * @param partitions why a scan without a condition on partition columns is refused
 * @param products why a join of all rows of both sides is refused
 */
record StrictPlanChecks(Optional<String> partitions, Optional<String> products) {
    /** @throws SkepException SEMANTIC_ERROR */
    static void check(StrictChecks checks, RelNode root, AlgebraMetadata metadata) {
        StrictPlanChecks wanted = new StrictPlanChecks(checks.scanOfAllPartitions(), checks.cartesianProduct());
        if (wanted.partitions.isPresent() || wanted.products.isPresent()) {
            wanted.check(root, null, metadata.query(root.getCluster()));
        }
    }

    private void check(RelNode rel, @Nullable Filter above, RelMetadataQuery metadata) {
        if (rel instanceof TableScan scan && partitions.isPresent()) {
            checkScan(scan, above, partitions.get());
        }
        if (rel instanceof Join join && products.isPresent() && isProduct(join, metadata)) {
            throw refused(ErrorMsg.GENERIC_ERROR, products.get());
        }
        for (RelNode input : rel.getInputs()) {
            check(input, rel instanceof Filter filter ? filter : null, metadata);
        }
    }

    private static void checkScan(TableScan scan, @Nullable Filter above, String reason) {
        Table table = scan.getTable().unwrapOrThrow(SkepTable.class).table();
        int first = table.columns().size();
        int end = first + table.partitionKeys().size();
        boolean isFiltered = above != null
                && RelOptUtil.InputFinder.bits(above.getCondition()).asList().stream()
                        .anyMatch(column -> column >= first && column < end);
        if (end > first && !isFiltered) {
            throw refused(
                    ErrorMsg.NO_VALID_PARTN,
                    reason + " No partition predicate for Alias \"" + table.name() + "\" Table \"" + table.name()
                            + "\"");
        }
    }

    /** A side of one row, such as a subquery's single value, is no product. */
    private static boolean isProduct(Join join, RelMetadataQuery metadata) {
        return join.analyzeCondition().leftKeys.isEmpty()
                && !isOneRow(join.getLeft(), metadata)
                && !isOneRow(join.getRight(), metadata);
    }

    private static boolean isOneRow(RelNode rel, RelMetadataQuery metadata) {
        Double rows = metadata.getMaxRowCount(rel);
        return rows != null && rows <= 1;
    }

    private static SkepException refused(ErrorMsg error, String reason) {
        return CompileErrors.ofQuery(StandardErrorCode.SEMANTIC_ERROR, error, reason);
    }
}
