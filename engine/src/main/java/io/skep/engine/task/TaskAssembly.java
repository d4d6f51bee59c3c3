package io.skep.engine.task;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.operator.LimitOperator;
import io.skep.engine.operator.LocalExchange;
import io.skep.engine.operator.MergeOperator;
import io.skep.engine.operator.OperatorFactory;
import io.skep.engine.operator.PageInputs;
import io.skep.engine.operator.RemoteSourceOperator;
import io.skep.engine.operator.ValuesOperator;
import io.skep.engine.plan.PlanNode;
import io.skep.storage.scan.ScanFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns a fragment's plan into pipelines. A pipeline with a source that can be shared runs as many drivers as the task may
 * use; where an operator needs all rows, or all of a group, a local exchange brings them together.
 */
final class TaskAssembly implements AutoCloseable {
    private final TaskEnvironment environment;
    private final List<Pipeline> pipelines = new ArrayList<>();
    private final List<AutoCloseable> shared = new ArrayList<>();

    TaskAssembly(TaskEnvironment environment) {
        this.environment = environment;
    }

    List<Pipeline> pipelines() {
        return pipelines;
    }

    ScanFigures scanned() {
        return ScanFigures.NONE;
    }

    /** Ends a pipeline with its sink. */
    void end(Pipeline pipeline, OperatorFactory sink) {
        pipelines.add(pipeline.then(sink));
    }

    Pipeline visit(PlanNode node) {
        return switch (node) {
            case PlanNode.Values n -> new Pipeline(1, context -> new ValuesOperator(n));
            case PlanNode.RemoteSource n -> remoteSource(n);
            case PlanNode.Limit n -> {
                LimitOperator.Budget budget = new LimitOperator.Budget(n.offset(), n.count());
                yield visit(n.input()).then(context -> new LimitOperator(budget));
            }
            case PlanNode.UnionAll n -> unionAll(n);
            default ->
                throw new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "no operator for " + node.getClass().getSimpleName());
        };
    }

    private Pipeline remoteSource(PlanNode.RemoteSource node) {
        List<PageInput> inputs = new ArrayList<>();
        for (int fragment : node.fragments()) {
            inputs.addAll(environment.inputs().getOrDefault(fragment, List.of()));
        }
        if (node.mergeOrder().isEmpty()) {
            PageInputs pages = new PageInputs(inputs);
            shared.add(pages);
            return new Pipeline(environment.drivers(), context -> new RemoteSourceOperator(pages));
        }
        return new Pipeline(1, context -> new MergeOperator(inputs, node.outputTypes(), node.mergeOrder()));
    }

    private Pipeline unionAll(PlanNode.UnionAll node) {
        LocalExchange exchange = LocalExchange.roundRobin(environment.drivers());
        node.inputs().forEach(input -> intoExchange(visit(input), exchange));
        return fromExchange(exchange, environment.drivers());
    }

    private void intoExchange(Pipeline pipeline, LocalExchange exchange) {
        exchange.expectSinks(pipeline.drivers());
        end(pipeline, context -> exchange.sink());
    }

    private static Pipeline fromExchange(LocalExchange exchange, int drivers) {
        AtomicInteger next = new AtomicInteger();
        return new Pipeline(drivers, context -> exchange.source(next.getAndIncrement()));
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        for (AutoCloseable part : shared) {
            try {
                part.close();
            } catch (RuntimeException e) {
                failure = Driver.keepFirst(failure, e);
            } catch (Exception e) {
                failure = Driver.keepFirst(failure, new IllegalStateException(e));
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
