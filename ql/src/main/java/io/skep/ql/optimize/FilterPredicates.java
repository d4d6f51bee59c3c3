package io.skep.ql.optimize;

import io.skep.common.concurrent.Interruption;
import java.util.List;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * Derives the predicates that hold for the rows of a filter. Replaces Calcite's handler, which rejects conditions that
 * compare with NULL. Such conditions are true for no row. They are left out of the predicates until a rule removes the
 * filter's rows.
 */
public final class FilterPredicates implements MetadataHandler<BuiltInMetadata.Predicates> {
    @Override
    public MetadataDef<BuiltInMetadata.Predicates> getDef() {
        return BuiltInMetadata.Predicates.DEF;
    }

    public RelOptPredicateList getPredicates(Filter filter, RelMetadataQuery metadata) {
        RexBuilder rex = filter.getCluster().getRexBuilder();
        Interruption.check();
        List<RexNode> conjuncts = RelOptUtil.conjunctions(filter.getCondition()).stream()
                .filter(conjunct -> !comparesWithNull(conjunct))
                .toList();
        RelOptPredicateList below = metadata.getPulledUpPredicates(filter.getInput());
        return (below == null ? RelOptPredicateList.EMPTY : below)
                .union(rex, RelOptPredicateList.of(rex, RexUtil.retainDeterministic(conjuncts)));
    }

    private static boolean comparesWithNull(RexNode conjunct) {
        return conjunct.isA(SqlKind.COMPARISON)
                && ((RexCall) conjunct)
                        .getOperands().stream()
                                .anyMatch(operand -> operand instanceof RexLiteral literal && literal.isNull());
    }
}
