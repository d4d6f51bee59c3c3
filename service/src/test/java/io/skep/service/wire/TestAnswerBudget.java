package io.skep.service.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TestAnswerBudget {
    private static final int MB = 1 << 20;

    private final AnswerBudget budget = new AnswerBudget(12 * MB, Duration.ofMinutes(1));

    @Test
    void smallPagesTakeNothing() {
        AnswerAccount account = new AnswerAccount(budget);
        account.charge(64 << 10);
        assertThat(budget.reserved()).isZero();
        account.charge(MB);
        assertThat(budget.reserved()).isEqualTo(3 * MB);
        account.clear();
        account.clear();
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aPageWaitsForTheOthers() throws Exception {
        AnswerAccount first = new AnswerAccount(budget);
        first.charge(3 * MB);
        CompletableFuture<Void> second = CompletableFuture.runAsync(
                () -> new AnswerAccount(budget).charge(3 * MB),
                task -> Thread.ofPlatform().start(task));
        Polling.await("the second page waits").until(budget::isWanted);
        assertThat(first.blocksOthers(System.nanoTime(), Duration.ofMinutes(1))).isFalse();
        assertThat(first.blocksOthers(System.nanoTime() + Duration.ofMinutes(2).toNanos(), Duration.ofMinutes(1)))
                .isTrue();
        assertThat(second).isNotDone();
        first.clear();
        second.get();
        assertThat(budget.reserved()).isEqualTo(9 * MB);
        assertThat(budget.isWanted()).isFalse();
    }

    @Test
    void aPageThatIsLargerThanTheBudgetGoesAlone() {
        AnswerAccount account = new AnswerAccount(budget);
        account.charge(100L * MB);
        assertThat(budget.reserved()).isEqualTo(300L * MB);
        account.clear();
    }

    @Test
    void aPageThatWaitsTooLongIsRefused() {
        AnswerBudget impatient = new AnswerBudget(12 * MB, Duration.ofMillis(20));
        impatient.reserve(10 * MB);
        assertThatThrownBy(() -> impatient.reserve(3 * MB))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED))
                .hasMessageContaining("3145728 bytes");
        assertThat(impatient.isWanted()).isFalse();
        impatient.reserve(2 * MB);
    }
}
