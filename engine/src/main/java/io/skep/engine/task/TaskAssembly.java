package io.skep.engine.task;

import io.skep.common.lifecycle.Closeables;
import io.skep.common.type.SqlType;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.filter.RuntimeFilterFuture;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.function.WindowFunctions;
import io.skep.engine.operator.ExpandOperator;
import io.skep.engine.operator.FilterOperator;
import io.skep.engine.operator.FilterProjectOperator;
import io.skep.engine.operator.LimitOperator;
import io.skep.engine.operator.LocalExchange;
import io.skep.engine.operator.MergeOperator;
import io.skep.engine.operator.OperatorFactory;
import io.skep.engine.operator.OperatorStatsCollector;
import io.skep.engine.operator.PageInputs;
import io.skep.engine.operator.RemoteSourceOperator;
import io.skep.engine.operator.SequentialSourceOperator;
import io.skep.engine.operator.SortOperator;
import io.skep.engine.operator.TableFunctionOperator;
import io.skep.engine.operator.TableWriteOperator;
import io.skep.engine.operator.TopNOperator;
import io.skep.engine.operator.ValuesOperator;
import io.skep.engine.operator.join.HashJoin;
import io.skep.engine.operator.join.JoinBuildOperator;
import io.skep.engine.operator.join.JoinOperator;
import io.skep.engine.operator.scan.ScanOperator;
import io.skep.engine.operator.scan.SplitQueue;
import io.skep.engine.operator.script.ScriptContext;
import io.skep.engine.operator.script.ScriptOperator;
import io.skep.engine.operator.window.WindowOperator;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Converts a fragment's plan to pipelines. A pipeline with a source that can be shared runs the number of drivers that
 * the task may use. If an operator needs all rows, or all rows of a group, a local exchange brings them together.
 */
final class TaskAssembly implements AutoCloseable {
    /** The number of rows above which a TopN is executed as a sort and a limit, so that it can spill. */
    private static final long MAX_TOP_N = 100_000;

    private final TaskEnvironment environment;
    private final TaskSettings settings;
    private final ExpressionCompiler compiler;
    private final List<Pipeline> pipelines = new ArrayList<>();
    private final List<AutoCloseable> shared = new ArrayList<>();
    private final TaskFilters filters = new TaskFilters();
    private final PlanStatsCollector collector;
    private final AtomicInteger writers = new AtomicInteger();

    /** The number of completed pipelines whose operators belong to nodes. */
    private int claimed;

    TaskAssembly(TaskEnvironment environment, TaskSettings settings, PlanStatsCollector collector) {
        this.environment = environment;
        this.collector = collector;
        this.settings = settings;
        this.compiler = new ExpressionCompiler(environment.functions());
    }

    List<Pipeline> pipelines() {
        return pipelines;
    }

    /** Completes a pipeline with its sink. */
    void end(Pipeline pipeline, OperatorFactory sink) {
        pipelines.add(pipeline.then(sink));
    }

    Pipeline visit(PlanNode node) {
        return visit(node, ColumnDemand.all(node));
    }

    /** @param used the node's output columns that any downstream operator reads */
    Pipeline visit(PlanNode node, BitSet used) {
        Pipeline pipeline = pipeline(node, used);
        OperatorStatsCollector own = collector.of(node);
        pipeline.claim(own);
        claimEnded(own);
        return pipeline;
    }

    /** Completes the plan's pipeline with the task's output. */
    void output(Pipeline root, OperatorFactory sink) {
        end(root, sink);
        claimEnded(collector.output());
    }

    private void claimEnded(OperatorStatsCollector owner) {
        while (claimed < pipelines.size()) {
            pipelines.get(claimed++).claim(owner);
        }
    }

