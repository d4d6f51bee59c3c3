package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A daemon whose disk fails when it is told to. */
final class FlakyDaemon implements DaemonConnection {
    private final DaemonConnection daemon;
    private final AtomicInteger failing = new AtomicInteger(-1);
    private final List<String> attempts = new CopyOnWriteArrayList<>();

    FlakyDaemon(DaemonConnection daemon) {
        this.daemon = daemon;
    }

    /** The next task of a fragment fails. */
    void failOnce(int fragment) {
        attempts.clear();
        failing.set(fragment);
    }

    /** What was submitted since: fragment, task, attempt. */
    List<String> attempts() {
        return attempts;
    }

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
        attempts.add(submission.fragment() + "-" + submission.task() + "-" + submission.attempt());
        return failing.compareAndSet(submission.fragment(), -1)
                ? CompletableFuture.failedFuture(
                        new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "the disk has failed"))
                : daemon.submit(submission);
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
