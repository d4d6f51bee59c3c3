package io.skep.ql.physical;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.AggregateStep;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;

/** Plans aggregations: in one step where equal groups already meet in one task, else partial, exchange, final. */
final class AggregatePlanning {
    private final PlanningContext context;
    private final Fragmenter fragmenter;
    private final Function<RelNode, Planned> inputs;
    private final AggregateCalls calls;

    AggregatePlanning(PlanningContext context, Fragmenter fragmenter, Function<RelNode, Planned> inputs) {
        this.context = context;
        this.fragmenter = fragmenter;
        this.inputs = inputs;
        this.calls = new AggregateCalls(context.functions());
    }

    Planned plan(Aggregate aggregate) {
        Planned input = inputs.apply(aggregate.getInput());
        List<Integer> groups = aggregate.getGroupSet().asList();
        double rows = context.rows(aggregate);
        boolean simple = aggregate.getGroupType() == Aggregate.Group.SIMPLE;
        GroupingSets sets = simple ? GroupingSets.simple(groups) : GroupingSets.expand(aggregate, input);
        Planned expanded = simple ? input : input.with(sets.expanded(input), input.rows() * sets.count());
        List<AggregateCall> resolved = calls.resolve(aggregate, input.types());
        if (sets.hasEmptySet()) {
            PlanNode marked = EmptySet.marked(expanded.node(), sets.emptySet());
            resolved = EmptySet.skipping(resolved, marked.outputTypes().size() - 1);
            expanded = expanded.with(marked, expanded.rows());
        }
        Planned grouped = grouped(expanded, sets.groupColumns(), resolved, rows);
        return calls.finish(aggregate, sets, grouped);
    }

    private Planned grouped(Planned input, List<Integer> groups, List<AggregateCall> aggregates, double rows) {
        if (input.isSingle()
                || !groups.isEmpty() && input.layout() instanceof Layout.Hashed hashed && hashed.within(groups)) {
            return single(input, groups, aggregates, rows);
        }
        if (aggregates.stream().anyMatch(AggregateCall::distinct)) {
            Planned together = groups.isEmpty() ? fragmenter.gather(input, List.of()) : fragmenter.hash(input, groups);
            return single(together, groups, aggregates, rows);
        }
        return twoSteps(input, groups, aggregates, rows);
    }

    private static Planned single(Planned input, List<Integer> groups, List<AggregateCall> aggregates, double rows) {
        PlanNode node = new PlanNode.Aggregate(input.node(), AggregateStep.SINGLE, groups, aggregates);
        return new Planned(node, afterGrouping(input.layout(), groups), rows);
    }

    private Planned twoSteps(Planned input, List<Integer> groups, List<AggregateCall> aggregates, double rows) {
        PlanNode partial = new PlanNode.Aggregate(input.node(), AggregateStep.PARTIAL, groups, aggregates);
        Planned states = new Planned(partial, afterGrouping(input.layout(), groups), Math.min(input.rows(), rows * 2));
        List<Integer> keys = IntStream.range(0, groups.size()).boxed().toList();
        Planned together = keys.isEmpty() ? fragmenter.gather(states, List.of()) : fragmenter.hash(states, keys);
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
