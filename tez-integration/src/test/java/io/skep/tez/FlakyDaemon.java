package io.skep.tez;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A daemon whose disk fails on request. */
final class FlakyDaemon extends ForwardingDaemon {
    private final AtomicInteger failing = new AtomicInteger(-1);

    FlakyDaemon(DaemonConnection daemon) {
        super(daemon);
    }

    /** Makes the next task of a fragment fail and forgets earlier submissions. */
    void failOnce(int fragment) {
        submissions().clear();
        failing.set(fragment);
    }

    @Override
    CompletableFuture<TaskStats> run(TaskSubmission submission) {
        return failing.compareAndSet(submission.fragment(), -1)
                ? CompletableFuture.failedFuture(
                        new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "the disk has failed"))
                : super.run(submission);
    }
}
