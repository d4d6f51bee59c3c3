package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * A flattened tree of inner joins: factors in any order, and conditions over the factors' columns. All columns are
 * numbered in one space, in the order of the factors.
 *
 * @param factors the inputs that are not inner joins themselves
 * @param offsets the index of each factor's first column
 * @param conditions conjuncts
 * @param outputs the tree's output, over the factors' columns
 */
record JoinGraph(List<RelNode> factors, List<Integer> offsets, List<RexNode> conditions, List<RexNode> outputs) {
    static boolean isInnerJoin(RelNode rel) {
        return rel instanceof Join join
                && join.getJoinType() == JoinRelType.INNER
                && join.getHints().isEmpty();
    }

    static JoinGraph of(RelNode root) {
        Builder builder = new Builder(root.getCluster().getRexBuilder());
        List<RexNode> outputs = builder.flatten(root);
        return new JoinGraph(builder.factors, builder.offsets, builder.conditions, outputs);
    }

    /** Returns the factor that contains a column. */
    int factorOf(int column) {
        int factor = offsets.size() - 1;
        while (offsets.get(factor) > column) {
            factor--;
        }
        return factor;
    }

    /** Returns the factors whose columns a condition reads, as a bit set. */
    long factorsOf(RexNode condition) {
        long bits = 0;
        for (int column : RelOptUtil.InputFinder.bits(condition)) {
            bits |= 1L << factorOf(column);
        }
        return bits;
    }

    private static final class Builder {
        private final RexBuilder rexBuilder;
        private final List<RelNode> factors = new ArrayList<>();
        private final List<Integer> offsets = new ArrayList<>();
        private final List<RexNode> conditions = new ArrayList<>();
        private int columns;

        private Builder(RexBuilder rexBuilder) {
            this.rexBuilder = rexBuilder;
        }

        /** Flattens a part of the tree. Returns its outputs over the factors' columns. */
        private List<RexNode> flatten(RelNode rel) {
            if (isInnerJoin(rel)) {
                Join join = (Join) rel;
                List<RexNode> outputs = new ArrayList<>(flatten(join.getLeft()));
                outputs.addAll(flatten(join.getRight()));
                addConditions(join.getCondition(), outputs);
                return outputs;
            }
            if (rel instanceof Filter filter && reachesJoin(filter.getInput())) {
                List<RexNode> outputs = flatten(filter.getInput());
                addConditions(filter.getCondition(), outputs);
                return outputs;
            }
            if (rel instanceof Project project && isMapping(project) && reachesJoin(project.getInput())) {
                List<RexNode> below = flatten(project.getInput());
                return project.getProjects().stream()
                        .map(column -> below.get(((RexInputRef) column).getIndex()))
                        .toList();
            }
            return factor(rel);
        }

        private static boolean reachesJoin(RelNode rel) {
            return switch (rel) {
                case Filter filter -> reachesJoin(filter.getInput());
                case Project project -> isMapping(project) && reachesJoin(project.getInput());
                default -> isInnerJoin(rel);
            };
        }

        private static boolean isMapping(Project project) {
            return project.getProjects().stream().allMatch(RexInputRef.class::isInstance);
        }

        private List<RexNode> factor(RelNode rel) {
            factors.add(rel);
            offsets.add(columns);
            List<RexNode> outputs = new ArrayList<>();
            rel.getRowType()
                    .getFieldList()
                    .forEach(
                            field -> outputs.add(rexBuilder.makeInputRef(field.getType(), columns + field.getIndex())));
            columns += outputs.size();
            return outputs;
        }

        private void addConditions(RexNode condition, List<RexNode> outputs) {
            RexShuttle toFactors = new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef ref) {
                    return outputs.get(ref.getIndex());
                }
            };
            for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
                if (!conjunct.isAlwaysTrue()) {
                    conditions.add(conjunct.accept(toFactors));
                }
            }
        }
    }
}
