package io.skep.ql.optimize;

import io.skep.ql.rel.PolicyBarrier;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Rewrites the subqueries of row filters and masks apart from those of the query, so that the decorrelation of the
 * query finds none below a {@link PolicyBarrier}.
 */
final class PolicyQueries extends RelHomogeneousShuttle {
    private final UnaryOperator<RelNode> unnested;
    private final RexShuttle subqueries = new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery query) {
            return ((RexSubQuery) super.visitSubQuery(query)).clone(query.rel.accept(PolicyQueries.this));
        }
    };

    /** @param unnested returns algebra without subqueries and correlation */
    PolicyQueries(UnaryOperator<RelNode> unnested) {
        this.unnested = unnested;
    }

    @Override
    public RelNode visit(RelNode other) {
        RelNode visited = super.visit(other).accept(subqueries);
        return visited instanceof PolicyBarrier barrier ? barrier.over(unnested.apply(barrier.getInput())) : visited;
    }
}
