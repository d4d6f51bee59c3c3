package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.Parcel;
import io.skep.llap.client.PlanImage;
import io.skep.llap.client.TaskSubmission;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run of the direct scheduler. The first failure of any task ends all of them. */
final class DirectExecution implements StageGraphExecution {
    private final StageGraphRun run;
    private final TaskLayout layout;
    private final List<DaemonConnection> daemons;
    private final PlanImage plan;
    private final TaskTally tally = new TaskTally();
    private final AtomicReference<@Nullable SkepException> failure = new AtomicReference<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private @Nullable PageStream result;

    DirectExecution(StageGraphRun run, TaskLayout layout, List<DaemonConnection> daemons, PlanImage plan) {
        this.run = run;
        this.layout = layout;
        this.daemons = daemons;
        this.plan = plan;
    }

    void start() {
        try {
            daemons.forEach(daemon -> daemon.register(run.queryId(), plan));
            int root = run.graph().root().id();
            result = daemons.get(layout.tasks(root).getFirst().daemon())
                    .open(run.queryId(), new OutputId(root, 0, 0), 0);
            run.graph().fragments().forEach(this::submit);
        } catch (SkepException e) {
            cancel(e);
        }
    }

    private void submit(Fragment fragment) {
        List<TaskLayout.TaskPlace> tasks = layout.tasks(fragment.id());
        int partitions = layout.outputPartitions(run.graph(), fragment.id());
        Map<Integer, List<OutputLocation>> inputs = inputs(fragment);
        tally.expect(fragment.id(), tasks.size());
        for (int task = 0; task < tasks.size(); task++) {
            TaskLayout.TaskPlace place = tasks.get(task);
            TaskSubmission submission = new TaskSubmission(
                    run.queryId(),
                    plan.name(),
                    fragment.id(),
                    task,
                    0,
                    partitions,
                    splits(place),
                    inputs,
                    false,
                    place.drivers(),
                    run.settings());
            var _ = daemons.get(place.daemon()).submit(submission).whenComplete((figures, error) -> {
                if (error == null) {
                    tally.finished(fragment.id(), figures);
                } else {
                    tally.failed(fragment.id());
                    cancel(asSkepException(error));
                }
            });
        }
    }

    private static Map<Integer, List<Parcel>> splits(TaskLayout.TaskPlace place) {
        Map<Integer, List<Parcel>> parcels = new HashMap<>();
        place.splits().forEach((scan, splits) -> {
            List<Parcel> sent = new ArrayList<>(splits.size());
            for (Split split : splits) {
                sent.add(Parcel.of(split, () -> PlanCodec.encodeSplit(split)));
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
                        daemons.get(tasks.get(task).daemon()).identity(), new OutputId(producer, task, 0)));
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
            SkepException first = failure.get();
            throw first != null ? first : asSkepException(error);
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
        CompletableFuture<?>[] ends = daemons.stream()
                .map(daemon -> daemon.end(run.queryId(), reason))
                .toArray(CompletableFuture<?>[]::new);
        var _ = CompletableFuture.allOf(ends).whenComplete((value, error) -> ended.complete(null));
    }

    @Override
    public ExecutionFigures figures() {
        return tally.figures("direct", run.graph());
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

    static SkepException asSkepException(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause instanceof SkepException e
                ? e
                : new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + cause, cause);
    }
}
