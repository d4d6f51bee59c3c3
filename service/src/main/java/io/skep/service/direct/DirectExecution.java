package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.PlacementStats;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.Failures;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run of the direct scheduler. The first failure of any task stops all tasks. */
final class DirectExecution implements StageGraphExecution {
    private final StageGraphRun run;
    private final TaskLayout layout;
    private final DirectCluster cluster;
    private final EncodedPlan plan;
    private final QueryTaskStats tally;
    private final List<Integer> used;
    private final Map<Integer, List<PlanNode.Scan>> scans = new HashMap<>();
    private final AtomicReference<@Nullable SkepException> failure = new AtomicReference<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile boolean sent;
    private @Nullable PageStream result;

    DirectExecution(
            StageGraphRun run, TaskLayout layout, DirectCluster cluster, EncodedPlan plan, PlacementStats placement) {
        this.run = run;
        this.layout = layout;
        this.cluster = cluster;
        this.plan = plan;
        this.tally = new QueryTaskStats(placement);
        this.used = layout.fragments().values().stream()
                .flatMap(List::stream)
                .map(TaskLayout.TaskPlace::daemon)
                .distinct()
                .toList();
        run.graph().fragments().forEach(fragment -> scans.put(fragment.id(), TaskLayout.scans(fragment.root())));
    }

    void start() {
        try {
            int root = run.graph().root().id();
            result = cluster.daemon(layout.tasks(root).getFirst().daemon())
                    .open(run.queryId(), new TaskAttemptId(root, 0, 0), 0);
            Map<Integer, List<TaskSubmission>> messages = new LinkedHashMap<>();
            used.forEach(daemon -> messages.put(daemon, new ArrayList<>()));
            run.graph().fragments().forEach(fragment -> prepare(fragment, messages));
            messages.forEach((daemon, tasks) -> {
                // When a message has already failed, the query is not started on the remaining daemons.
                if (failure.get() == null) {
                    send(daemon, tasks);
                }
            });
        } catch (SkepException e) {
            cancel(e);
        }
    }

    private void prepare(Fragment fragment, Map<Integer, List<TaskSubmission>> messages) {
        List<TaskLayout.TaskPlace> tasks = layout.tasks(fragment.id());
        int partitions = layout.outputPartitions(run.graph(), fragment.id());
        Map<Integer, List<OutputLocation>> inputs = inputs(fragment);
        tally.expect(fragment.id(), tasks.size());
        for (int task = 0; task < tasks.size(); task++) {
            TaskLayout.TaskPlace place = tasks.get(task);
            messages.computeIfAbsent(place.daemon(), ignored -> new ArrayList<>())
                    .add(new TaskSubmission(
                            run.queryId(),
                            plan.name(),
                            fragment.id(),
                            task,
                            0,
                            partitions,
                            splits(place),
                            inputs,
                            PartitionRange.of(task),
                            Set.of(),
                            List.of(),
                            false,
                            place.drivers(),
                            run.settings()));
        }
    }

    private void send(int daemon, List<TaskSubmission> tasks) {
        sent = true;
        List<CompletableFuture<TaskStats>> results = cluster.daemon(daemon).start(run.queryId(), plan, tasks);
        for (int i = 0; i < tasks.size(); i++) {
            follow(cluster.work().get(daemon), tasks.get(i), results.get(i));
        }
    }

    private void follow(OutstandingWork work, TaskSubmission task, CompletableFuture<TaskStats> result) {
        int fragment = task.fragment();
        List<PlanNode.Scan> read = scans.getOrDefault(fragment, List.of());
        long nanos = cluster.nanos(read, layout.tasks(fragment).get(task.task()));
        long start = cluster.now();
        long expected = work.nanos() / work.daemon().executors() + nanos / task.drivers();
        work.begin(nanos, task.drivers());
        var _ = result.whenComplete((stats, error) -> {
            work.end(nanos, task.drivers());
            if (error == null) {
                if (task.inputs().isEmpty()) {
                    work.recordDuration(expected + cluster.nanosOfFiles(stats) / task.drivers(), cluster.now() - start);
                }
                if (read.size() == 1) {
                    cluster.recordFinishedTask(read.getFirst(), stats);
                }
                tally.finished(fragment, stats);
            } else {
                tally.failed(fragment);
                cancel(Failures.asSkepException(error));
            }
        });
    }

    private static Map<Integer, List<LazyEncoded>> splits(TaskLayout.TaskPlace place) {
        Map<Integer, List<LazyEncoded>> parcels = new HashMap<>();
        place.splits().forEach((scan, splits) -> {
            List<LazyEncoded> sent = new ArrayList<>(splits.size());
            for (Split split : splits) {
                sent.add(LazyEncoded.of(split, () -> PlanCodec.encodeSplit(split)));
            }
            parcels.put(scan, sent);
        });
        return parcels;
    }

    private Map<Integer, List<OutputLocation>> inputs(Fragment fragment) {
        Map<Integer, List<OutputLocation>> inputs = new HashMap<>();
        for (int producer : TaskLayout.producers(fragment.root())) {
            List<OutputLocation> locations = new ArrayList<>();
            List<TaskLayout.TaskPlace> tasks = layout.tasks(producer);
            for (int task = 0; task < tasks.size(); task++) {
                locations.add(new OutputLocation(
                        cluster.daemon(tasks.get(task).daemon()).identity(), new TaskAttemptId(producer, task, 0)));
            }
            inputs.put(producer, locations);
        }
        return inputs;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        PageStream stream = result;
        SkepException known = failure.get();
        if (stream == null || known != null) {
            return CompletableFuture.failedFuture(known != null ? known : closed());
        }
        return stream.next().exceptionally(error -> {
            SkepException last = Failures.asSkepException(error);
            cancel(last);
            SkepException first = failure.get();
            throw first != null ? first : last;
        });
    }

    @Override
    public void cancel(SkepException reason) {
        failure.compareAndSet(null, reason);
        end(String.valueOf(reason.getMessage()));
    }

    private void end(String reason) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        CompletableFuture<?>[] ends = used.stream()
                .map(daemon -> cluster.daemon(daemon).finishQuery(run.queryId(), reason))
                .toArray(CompletableFuture<?>[]::new);
        var _ = CompletableFuture.allOf(ends).whenComplete((value, error) -> ended.complete(null));
    }

    @Override
    public boolean mayHaveStarted() {
        return sent;
    }

    @Override
    public ExecutionStats stats() {
        return tally.stats("direct", run.graph());
    }

    @Override
    public void close() {
        failure.compareAndSet(null, closed());
        end("the query was closed");
        ended.join();
    }

    private static SkepException closed() {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was closed");
    }
}
