package io.skep.service.direct;

import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonLoad;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A real daemon that counts the messages that the server sends to it. */
final class CountedDaemon implements DaemonConnection {
    final AtomicInteger starts = new AtomicInteger();
    final AtomicInteger tasks = new AtomicInteger();
    final AtomicInteger ends = new AtomicInteger();
    final AtomicInteger others = new AtomicInteger();
    private final DaemonConnection daemon;

    CountedDaemon(DaemonConnection daemon) {
        this.daemon = daemon;
    }

    void reset() {
        List.of(starts, tasks, ends, others).forEach(count -> count.set(0));
    }

    @Override
    public DaemonIdentity identity() {
        return daemon.identity();
    }

    @Override
    public DaemonLoad load() {
        return daemon.load();
    }

    @Override
    public List<CompletableFuture<TaskStats>> start(QueryId query, EncodedPlan plan, List<TaskSubmission> submissions) {
        starts.incrementAndGet();
        tasks.addAndGet(submissions.size());
        return daemon.start(query, plan, submissions);
    }

    @Override
    public void register(QueryId query, EncodedPlan plan) {
        others.incrementAndGet();
        daemon.register(query, plan);
    }

    @Override
    public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
        others.incrementAndGet();
        return daemon.submit(submission);
    }

    @Override
    public PageStream open(QueryId query, TaskAttemptId output, int partition) {
        return daemon.open(query, output, partition);
    }

    @Override
    public CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
        others.incrementAndGet();
        return daemon.cancel(query, attempt, reason);
    }

    @Override
    public CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
        ends.incrementAndGet();
        return daemon.finishQuery(query, reason);
    }
}
