package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.server.LlapDaemon;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a real daemon that can break permanently for all calls at once, as it does when the daemon's process
 * dies.
 */
final class MortalDaemon implements DaemonConnection {
    final AtomicInteger starts = new AtomicInteger();
    private final LlapDaemon daemon;
    private final CompletableFuture<@Nullable Void> death = new CompletableFuture<>();
    private volatile AtomicBoolean diedAfterAPage = new AtomicBoolean(true);
    private final AtomicInteger startsToLive = new AtomicInteger(Integer.MAX_VALUE);

    MortalDaemon(LlapDaemon daemon) {
        this.daemon = daemon;
    }

    /** Dies when it gets this number of queries, including the last one. */
    void dieOnStart(int queries) {
        startsToLive.set(starts.get() + queries);
    }

    /** Dies with its first page of rows, unless another daemon has died. */
    void dieAfterAPage(AtomicBoolean died) {
        diedAfterAPage = died;
    }

    private Optional<Batch> given(Optional<Batch> page) {
        if (!diedAfterAPage.getAndSet(true)) {
            die();
        }
        return page;
    }

    void die() {
        death.completeExceptionally(new SkepException(
                StandardErrorCode.DAEMON_LOST,
                "the daemon of slot " + identity().slot() + " was lost"));
    }

    /** Returns the daemon's answer, unless it dies before. */
    private <T extends @Nullable Object> CompletableFuture<T> unlessDead(CompletableFuture<T> answer) {
        CompletableFuture<T> heard = new CompletableFuture<>();
        var _ = death.whenComplete((nothing, loss) -> heard.completeExceptionally(loss));
        var _ = answer.whenComplete((value, error) -> {
            if (error == null) {
                heard.complete(value);
            } else {
                heard.completeExceptionally(error);
            }
        });
        return heard;
    }

    @Override
    public DaemonIdentity identity() {
        return daemon.identity();
    }

    @Override
    public boolean isLost() {
        return death.isDone();
    }

    @Override
    public void register(QueryId query, EncodedPlan plan) {
        if (!isLost()) {
            daemon.register(query, plan);
        }
    }

    @Override
    public List<CompletableFuture<TaskStats>> start(QueryId query, EncodedPlan plan, List<TaskSubmission> tasks) {
        List<CompletableFuture<TaskStats>> answers = DaemonConnection.super.start(query, plan, tasks);
        if (starts.incrementAndGet() >= startsToLive.get()) {
            die();
        }
        return answers;
    }

    @Override
    public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
        return unlessDead(isLost() ? new CompletableFuture<>() : daemon.submit(submission));
    }

    @Override
    public PageStream open(QueryId query, TaskAttemptId output, int partition) {
        PageStream pages = daemon.open(query, output, partition);
        return new PageStream() {
            @Override
            public CompletableFuture<Optional<Batch>> next() {
                return unlessDead(isLost() ? new CompletableFuture<>() : pages.next())
                        .thenApply(MortalDaemon.this::given);
            }

            @Override
            public void close() {
                pages.close();
            }
        };
    }

    @Override
    public CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
        return daemon.cancel(query, attempt, reason);
    }

    /** A dead process releases its resources by itself. Here the daemon must be called to release them. */
    @Override
    public CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
        return daemon.finishQuery(query, reason);
    }
}
