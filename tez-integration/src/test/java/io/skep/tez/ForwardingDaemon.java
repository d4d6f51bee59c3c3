package io.skep.tez;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Forwards all calls to a daemon, and remembers the tasks. */
class ForwardingDaemon implements DaemonConnection {
    private final DaemonConnection daemon;
    private final List<TaskSubmission> submissions = new CopyOnWriteArrayList<>();

    ForwardingDaemon(DaemonConnection daemon) {
        this.daemon = daemon;
    }

    /** Returns the submitted tasks. */
    final List<TaskSubmission> submissions() {
        return submissions;
    }

    /** Returns the submitted attempts as fragment, task, attempt. */
    final List<String> attempts() {
        return submissions.stream()
                .map(task -> task.fragment() + "-" + task.task() + "-" + task.attempt())
                .toList();
    }

    @Override
    public final DaemonIdentity identity() {
        return daemon.identity();
    }

    @Override
    public final void register(QueryId query, EncodedPlan plan) {
        daemon.register(query, plan);
    }

    @Override
    public final CompletableFuture<TaskStats> submit(TaskSubmission submission) {
        submissions.add(submission);
        return run(submission);
    }

    /** Runs a task in the daemon. */
    CompletableFuture<TaskStats> run(TaskSubmission submission) {
        return daemon.submit(submission);
    }

    @Override
    public PageStream open(QueryId query, TaskAttemptId output, int partition) {
        return daemon.open(query, output, partition);
    }

    @Override
    public final CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
        return daemon.cancel(query, attempt, reason);
    }

    @Override
    public final CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
        return daemon.finishQuery(query, reason);
    }
}
