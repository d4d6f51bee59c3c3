package io.skep.tez;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PlanImage;
import io.skep.llap.client.TaskFigures;
import io.skep.llap.client.TaskSubmission;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A daemon that tells what is submitted to it. */
record RecordingDaemon(DaemonConnection daemon, Consumer<TaskSubmission> submissions) implements DaemonConnection {
    @Override
    public DaemonIdentity identity() {
        return daemon.identity();
    }

    @Override
    public void register(QueryId query, PlanImage plan) {
        daemon.register(query, plan);
    }

    @Override
    public CompletableFuture<TaskFigures> submit(TaskSubmission submission) {
        submissions.accept(submission);
        return daemon.submit(submission);
    }

    @Override
    public List<CompletableFuture<TaskFigures>> start(QueryId query, PlanImage plan, List<TaskSubmission> tasks) {
        tasks.forEach(submissions);
        return daemon.start(query, plan, tasks);
    }

    @Override
    public PageStream open(QueryId query, OutputId output, int partition) {
        return daemon.open(query, output, partition);
    }

    @Override
    public CompletableFuture<@Nullable Void> cancel(QueryId query, OutputId attempt, String reason) {
        return daemon.cancel(query, attempt, reason);
    }

    @Override
    public CompletableFuture<@Nullable Void> end(QueryId query, String reason) {
        return daemon.end(query, reason);
    }
}
