package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputId;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.PlanImage;
import io.skep.llap.client.TaskFigures;
import io.skep.llap.client.TaskSubmission;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A daemon that is lost to all its clients from a moment on: what a connection says when the process at its other end is gone. */
final class LosableDaemon implements DaemonConnection {
    private static final int NEVER = -1;

    private final DaemonConnection daemon;
    private final List<String> attempts = new CopyOnWriteArrayList<>();
    private volatile int lostAfter = NEVER;
    private volatile int lostAt = NEVER;
    private volatile boolean lost;

    LosableDaemon(DaemonConnection daemon) {
        this.daemon = daemon;
    }

    /** Is lost when a task of the fragment has ended here. */
    void loseAfter(int fragment) {
        lostAfter = fragment;
    }

    /** Is lost when a task of the fragment is submitted here. */
    void loseAt(int fragment) {
        lostAt = fragment;
    }

    /** What was submitted: fragment, task, attempt. */
    List<String> attempts() {
        return attempts;
    }

    private static SkepException loss() {
        return new SkepException(StandardErrorCode.DAEMON_LOST, "the daemon is lost");
    }

    @Override
    public DaemonIdentity identity() {
        return daemon.identity();
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public void register(QueryId query, PlanImage plan) {
        daemon.register(query, plan);
    }

    @Override
    public CompletableFuture<TaskFigures> submit(TaskSubmission submission) {
        attempts.add(submission.fragment() + "-" + submission.task() + "-" + submission.attempt());
        lost |= submission.fragment() == lostAt;
        return lost
                ? CompletableFuture.failedFuture(loss())
                : daemon.submit(submission).thenApply(figures -> {
                    lost |= submission.fragment() == lostAfter;
                    return figures;
                });
    }

    @Override
    public PageStream open(QueryId query, OutputId output, int partition) {
        PageStream pages = daemon.open(query, output, partition);
        return new PageStream() {
            @Override
            public CompletableFuture<Optional<Batch>> next() {
                return lost ? CompletableFuture.failedFuture(loss()) : pages.next();
            }

            @Override
            public void close() {
                pages.close();
            }
        };
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