    private Pipeline pipeline(PlanNode node, BitSet used) {
        return switch (node) {
            case PlanNode.Scan n -> scan(n);
            case PlanNode.Values n -> new Pipeline(1, context -> new ValuesOperator(n));
            case PlanNode.RemoteSource n -> remoteSource(n);
            case PlanNode.Filter n ->
                visit(n.input(), ColumnDemand.of(n, used))
                        .then(context -> new FilterOperator(n.predicate(), n.outputTypes(), compiler));
            case PlanNode.Project n -> project(n);
            case PlanNode.Expand n -> visit(n.input()).then(context -> new ExpandOperator(n.projections(), compiler));
            case PlanNode.Aggregate n -> new AggregateAssembly(this, aggregates()).visit(n, environment.drivers());
            case PlanNode.Join n -> join(n, used);
            case PlanNode.Sort n -> sort(visit(n.input()), n.outputTypes(), n.keys());
            case PlanNode.TopN n -> topN(n);
            case PlanNode.Limit n -> limit(limited(n.input(), used), n.offset(), n.count());
            case PlanNode.Window n -> window(n);
            case PlanNode.UnionAll n -> unionAll(n);
            case PlanNode.TableFunction n ->
                visit(n.input()).then(context -> new TableFunctionOperator(n, environment.functions()));
            case PlanNode.TableWrite n -> tableWrite(n);
            case PlanNode.Transform n -> transform(n);
        };
    }

    private AggregateFunctions aggregates() {
        return new AggregateFunctions(environment.functions());
    }

