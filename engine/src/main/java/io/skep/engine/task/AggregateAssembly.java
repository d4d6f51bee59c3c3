package io.skep.engine.task;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.engine.aggregate.AggregateFunction;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.operator.FinalAggregationOperator;
import io.skep.engine.operator.PartialAggregationOperator;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the pipelines of an aggregation. With several drivers, a single step becomes a partial step in each driver,
 * and a final step over their states, which are exchanged by the hash of the keys. DISTINCT aggregates have no states,
 * so their raw rows are exchanged.
 */
final class AggregateAssembly {
    private final TaskAssembly assembly;
    private final AggregateFunctions functions;

    AggregateAssembly(TaskAssembly assembly, AggregateFunctions functions) {
        this.assembly = assembly;
        this.functions = functions;
    }

    Pipeline visit(PlanNode.Aggregate node, int drivers) {
        boolean distinct = node.calls().stream().anyMatch(AggregateCall::distinct);
        if (distinct && node.step() != PlanNode.AggregateStep.SINGLE) {
            throw new SkepException(
                    StandardErrorCode.INTERNAL_ERROR,
                    "DISTINCT aggregates are computed in a single step, not from states");
        }
        Pipeline input = assembly.visit(node.input(), ColumnDemand.of(node));
        return switch (node.step()) {
            case PARTIAL -> partial(input, node, null);
            case INTERMEDIATE -> partial(input, node, states(node.calls()));
            case FINAL -> end(together(input, node.groupColumns(), drivers), node, states(node.calls()));
            case SINGLE -> single(input, node, distinct);
        };
    }

    private static List<Integer> states(List<AggregateCall> calls) {
        return calls.stream().map(call -> call.arguments().getFirst()).toList();
    }

    private Pipeline single(Pipeline input, PlanNode.Aggregate node, boolean distinct) {
        int drivers = input.drivers();
        if (drivers == 1) {
            return end(input, node, List.of());
        }
        if (distinct) {
            return end(together(input, node.groupColumns(), drivers), node, List.of());
        }
        List<Integer> keys = new ArrayList<>();
        List<Integer> states = new ArrayList<>();
        for (int i = 0; i < node.groupColumns().size(); i++) {
            keys.add(i);
        }
        for (int i = 0; i < node.calls().size(); i++) {
            states.add(keys.size() + i);
        }
        Pipeline partial = together(partial(input, node, null), keys, drivers);
        return partial.then(context ->
                new FinalAggregationOperator(keyTypes(node), keys, node.calls(), functions(node), states, context));
    }

    private Pipeline together(Pipeline input, List<Integer> keys, int drivers) {
        return keys.isEmpty()
                ? assembly.gather(input, 1).orElse(input)
                : assembly.byHash(input, keys, Math.min(drivers, input.drivers()));
    }

    private Pipeline partial(Pipeline input, PlanNode.Aggregate node, @Nullable List<Integer> states) {
        return input.then(context -> new PartialAggregationOperator(
                keyTypes(node), node.groupColumns(), node.calls(), functions(node), states, context));
    }

    private Pipeline end(Pipeline input, PlanNode.Aggregate node, List<Integer> states) {
        boolean raw = node.step() == PlanNode.AggregateStep.SINGLE;
        return input.then(context -> new FinalAggregationOperator(
                keyTypes(node), node.groupColumns(), node.calls(), functions(node), raw ? null : states, context));
    }

    private static List<SqlType> keyTypes(PlanNode.Aggregate node) {
        List<SqlType> types = node.input().outputTypes();
        return node.groupColumns().stream().map(types::get).toList();
    }

    private List<AggregateFunction> functions(PlanNode.Aggregate node) {
        return node.calls().stream().map(functions::of).toList();
    }
}
