package io.skep.ql.optimize;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of operators in a query. Rule programs that cannot change a query are skipped, because planning takes most
 * of the time of a short query.
 *
 * @param nested whether there are subqueries in expressions, or correlation
 * @param joins whether there are joins
 * @param setOperations whether there are set operations or distinct aggregates, which the same rules rewrite
 * @param windows whether there are window functions
 */
record QueryShape(boolean nested, boolean joins, boolean setOperations, boolean windows) {
    static QueryShape of(RelNode root) {
        Finder finder = new Finder();
        finder.go(root);
        return new QueryShape(finder.nested, finder.joins, finder.setOperations, finder.windows);
    }

    private static final class Finder extends RelVisitor {
        private boolean nested;
        private boolean joins;
        private boolean setOperations;
        private boolean windows;

        @Override
        public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
            nested |= node instanceof Correlate || !node.getVariablesSet().isEmpty() || hasSubquery(node);
            joins |= node instanceof Join;
            setOperations |= node instanceof SetOp
                    || node instanceof Aggregate aggregate
                            && aggregate.getAggCallList().stream().anyMatch(AggregateCall::isDistinct);
            windows |= node instanceof Project project && project.containsOver();
            super.visit(node, ordinal, parent);
        }

        private static boolean hasSubquery(RelNode node) {
            return switch (node) {
                case Filter filter -> RexUtil.SubQueryFinder.containsSubQuery(filter);
                case Project project -> RexUtil.SubQueryFinder.containsSubQuery(project);
                case Join join -> RexUtil.SubQueryFinder.containsSubQuery(join);
                default -> false;
            };
        }
    }
}