    private Pipeline scan(PlanNode.Scan node) {
        SplitQueue splits = environment.splits().getOrDefault(node.id(), new SplitQueue(List.of()));
        int drivers = Math.max(1, Math.min(environment.drivers(), splits.size()));
        return new Pipeline(
                drivers,
                context -> new ScanOperator(
                        node,
                        filters.of(node),
                        environment.sources(),
                        splits,
                        compiler,
                        context.memory(),
                        context.collector()));
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

    /** A projection includes a filter directly below it. */
    private Pipeline project(PlanNode.Project node) {
        PlanNode input = node.input();
        BitSet used = ColumnDemand.of(node);
        Optional<Expression> predicate = Optional.empty();
        if (input instanceof PlanNode.Filter filter) {
            used = ColumnDemand.of(filter, used);
            predicate = Optional.of(filter.predicate());
            input = filter.input();
        }
        Optional<Expression> condition = predicate;
        return visit(input, used).then(context -> new FilterProjectOperator(condition, node.expressions(), compiler));
    }

    private Pipeline join(PlanNode.Join node, BitSet used) {
        List<RuntimeFilterFuture> promises = filters.promise(node);
        Pipeline build = visit(node.right(), ColumnDemand.right(node, used));
        Pipeline probe = visit(node.left(), ColumnDemand.left(node, used));
        HashJoin.Shared state = new HashJoin.Shared(node, used, promises, build.drivers(), probe.drivers());
        shared.add(state);
        end(build, context -> new JoinBuildOperator(state, context));
        return probe.then(context -> new JoinOperator(state, compiler, context));
    }

    private Pipeline sort(Pipeline input, List<SqlType> types, List<SortKey> keys) {
        Pipeline sorting = input.then(context -> new SortOperator(types, keys, context));
        if (sorting.drivers() == 1) {
            return sorting;
        }
        LocalExchange exchange = LocalExchange.paired(sorting.drivers());
        AtomicInteger next = new AtomicInteger();
        end(sorting, context -> exchange.sinkFor(next.getAndIncrement()));
        List<PageInput> inputs = new ArrayList<>();
        for (int i = 0; i < sorting.drivers(); i++) {
            inputs.add(exchange.input(i));
        }
        return new Pipeline(1, context -> new MergeOperator(inputs, types, keys));
    }

    private Pipeline topN(PlanNode.TopN node) {
        Pipeline input = visit(node.input());
        if (node.count() > MAX_TOP_N) {
            return limit(sort(input, node.outputTypes(), node.keys()), 0, node.count());
        }
        OperatorFactory best =
                context -> new TopNOperator(node.outputTypes(), node.keys(), (int) node.count(), context);
        Pipeline cut = input.then(best);
        return gather(cut, 1).map(one -> one.then(best)).orElse(cut);
    }

    private Pipeline limit(Pipeline input, long offset, long count) {
        LimitOperator.Budget budget = new LimitOperator.Budget(offset, count);
        return input.then(context -> new LimitOperator(budget));
    }

    /** The inputs of a union under a limit are read in their order, so that the first ones may suffice. */
    private Pipeline limited(PlanNode input, BitSet used) {
        if (!(input instanceof PlanNode.UnionAll union)) {
            return visit(input, used);
        }
        List<LocalExchange> branches = new ArrayList<>();
        for (PlanNode branch : union.inputs()) {
            LocalExchange exchange = LocalExchange.roundRobin(1);
            intoExchange(visit(branch), exchange);
            branches.add(exchange);
        }
        return new Pipeline(
                1,
                _ -> new SequentialSourceOperator(
                        branches.stream().map(branch -> branch.source(0)).toList()));
    }

    private Pipeline window(PlanNode.Window node) {
        Pipeline input = visit(node.input());
        Pipeline grouped = node.partitionColumns().isEmpty()
                ? gather(input, 1).orElse(input)
                : byHash(input, node.partitionColumns(), input.drivers());
        WindowFunctions functions = new WindowFunctions(environment.functions());
        return grouped.then(context -> new WindowOperator(
                node, node.calls().stream().map(functions::of).toList(), context));
    }

    private Pipeline unionAll(PlanNode.UnionAll node) {
        LocalExchange exchange = LocalExchange.roundRobin(environment.drivers());
        node.inputs().forEach(input -> intoExchange(visit(input), exchange));
        return fromExchange(exchange, environment.drivers());
    }

    private Pipeline tableWrite(PlanNode.TableWrite node) {
        Pipeline input = visit(node.input());
        // Rows with identifiers are numbered by the writer, of which a table has 4,096: one for each task.
        boolean isNumbered = node.rowIds().isPresent() && !node.bucketed();
        return (isNumbered ? gather(input, 1).orElse(input) : input)
                .then(context -> new TableWriteOperator(
                        node,
                        new TableWriteOperator.Target(
                                environment.sinks(),
                                fileName(),
                                environment.task(),
                                settings.maxPartitionsPerDriver(),
                                settings.defaultPartition()),
                        environment.functions(),
                        context));
    }

    /** One process gets all rows of the task, in the order of its input. */
    private Pipeline transform(PlanNode.Transform node) {
        ScriptContext place = new ScriptContext(
                "task " + environment.task() + " of query "
                        + environment.query().value(),
                environment.settings(),
                environment.zone(),
                System.getenv(),
                environment.files(),
                ScriptContext.PAUSE);
        Pipeline input = visit(node.input());
        return gather(input, 1).orElse(input).then(context -> new ScriptOperator(node, place, context));
    }

    /**
     * Returns a number that identifies task and driver, then the task's attempt and the query's id. No two attempts
     * write the same file.
     */
    private String fileName() {
        int number = environment.task() * 100 + writers.getAndIncrement();
        return String.format(Locale.ROOT, "%06d_%d-%s", number, environment.attempt(), environment.query());
    }

    /** Moves all rows to the given number of drivers. Empty if the input already has that number. */
    Optional<Pipeline> gather(Pipeline input, int drivers) {
        if (input.drivers() == drivers) {
            return Optional.empty();
        }
        LocalExchange exchange = LocalExchange.roundRobin(drivers);
        intoExchange(input, exchange);
        return Optional.of(fromExchange(exchange, drivers));
    }

    /** Moves rows with the same values in some columns to the same driver. */
    Pipeline byHash(Pipeline input, List<Integer> columns, int drivers) {
        if (input.drivers() == 1) {
            return input;
        }
        LocalExchange exchange = LocalExchange.hash(drivers, columns);
        intoExchange(input, exchange);
        return fromExchange(exchange, drivers);
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
        Closeables.closeAll(shared);
    }
}
