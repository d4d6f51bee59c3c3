package io.skep.ql.physical;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.AggregateStep;
import io.skep.ql.rel.MergeAggregate;
import io.skep.ql.rel.PartialAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.calcite.rel.core.Aggregate;

/**
 * Plans aggregations. If equal groups are already in one task, there is a single step. Otherwise the steps are partial
 * aggregation, exchange and final aggregation.
 */
final class AggregatePlanning {
    private final PlanningContext context;
    private final Fragmenter fragmenter;
    private final EstimatedRows.Collector estimates;
    private final Function<Aggregate, Planned> inputs;
    private final AggregateCalls calls;

    /** @param inputs plans the input of an aggregation */
    AggregatePlanning(
            PlanningContext context,
            Fragmenter fragmenter,
            EstimatedRows.Collector estimates,
            Function<Aggregate, Planned> inputs) {
        this.context = context;
        this.fragmenter = fragmenter;
        this.estimates = estimates;
        this.inputs = inputs;
        this.calls = new AggregateCalls(context.functions());
    }

    Planned plan(Aggregate aggregate) {
        Planned input = inputs.apply(aggregate);
        return plan(aggregate, input, calls.resolve(aggregate, input.types()), this::grouped);
    }

    /** Plans the first step of an aggregation whose {@link #merge} is further up. */
    Planned partial(PartialAggregate aggregate) {
        Planned input = inputs.apply(aggregate);
        List<Integer> groups = aggregate.getGroupSet().asList();
        PlanNode node =
                new PlanNode.Aggregate(input.node(), AggregateStep.PARTIAL, groups, AggregateCalls.ofSteps(aggregate));
        return new Planned(node, afterGrouping(input.layout(), groups), context.rows(aggregate));
    }

    /**
     * Plans the last step over states that {@link #partial} created further down. States that can be merged in place
     * are merged before the exchange.
     */
    Planned merge(MergeAggregate aggregate) {
        Planned input = inputs.apply(aggregate);
        return plan(
                aggregate,
                input,
                AggregateCalls.ofSteps(aggregate),
                (states, groups, merged, rows) -> twoSteps(AggregateStep.INTERMEDIATE, states, groups, merged, rows));
    }

    /** Groups rows by columns and computes calls. The number of groups is an estimate. */
    private interface Grouping {
        Planned grouped(Planned input, List<Integer> groups, List<AggregateCall> aggregates, double rows);
    }

    private Planned plan(Aggregate aggregate, Planned input, List<AggregateCall> aggregates, Grouping grouping) {
        List<Integer> groups = aggregate.getGroupSet().asList();
        double rows = context.rows(aggregate);
        boolean simple = aggregate.getGroupType() == Aggregate.Group.SIMPLE;
        GroupingSets sets = simple ? GroupingSets.simple(groups) : GroupingSets.expand(aggregate, input);
        Planned expanded = simple ? input : input.with(sets.expanded(input), input.rows() * sets.count());
        List<AggregateCall> resolved = aggregates;
        if (sets.hasEmptySet()) {
            PlanNode marked = EmptySet.marked(expanded.node(), sets.emptySet());
            resolved = EmptySet.skipping(resolved, marked.outputTypes().size() - 1);
            expanded = expanded.with(marked, expanded.rows());
        }
        Planned grouped = estimates.add(grouping.grouped(expanded, sets.groupColumns(), resolved, rows));
        return calls.finish(aggregate, sets, grouped);
    }

    private Planned grouped(Planned input, List<Integer> groups, List<AggregateCall> aggregates, double rows) {
        if (isTogether(input, groups)) {
            return single(input, groups, aggregates, rows);
        }
        if (aggregates.stream().anyMatch(AggregateCall::distinct)) {
            return single(exchanged(input, groups), groups, aggregates, rows);
        }
        return twoSteps(AggregateStep.PARTIAL, input, groups, aggregates, rows);
    }

    /** Whether all rows of a group are already in one task. */
    private static boolean isTogether(Planned input, List<Integer> groups) {
        return input.isSingle()
                || !groups.isEmpty() && input.layout() instanceof Layout.Hashed hashed && hashed.within(groups);
    }

    private static Planned single(Planned input, List<Integer> groups, List<AggregateCall> aggregates, double rows) {
        PlanNode node = new PlanNode.Aggregate(input.node(), AggregateStep.SINGLE, groups, aggregates);
        return new Planned(node, afterGrouping(input.layout(), groups), rows);
    }

    private Planned twoSteps(
            AggregateStep first, Planned input, List<Integer> groups, List<AggregateCall> aggregates, double rows) {
        PlanNode partial = new PlanNode.Aggregate(input.node(), first, groups, aggregates);
        Planned states = estimates.add(
                new Planned(partial, afterGrouping(input.layout(), groups), Math.min(input.rows(), rows * 2)));
        List<Integer> keys = IntStream.range(0, groups.size()).boxed().toList();
        Planned together = isTogether(input, groups) ? states : exchanged(states, keys);
        List<AggregateCall> finals = new ArrayList<>();
        for (int i = 0; i < aggregates.size(); i++) {
            AggregateCall call = aggregates.get(i);
            finals.add(new AggregateCall(
                    call.function(),
                    call.distinct(),
                    List.of(groups.size() + i),
                    OptionalInt.empty(),
                    call.argumentTypes(),
                    call.stateType(),
                    call.type()));
        }
        PlanNode node = new PlanNode.Aggregate(together.node(), AggregateStep.FINAL, keys, finals);
        return together.with(node, rows);
    }

    private Planned exchanged(Planned input, List<Integer> groups) {
        return groups.isEmpty() ? fragmenter.gather(input, List.of()) : fragmenter.hash(input, groups);
    }

    private static Layout afterGrouping(Layout layout, List<Integer> groups) {
        if (!(layout instanceof Layout.Hashed hashed)) {
            return layout;
        }
        boolean kept = groups.containsAll(hashed.columns());
        return new Layout.Hashed(
                kept ? hashed.columns().stream().map(groups::indexOf).toList() : List.of());
    }

    /** The type of grouping set numbers. */
    static final SqlType GROUPING_TYPE = PrimitiveType.BIGINT;

    static Expression groupingConstant(long value) {
        return new Expression.Constant(new io.skep.common.vector.Datum.OfLong(value), GROUPING_TYPE);
    }
}
