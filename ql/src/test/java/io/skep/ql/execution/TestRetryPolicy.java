package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.RetryPolicy.Decision;
import io.skep.ql.execution.RetryPolicy.Failure;
import io.skep.ql.execution.RetryPolicy.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class TestRetryPolicy {
    private static Decision decide(StandardErrorCode code, int attempt, Scheduler scheduler, boolean mayUseTez) {
        return RetryPolicy.decide(new Failure(code, attempt, scheduler, true, mayUseTez, false, false));
    }

    @Test
    void lostDaemonsMeanAnotherRunAndThenTez() {
        assertThat(decide(StandardErrorCode.DAEMON_LOST, 1, Scheduler.DIRECT, true))
                .isEqualTo(Decision.RUN_AGAIN);
        assertThat(decide(StandardErrorCode.DAEMON_LOST, 2, Scheduler.DIRECT, true))
                .isEqualTo(Decision.RUN_AGAIN);
        assertThat(decide(StandardErrorCode.DAEMON_LOST, 3, Scheduler.DIRECT, true))
                .isEqualTo(Decision.THROUGH_TEZ);
        assertThat(decide(StandardErrorCode.DAEMON_LOST, 3, Scheduler.DIRECT, false))
                .isEqualTo(Decision.FAIL);
        assertThat(decide(StandardErrorCode.DAEMON_LOST, 2, Scheduler.TEZ, true))
                .isEqualTo(Decision.RUN_AGAIN);
        assertThat(decide(StandardErrorCode.DAEMON_LOST, 3, Scheduler.TEZ, true))
                .isEqualTo(Decision.FAIL);
    }

    @Test
    void whatWasNotStartedIsNotRunAgainInTheSameWay() {
        Failure none = new Failure(StandardErrorCode.DAEMON_LOST, 1, Scheduler.DIRECT, false, true, false, false);
        assertThat(RetryPolicy.decide(none)).isEqualTo(Decision.THROUGH_TEZ);
    }

    @Test
    void wantOfResourcesMeansTezAndNothingAfterIt() {
        assertThat(decide(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, 1, Scheduler.DIRECT, true))
                .isEqualTo(Decision.THROUGH_TEZ);
        assertThat(decide(StandardErrorCode.QUEUE_FULL, 1, Scheduler.DIRECT, false))
                .isEqualTo(Decision.FAIL);
        assertThat(decide(StandardErrorCode.MEMORY_LIMIT_EXCEEDED, 1, Scheduler.TEZ, true))
                .isEqualTo(Decision.FAIL);
    }

    @Test
    void filesAreListedAgainTenTimes() {
        assertThat(decide(StandardErrorCode.MISSING_FILE, 9, Scheduler.TEZ, true))
                .isEqualTo(Decision.LIST_AGAIN);
        assertThat(decide(StandardErrorCode.MISSING_FILE, 10, Scheduler.DIRECT, true))
                .isEqualTo(Decision.FAIL);
    }

    @Test
    void nothingIsDoneTwiceThatIsSeen() {
        for (StandardErrorCode code : StandardErrorCode.values()) {
            for (Scheduler scheduler : Scheduler.values()) {
                assertThat(RetryPolicy.decide(new Failure(code, 1, scheduler, true, true, true, false)))
                        .isEqualTo(Decision.FAIL);
                assertThat(RetryPolicy.decide(new Failure(code, 1, scheduler, true, true, false, true)))
                        .isEqualTo(Decision.FAIL);
            }
        }
    }

    @Test
    void thePageHasTheTable() throws IOException {
        assertThat(Files.readString(Path.of("../docs/retries.md"))).contains(RetryPolicy.table());
    }
}
