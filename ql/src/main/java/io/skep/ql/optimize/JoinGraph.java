package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * A tree of inner joins, flattened: factors in any order, and conditions over the factors' columns, all numbered in one space
 * in the order of the factors.
 *
 * @param factors inputs that are no inner joins themselves
 * @param offsets the number of each factor's first column
 * @param conditions conjuncts
 * @param outputs what the tree gives, over the factors' columns
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

    /**
     * With the conditions on single factors that others imply: {@code (a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)} holds only
     * where {@code a.x = 1 OR a.x = 3}. The graph itself when there are none.
     */
    JoinGraph withImplied(RexBuilder rexBuilder) {
        Set<RexNode> all = new LinkedHashSet<>(conditions);
        for (RexNode condition : conditions) {
            long bits =
                    condition.getKind() == SqlKind.OR && RexUtil.isDeterministic(condition) ? factorsOf(condition) : 0;
            for (long left = Long.bitCount(bits) > 1 ? bits : 0; left != 0; left &= left - 1) {
                implied(condition, Long.lowestOneBit(left), rexBuilder).ifPresent(all::add);
            }
        }
        return all.size() == conditions.size() ? this : new JoinGraph(factors, offsets, List.copyOf(all), outputs);
    }

    /** What every branch of an OR asks of one factor. */
    private Optional<RexNode> implied(RexNode or, long factor, RexBuilder rexBuilder) {
        List<RexNode> branches = new ArrayList<>();
        for (RexNode branch : RelOptUtil.disjunctions(or)) {
            List<RexNode> own = RelOptUtil.conjunctions(branch).stream()
                    .filter(conjunct -> factorsOf(conjunct) == factor)
                    .toList();
            if (own.isEmpty()) {
                return Optional.empty();
            }
            branches.add(RexUtil.composeConjunction(rexBuilder, own));
        }
        return Optional.of(RexUtil.composeDisjunction(rexBuilder, branches));
    }

    /** The factor that holds a column. */
    int factorOf(int column) {
        int factor = offsets.size() - 1;
        while (offsets.get(factor) > column) {
            factor--;
        }
        return factor;
    }

    /** The factors whose columns a condition reads, as a bit set. */
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

        /** The outputs of a part, over the factors' columns. */
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
