package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Builds a tree of joins over a graph's factors. Two parts are joined on one pair of columns for each class that has
 * columns in both. Every other condition is checked once, as early as possible. An instance is used once.
 */
final class JoinRebuild {
    private final JoinGraph graph;
    private final List<RelNode> factors;
    private final ColumnClasses classes;
    private final JoinCardinality cardinality;
    private final RelBuilder builder;
    private final List<RexNode> pending;

    JoinRebuild(
            JoinGraph graph,
            List<RelNode> factors,
            ColumnClasses classes,
            JoinCardinality cardinality,
            RelBuilder builder) {
        this.graph = graph;
        this.factors = factors;
        this.classes = classes;
        this.cardinality = cardinality;
        this.builder = builder;
        this.pending = new ArrayList<>(classes.others());
    }

    /** A rebuilt part, with the position of each of the graph's columns in it. */
    private record Part(RelNode rel, Map<Integer, Integer> positions) {
        RexShuttle shuttle() {
            return new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef ref) {
                    Integer position = positions.get(ref.getIndex());
                    if (position == null) {
                        throw new IllegalStateException("column " + ref + " is not in this part of the join");
                    }
                    return new RexInputRef(position, ref.getType());
                }
            };
        }
    }

    /** @param root the tree that the graph was created from */
    RelNode rebuild(RelNode root, JoinTree tree) {
        Part part = build(tree);
        builder.push(part.rel());
        RexShuttle toPart = part.shuttle();
        pending.forEach(condition -> builder.filter(condition.accept(toPart)));
        List<RexNode> outputs =
                graph.outputs().stream().map(output -> output.accept(toPart)).toList();
        builder.project(outputs, root.getRowType().getFieldNames(), true);
        return builder.build();
    }

    private Part build(JoinTree tree) {
        return tree.inputs().isPresent()
                ? joined(tree.inputs().get(), tree.set())
                : factor(Long.numberOfTrailingZeros(tree.set()), tree.set());
    }

    private Part factor(int factor, long set) {
        Map<Integer, Integer> positions = new HashMap<>();
        RelNode rel = factors.get(factor);
        for (int i = 0; i < rel.getRowType().getFieldCount(); i++) {
            positions.put(graph.offsets().get(factor) + i, i);
        }
        Part part = new Part(rel, positions);
        List<RexNode> conditions = takeCheckable(set, part.shuttle());
        return conditions.isEmpty()
                ? part
                : new Part(builder.push(rel).filter(conditions).build(), positions);
    }

    private Part joined(JoinTree.Inputs inputs, long set) {
        Part left = build(inputs.probe());
        Part right = build(inputs.build());
        int leftColumns = left.rel().getRowType().getFieldCount();
        Map<Integer, Integer> positions = new HashMap<>(left.positions());
        right.positions().forEach((column, position) -> positions.put(column, leftColumns + position));
        List<RexNode> conditions = new ArrayList<>();
        builder.push(left.rel()).push(right.rel());
        for (ImmutableBitSet equal : classes.classes()) {
            Optional<Integer> probe = column(equal, left);
            Optional<Integer> build = column(equal, right);
            if (probe.isPresent() && build.isPresent()) {
                conditions.add(builder.equals(builder.field(2, 0, probe.get()), builder.field(2, 1, build.get())));
            }
        }
        conditions.addAll(takeCheckable(set, new Part(left.rel(), positions).shuttle()));
        builder.join(JoinRelType.INNER, conditions);
        return new Part(builder.build(), positions);
    }

    /**
     * Returns a part's column of a class. The column of the largest factor is chosen, because its scan benefits most
     * from a filter.
     */
    private Optional<Integer> column(ImmutableBitSet equal, Part part) {
        return equal.asList().stream()
                .filter(part.positions()::containsKey)
                .max(Comparator.comparingDouble(column -> cardinality.rowsOf(graph.factorOf(column))))
                .map(part.positions()::get);
    }

    /** Removes and returns the pending conditions that can be checked once these factors are joined. */
    private List<RexNode> takeCheckable(long set, RexShuttle toPart) {
        List<RexNode> taken = pending.stream()
                .filter(condition -> {
                    long needed = graph.factorsOf(condition);
                    return needed != 0 && (needed & ~set) == 0;
                })
                .toList();
        pending.removeAll(taken);
        return taken.stream().map(condition -> condition.accept(toPart)).toList();
    }
}
