package io.skep.ql.optimize;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** How large the expressions of a tree are, and how many operators of several inputs it has. */
final class ExpressionSize extends RelVisitor {
    private long largest;
    private int branches;
    private int inputs;

    private ExpressionSize() {}

    /**
     * Whether no operator's expressions have more nodes than that, and no more than so many operators have several inputs: what
     * is known of their rows is made of what is known of all inputs, at each level anew.
     */
    static boolean isWithin(RelNode root, int nodes, int branches) {
        ExpressionSize size = new ExpressionSize();
        size.go(root);
        return size.largest <= nodes && size.branches <= branches;
    }

    /** Whether more relations than that come together in joins and set operations. */
    static boolean isWide(RelNode root, int most) {
        ExpressionSize size = new ExpressionSize();
        size.go(root);
        return size.inputs > most;
    }

    @Override
    public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        largest = Math.max(
                largest,
                switch (node) {
                    case Filter filter -> filter.getCondition().nodeCount();
                    case Join join -> join.getCondition().nodeCount();
                    case Project project ->
                        project.getProjects().stream()
                                .mapToLong(RexNode::nodeCount)
                                .sum();
                    default -> 0;
                });
        branches += node.getInputs().size() > 1 ? 1 : 0;
        inputs += Math.max(0, node.getInputs().size() - 1);
        super.visit(node, ordinal, parent);
    }
}
