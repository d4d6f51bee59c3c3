package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.RetryPolicy.Decision;
import io.skep.ql.execution.RetryPolicy.Effect;
import io.skep.ql.execution.RetryPolicy.Failure;
import io.skep.ql.execution.RetryPolicy.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestRetryPolicy {
    private static Decision decide(StandardErrorCode code, int failures, Scheduler scheduler, boolean mayUseTez) {
        return RetryPolicy.decide(new Failure(code, failures, scheduler, true, mayUseTez, Effect.NONE));
    }

    private static Decision notStarted(StandardErrorCode code, int failures, Scheduler scheduler, boolean mayUseTez) {
        return RetryPolicy.decide(new Failure(code, failures, scheduler, false, mayUseTez, Effect.STAGED));
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
        assertThat(notStarted(StandardErrorCode.DAEMON_LOST, 1, Scheduler.DIRECT, true))
                .isEqualTo(Decision.THROUGH_TEZ);
        assertThat(notStarted(StandardErrorCode.DAEMON_LOST, 1, Scheduler.DIRECT, false))
                .isEqualTo(Decision.FAIL);
    }

    @Test
    void aMasterThatDidNotTakeTheQueryIsReplacedTenTimes() {
        assertThat(notStarted(StandardErrorCode.TEZ_MASTER_LOST, 9, Scheduler.TEZ, false))
                .isEqualTo(Decision.RUN_AGAIN);
        assertThat(notStarted(StandardErrorCode.TEZ_MASTER_LOST, 10, Scheduler.TEZ, false))
                .isEqualTo(Decision.FAIL);
        assertThat(decide(StandardErrorCode.TEZ_MASTER_LOST, 3, Scheduler.TEZ, false))
                .isEqualTo(Decision.FAIL);
    }

    @Test
    void changedTablesAreReadAgainFiveTimes() {
        assertThat(decide(StandardErrorCode.TABLE_CHANGED, 4, Scheduler.DIRECT, false))
                .isEqualTo(Decision.LIST_AGAIN);
        assertThat(decide(StandardErrorCode.TABLE_CHANGED, 5, Scheduler.DIRECT, false))
                .isEqualTo(Decision.FAIL);
        assertThat(notStarted(StandardErrorCode.TABLE_CHANGED, 1, Scheduler.DIRECT, false))
                .as("a definition that has changed stays so")
                .isEqualTo(Decision.FAIL);
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
    void whatHasBeenSeenIsNotDoneTwice() {
        for (StandardErrorCode code : StandardErrorCode.values()) {
            for (Scheduler scheduler : Scheduler.values()) {
                for (boolean started : List.of(true, false)) {
                    assertThat(RetryPolicy.decide(new Failure(code, 1, scheduler, started, true, Effect.VISIBLE)))
                            .isEqualTo(Decision.FAIL);
                }
            }
        }
    }

    /** The names of staged files contain the attempt, and only the files of the last attempt are committed. */
    @Test
    void whatIsStagedMayBeWrittenAgain() {
        for (StandardErrorCode code : StandardErrorCode.values()) {
            assertThat(RetryPolicy.decide(new Failure(code, 1, Scheduler.DIRECT, true, true, Effect.STAGED)))
                    .isEqualTo(RetryPolicy.decide(new Failure(code, 1, Scheduler.DIRECT, true, true, Effect.NONE)));
        }
    }

    @Test
    void thePageHasTheTable() throws IOException {
        assertThat(Files.readString(Path.of("../docs/retries.md"))).contains(RetryPolicy.table());
    }
}
