package io.skep.ql.optimize;

import io.skep.ql.rel.SkepTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Supplies row counts from the catalog's statistics instead of Calcite's guesses. */
public final class RowCounts implements MetadataHandler<BuiltInMetadata.RowCount> {
    private static final double DEFAULT_DISTINCT_SHARE = 0.1;

    private static final Set<SqlKind> EQUALITIES = Set.of(SqlKind.EQUALS, SqlKind.IS_NOT_DISTINCT_FROM);

    private final TableStatistics statistics;
    private final Estimates estimates;
    private final Selectivities selectivities;
    private final MatchingValues matching;

    RowCounts(TableStatistics statistics, Estimates estimates, Selectivities selectivities, MatchingValues matching) {
        this.statistics = statistics;
        this.estimates = estimates;
        this.selectivities = selectivities;
        this.matching = matching;
    }

    @Override
    public MetadataDef<BuiltInMetadata.RowCount> getDef() {
        return BuiltInMetadata.RowCount.DEF;
    }

    public Double getRowCount(TableScan scan, RelMetadataQuery metadata) {
        SkepTable table = scan.getTable().unwrapOrThrow(SkepTable.class);
        double rows = statistics.rows(table.table());
        return Math.max(1, table.sample().map(sample -> sample.rows(rows)).orElse(rows));
    }

    public Double getRowCount(Filter filter, RelMetadataQuery metadata) {
        double share = selectivities.of(filter.getCondition(), filter.getInput(), metadata);
        return Math.max(1, Estimates.rows(filter.getInput(), metadata) * share);
    }

    public Double getRowCount(Join join, RelMetadataQuery metadata) {
        double left = Estimates.rows(join.getLeft(), metadata);
        double right = Estimates.rows(join.getRight(), metadata);
        int leftColumns = join.getLeft().getRowType().getFieldCount();
        List<Estimates.KeyPair> keys = new ArrayList<>();
        double rest = 1;
        for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
            Optional<Estimates.KeyPair> key = Estimates.KeyPair.of(conjunct, EQUALITIES, leftColumns);
            key.ifPresent(keys::add);
            if (key.isEmpty() && !conjunct.isAlwaysTrue()) {
                rest *= JoinCardinality.UNKNOWN;
            }
        }
        double values = keys.isEmpty() ? 1 : matching.of(join.getLeft(), join.getRight(), keys, metadata);
        double inner = left * right / values * rest;
        return Math.max(1, withKind(join.getJoinType(), left, right, inner));
    }

    private static double withKind(JoinRelType type, double left, double right, double inner) {
        return switch (type) {
            case LEFT -> Math.max(left, inner);
            case RIGHT -> Math.max(right, inner);
            case FULL -> Math.max(left + right, inner);
            case SEMI -> Math.min(left, inner);
            case ANTI -> Math.max(left * 0.1, left - inner);
            default -> inner;
        };
    }

    public Double getRowCount(Aggregate aggregate, RelMetadataQuery metadata) {
        RelNode input = aggregate.getInput();
        double rows = Estimates.rows(input, metadata);
        double groups = 1;
        for (int column : aggregate.getGroupSet()) {
            double distinct = estimates
                    .origin(input, column, metadata)
                    .flatMap(Estimates.Origin::distinctValues)
                    .orElse(Math.max(1, rows * DEFAULT_DISTINCT_SHARE));
            groups *= Math.min(distinct, rows);
        }
        return Math.min(rows, groups) * aggregate.getGroupSets().size();
    }
}
