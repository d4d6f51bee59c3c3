package io.skep.llap.client.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.wire.DaemonFrame;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests how the calls to a daemon complete. */
class TestPendingCalls {
    private final SkepException lost = new SkepException(StandardErrorCode.DAEMON_LOST, "gone");
    private final SkepException broken = new SkepException(StandardErrorCode.INTERNAL_ERROR, "broken");

    private final PendingCalls calls = new PendingCalls();
    private final CompletableFuture<TaskStats> task = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> other = new CompletableFuture<>();

    @Test
    void eachCallHasItsOwnNumber() {
        assertThat(calls.task(task))
                .isNotEqualTo(calls.other(other))
                .isNotEqualTo(calls.task(new CompletableFuture<>()));
    }

    @Test
    void anAnswerCompletesItsCallOnly() {
        long number = calls.task(task);
        CompletableFuture<TaskStats> second = new CompletableFuture<>();
        calls.task(second);
        calls.answer(new DaemonFrame.Finished(number, TaskStats.NONE));
        assertThat(task.join()).isEqualTo(TaskStats.NONE);
        assertThat(second).isNotDone();
    }

    @Test
    void aFailureCompletesATask() {
        calls.answer(new DaemonFrame.Failed(calls.task(task), broken));
        assertThatThrownBy(task::join).hasCause(broken);
    }

    @Test
    void otherCallsAreDone() {
        calls.answer(new DaemonFrame.Done(calls.other(other)));
        assertThat(other).isCompleted();
    }

    @Test
    void anAnswerThatComesTwiceOrToNobodyChangesNothing() {
        long number = calls.task(task);
        calls.answer(new DaemonFrame.Finished(number, TaskStats.NONE));
        calls.answer(new DaemonFrame.Failed(number, broken));
        calls.answer(new DaemonFrame.Done(77));
        calls.answer(new DaemonFrame.Failed(78, broken));
        assertThat(task.join()).isEqualTo(TaskStats.NONE);
    }

    @Test
    void framesThatAreNoAnswersCompleteNothing() {
        calls.task(task);
        calls.other(other);
        calls.answer(new DaemonFrame.Leaving());
        calls.answer(new DaemonFrame.Want("hash"));
        assertThat(task).isNotDone();
        assertThat(other).isNotDone();
    }

    /** A cancellation is complete when the daemon is gone. */
    @Test
    void theEndFailsTasksAndCompletesOthers() {
        calls.task(task);
        calls.other(other);
        calls.end(lost);
        assertThatThrownBy(task::join).hasCause(lost);
        assertThat(other.join()).isNull();
    }

    @Test
    void callsAfterTheEndCompleteAtOnce() {
        calls.end(lost);
        calls.task(task);
        calls.other(other);
        assertThatThrownBy(task::join).hasCause(lost);
        assertThat(other).isCompleted();
    }
}
