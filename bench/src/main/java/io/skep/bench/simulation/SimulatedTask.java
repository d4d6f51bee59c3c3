package io.skep.bench.simulation;

import io.skep.common.error.SkepException;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskSubmission;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A task in a simulated daemon. It waits for its inputs, reads its pieces, and ends exactly once. */
final class SimulatedTask {
    /**
     * The work of one driver without a pause.
     *
     * @param key key of the range that it reads; 0 when it reads none
     */
    record Piece(long key, long bytes) {}

    final TaskSubmission submission;
    final TaskAttemptId output;
    final Queue<Piece> pieces = new ArrayDeque<>();
    private final BiConsumer<SimulatedTask, @Nullable SkepException> onEnd;
    int running;
    boolean over;

    /** @param onEnd receives the reason when the task did not finish */
    SimulatedTask(TaskSubmission submission, BiConsumer<SimulatedTask, @Nullable SkepException> onEnd) {
        this.submission = submission;
        this.output = new TaskAttemptId(submission.fragment(), submission.task(), submission.attempt());
        this.onEnd = onEnd;
    }

    void end(@Nullable SkepException reason) {
        if (!over) {
            over = true;
            onEnd.accept(this, reason);
        }
    }
}
