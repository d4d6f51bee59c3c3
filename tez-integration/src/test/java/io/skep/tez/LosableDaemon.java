package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A daemon that can be lost to all its clients. It then behaves like a connection whose peer process is gone. */
final class LosableDaemon extends ForwardingDaemon {
    private static final int NEVER = -1;

    private volatile int lostAfter = NEVER;
    private volatile int lostAt = NEVER;
    private volatile boolean lost;

    LosableDaemon(DaemonConnection daemon) {
        super(daemon);
    }

    /** Makes the daemon lost when a task of the fragment has finished on it. */
    void loseAfter(int fragment) {
        lostAfter = fragment;
    }

    /** Makes the daemon lost when a task of the fragment is submitted to it. */
    void loseAt(int fragment) {
        lostAt = fragment;
    }

    private static SkepException loss() {
        return new SkepException(StandardErrorCode.DAEMON_LOST, "the daemon is lost");
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    CompletableFuture<TaskStats> run(TaskSubmission submission) {
        lost |= submission.fragment() == lostAt;
        return lost
                ? CompletableFuture.failedFuture(loss())
                : super.run(submission).thenApply(stats -> {
                    lost |= submission.fragment() == lostAfter;
                    return stats;
                });
    }

    @Override
    public PageStream open(QueryId query, TaskAttemptId output, int partition) {
        PageStream pages = super.open(query, output, partition);
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
}
