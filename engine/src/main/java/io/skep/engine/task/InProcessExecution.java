package io.skep.engine.task;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.OperatorStats;
import io.skep.common.query.OperatorTimes;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.operator.Failures;
import io.skep.engine.operator.scan.SplitQueue;
import io.skep.engine.plan.Fragment;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.engine.spill.SpillSpace;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.table.Split;
import io.skep.storage.write.PageSinkFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run of {@link InProcessRunner}. */
final class InProcessExecution implements StageGraphExecution {
    private static final long QUANTUM_NANOS = 10_000_000;

    /** A task and its fragment. */
    private record Running(int fragment, Task task) {}

    private final StageGraphRun run;
    private final InProcessRunner.Layout layout;
    private final Executor executor;
    private final MemoryPool memory;
    private final SpillSpace spill;
    private final Map<Integer, List<MemoryOutput>> outputs = new HashMap<>();
    private final List<Running> tasks = new ArrayList<>();
    private final AtomicReference<@Nullable SkepException> failure = new AtomicReference<>();
    private final Phaser steps = new Phaser(1);
    private final PageInput result;
    private volatile boolean ended;

    InProcessExecution(
            StageGraphRun run, InProcessRunner.Layout layout, Executor executor, MemoryPool memory, Path spillFolder) {
        this.run = run;
        this.layout = layout;
        this.executor = executor;
        this.memory = memory;
        this.spill = new SpillSpace(spillFolder, run.queryId(), "in-process", Long.MAX_VALUE);
        for (Fragment fragment : run.graph().fragments()) {
            outputs.put(fragment.id(), outputs(fragment));
        }
        this.result = java.util.Objects.requireNonNull(
                        outputs.get(run.graph().root().id()))
                .getFirst()
                .reader(0);
    }

    private List<MemoryOutput> outputs(Fragment fragment) {
        List<Fragment> consumers = run.graph().fragments().stream()
                .filter(other -> TaskLayout.producers(other.root()).contains(fragment.id()))
                .toList();
        int partitions = consumers.stream().mapToInt(this::taskCount).max().orElse(1);
        int readers = Math.max(1, consumers.stream().mapToInt(this::taskCount).sum());
        List<MemoryOutput> made = new ArrayList<>();
        for (int i = 0; i < taskCount(fragment); i++) {
            made.add(new MemoryOutput(partitions, readers));
        }
        return made;
    }

    private int taskCount(Fragment fragment) {
        return switch (fragment.distribution()) {
            case SINGLE -> 1;
            case SOURCE -> layout.sourceTasks();
            case HASH -> layout.hashTasks();
        };
    }

    void start(PageSourceFactory sources, PageSinkFactory sinks, FunctionRegistry functions) {
        try {
            for (Fragment fragment : run.graph().fragments()) {
                for (int task = 0; task < taskCount(fragment); task++) {
                    Task made = new Task(
                            run.graph(), fragment.id(), environment(fragment, task, sources, sinks, functions));
                    tasks.add(new Running(fragment.id(), made));
                }
            }
        } catch (RuntimeException e) {
            fail(Failures.asSkepException(e));
            return;
        }
        for (Running running : tasks) {
            running.task().drivers().forEach(driver -> submit(running, driver));
        }
    }

    private TaskEnvironment environment(
            Fragment fragment, int task, PageSourceFactory sources, PageSinkFactory sinks, FunctionRegistry functions) {
        Map<Integer, List<PageInput>> inputs = new HashMap<>();
        outputs.forEach((producer, producerOutputs) -> {
            if (TaskLayout.producers(fragment.root()).contains(producer)) {
                inputs.put(
                        producer,
                        producerOutputs.stream()
                                .map(output -> output.reader(task))
                                .toList());
            }
        });
        Map<Integer, SplitQueue> splits = new HashMap<>();
        run.splits().forEach((scan, all) -> splits.put(scan, new SplitQueue(share(all, task, taskCount(fragment)))));
        return new TaskEnvironment(
                run.queryId(),
                task,
                0,
                sources,
                sinks,
                functions,
                inputs,
                java.util.Objects.requireNonNull(outputs.get(fragment.id())).get(task),
                splits,
                memory.child("fragment " + fragment.id() + " task " + task),
                spill,
                run.settings(),
                ZoneId.of(run.settings().getOrDefault("hive.local.time.zone", "UTC")),
                List.of(),
                layout.drivers(),
                () -> ended,
                uri -> Path.of(URI.create(uri)));
    }

    private static List<Split> share(List<Split> splits, int task, int tasks) {
        List<Split> share = new ArrayList<>();
        for (int i = task; i < splits.size(); i += tasks) {
            share.add(splits.get(i));
        }
        return share;
    }

    private void submit(Running running, Driver driver) {
        steps.register();
        try {
            executor.execute(() -> step(running, driver));
        } catch (RuntimeException rejected) {
            steps.arriveAndDeregister();
            fail(Failures.asSkepException(rejected));
        }
    }

    private void step(Running running, Driver driver) {
        try {
            CompletableFuture<?> wait = driver.process(QUANTUM_NANOS);
            if (running.task().finished()) {
                running.task().close();
            } else if (!driver.finished() && !ended) {
                var _ = wait.whenComplete((_, _) -> submit(running, driver));
            }
        } catch (RuntimeException | Error e) {
            fail(Failures.asSkepException(e));
        } finally {
            steps.arriveAndDeregister();
        }
    }

    private void fail(SkepException reason) {
        if (failure.compareAndSet(null, reason)) {
            ended = true;
            outputs.values().forEach(all -> all.forEach(output -> output.fail(reason)));
        }
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return result.next();
    }

    @Override
    public void cancel(SkepException reason) {
        fail(reason);
    }

    @Override
    public ExecutionStats stats() {
        List<ExecutionStats.FragmentStats> fragments = new ArrayList<>();
        ScanStats scan = ScanStats.NONE;
        OperatorTimes times = OperatorTimes.NONE;
        for (Fragment fragment : run.graph().fragments()) {
            int finished = 0;
            long rows = 0;
            List<OperatorStats> operators = List.of();
            List<Running> own = tasks.stream()
                    .filter(task -> task.fragment() == fragment.id())
                    .toList();
            for (Running running : own) {
                TaskStatistics statistics = running.task().statistics();
                finished += running.task().finished() ? 1 : 0;
                rows += statistics.outputRows();
                times = times.plus(statistics.times());
                scan = scan.plus(statistics.scan());
                operators = OperatorStats.sum(operators, statistics.operators());
            }
            int left = own.size() - finished;
            fragments.add(new ExecutionStats.FragmentStats(
                    fragment.id(), own.size(), ended ? 0 : left, finished, ended ? left : 0, rows, operators));
        }
        return new ExecutionStats("in-process", fragments, scan, times, memory.peakBytes(), spill.writtenBytes());
    }

    @Override
    public void close() {
        fail(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was closed"));
        steps.arriveAndAwaitAdvance();
        tasks.forEach(running -> running.task().close());
        result.close();
        spill.close();
        long left = memory.reservedBytes();
        memory.close();
        if (left != 0) {
            throw new IllegalStateException("query " + run.queryId() + " left " + left + " bytes reserved");
        }
    }
}
