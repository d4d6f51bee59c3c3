package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;

/**
 * A place for the first step of an aggregation: directly above {@code rel}, below joins and conditions that its states
 * pass through.
 *
 * @param above the operators that the states pass through, from the aggregation down
 * @param wanted what the operators above need from {@code rel}
 */
record AggregationPlace(List<Level> above, RelNode rel, Wanted wanted) {
    AggregationPlace {
        above = List.copyOf(above);
    }

    /**
     * The expressions that are needed from a node, over its columns.
     *
     * @param values the expressions that all operators above group, join and filter by; an expression may occur twice
     * @param arguments the arguments of the aggregates
     */
    record Wanted(List<RexNode> values, List<RexNode> arguments) {
        Wanted {
            values = List.copyOf(values);
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * A join or a condition that the states pass through.
     *
     * @param onLeft whether the states come from a join's left side
     * @param values the expressions that are needed from it, over its columns
     * @param ofSide the expressions that it therefore needs from the side that the states come from, over that side's
     *     columns
     */
    record Level(RelNode rel, boolean onLeft, List<RexNode> values, List<RexNode> ofSide) {
        Level {
            values = List.copyOf(values);
            ofSide = List.copyOf(ofSide);
        }

        static Level of(Filter filter, List<RexNode> values) {
            Level level = new Level(filter, true, values, List.of());
            return new Level(filter, true, values, level.needed(filter.getCondition()));
        }

        static Level of(Join join, boolean onLeft, List<RexNode> values) {
            Level level = new Level(join, onLeft, values, List.of());
            return new Level(join, onLeft, values, level.needed(join.getCondition()));
        }

        /**
         * Returns the values that the side must supply. A value is taken as a whole if the side can compute it.
         * Otherwise its columns are taken.
         */
        private List<RexNode> needed(RexNode condition) {
            Set<RexNode> needed = new LinkedHashSet<>();
            values.forEach(value -> {
                if (isOfSide(value)) {
                    needed.add(RexUtil.shift(value, -offset()));
                } else {
                    addColumns(value, needed);
                }
            });
            addColumns(condition, needed);
            return List.copyOf(needed);
        }

        private void addColumns(RexNode expression, Set<RexNode> needed) {
            for (int column : RelOptUtil.InputFinder.bits(expression)) {
                if (isOfSide(column)) {
                    needed.add(RexInputRef.of(column - offset(), side().getRowType()));
                }
            }
        }

        /** Returns the index of the side's first column in this operator's input columns. */
        int offset() {
            return rel instanceof Join join && !onLeft
                    ? join.getLeft().getRowType().getFieldCount()
                    : 0;
        }

        /** Returns the input that the states come from. */
        RelNode side() {
            return rel.getInput(rel instanceof Join && !onLeft ? 1 : 0);
        }

        boolean isOfSide(int column) {
            return column >= offset() && column < offset() + side().getRowType().getFieldCount();
        }

        /**
         * Whether an expression can be computed from the side alone. Constants do not count; the operator that needs
         * one computes it.
         */
        boolean isOfSide(RexNode expression) {
            List<Integer> columns = RelOptUtil.InputFinder.bits(expression).asList();
            return !columns.isEmpty() && columns.stream().allMatch(this::isOfSide);
        }

        /**
         * Rebuilds this operator over another form of the side.
         *
         * @param newSide a relation with the expressions of {@link #ofSide}, then the states
         * @return the values, then the states
         */
        private RelNode over(RelNode newSide, int states) {
            RelNode passed = rel instanceof Join join ? joined(join, newSide) : filtered((Filter) rel, newSide);
            List<RexNode> outputs = new ArrayList<>();
            values.forEach(value -> outputs.add(moved(value, newSide)));
            for (int i = 0; i < states; i++) {
                outputs.add(RexInputRef.of(offset() + ofSide.size() + i, passed.getRowType()));
            }
            return projected(passed, outputs);
        }

        private RelNode filtered(Filter filter, RelNode input) {
            return filter.copy(
                    filter.getTraitSet(), input, filter.getCondition().accept(columns(input)));
        }

        private RelNode joined(Join join, RelNode newSide) {
            return join.copy(
                    join.getTraitSet(),
                    join.getCondition().accept(columns(newSide)),
                    onLeft ? newSide : join.getLeft(),
                    onLeft ? join.getRight() : newSide,
                    join.getJoinType(),
                    join.isSemiJoinDone());
        }

        private RexNode moved(RexNode value, RelNode newSide) {
            return isOfSide(value)
                    ? new RexInputRef(offset() + ofSide.indexOf(RexUtil.shift(value, -offset())), value.getType())
                    : value.accept(columns(newSide));
        }

        /** Maps columns to their positions over the new side. */
        private RexShuttle columns(RelNode newSide) {
            int shift = onLeft
                    ? newSide.getRowType().getFieldCount() - side().getRowType().getFieldCount()
                    : 0;
            return new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef ref) {
                    int column = ref.getIndex();
                    return new RexInputRef(
                            isOfSide(column)
                                    ? offset() + ofSide.indexOf(new RexInputRef(column - offset(), ref.getType()))
                                    : column + shift,
                            ref.getType());
                }
            };
        }
    }

    /** Returns the aggregation with its first step at this place. */
    RelNode rebuilt(SplitAggregate aggregate) {
        RelNode built = first(aggregate);
        for (int i = above.size() - 1; i >= 0; i--) {
            built = above.get(i).over(built, aggregate.states());
        }
        return aggregate.merge(built);
    }

    /**
     * Builds the first step: the values, then the states. If there are no values, a constant key makes a single group,
     * and no group when there are no rows.
     */
    private RelNode first(SplitAggregate aggregate) {
        Map<RexNode, Integer> columns = new LinkedHashMap<>();
        wanted.values().forEach(value -> columns.putIfAbsent(value, columns.size()));
        if (columns.isEmpty()) {
            columns.put(rel.getCluster().getRexBuilder().makeLiteral(true), 0);
        }
        int keys = columns.size();
        wanted.arguments().forEach(argument -> columns.putIfAbsent(argument, columns.size()));
        List<Integer> arguments = positions(wanted.arguments(), columns);
        RelNode partial = aggregate.partial(projected(rel, List.copyOf(columns.keySet())), keys, arguments);
        List<RexNode> outputs = new ArrayList<>();
        positions(wanted.values(), columns).forEach(at -> outputs.add(RexInputRef.of(at, partial.getRowType())));
        for (int i = 0; i < aggregate.states(); i++) {
            outputs.add(RexInputRef.of(keys + i, partial.getRowType()));
        }
        return projected(partial, outputs);
    }

    private static List<Integer> positions(List<RexNode> expressions, Map<RexNode, Integer> columns) {
        return expressions.stream().map(columns::get).toList();
    }

    private static RelNode projected(RelNode rel, List<RexNode> columns) {
        boolean same = columns.size() == rel.getRowType().getFieldCount()
                && IntStream.range(0, columns.size())
                        .allMatch(i -> columns.get(i) instanceof RexInputRef ref && ref.getIndex() == i);
        if (same) {
            return rel;
        }
        List<String> names =
                IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).toList();
        return LogicalProject.create(rel, List.of(), columns, names, Set.of());
    }
}
