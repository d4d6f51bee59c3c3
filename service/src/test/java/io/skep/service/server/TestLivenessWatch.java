package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.service.server.ProcessorShortage.Reading;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests when a process that does not respond is terminated, and when it is not. */
final class TestLivenessWatch {
    private static final LivenessConfig FAST = new LivenessConfig(Duration.ofMillis(5), Duration.ofMillis(200));
    private static final long PATIENCE_SECONDS = 60;

    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void aProcessThatDoesNotAnswerIsEnded() throws Exception {
        try (LivenessWatch watch = new LivenessWatch(FAST, never::await, () -> 0, () -> false, end::complete)) {
            watch.start();
            assertThat(end.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("no answer", "no progress");
            assertThat(watch.answers()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"METASTORE_ERROR", "MEMORY_LIMIT_EXCEEDED", "QUEUE_FULL"})
    void errorsThatAnotherStartDoesNotCureKeepItAlive(StandardErrorCode code) {
        AtomicLong asked = new AtomicLong();
        try (LivenessWatch watch = new LivenessWatch(
                FAST,
                () -> {
                    asked.incrementAndGet();
                    throw new SkepException(code, "not now");
                },
                () -> 0,
                () -> false,
                end::complete)) {
            watch.start();
            awaitThat(watch, 100);
            assertThat(asked.get()).isGreaterThanOrEqualTo(100);
            assertThat(end).isNotDone();
        }
    }

    @Test
    void otherErrorsAreNoAnswers() throws Exception {
        try (LivenessWatch watch = new LivenessWatch(
                FAST,
                () -> {
                    throw new IllegalStateException("no answer");
                },
                () -> 0,
                () -> false,
                end::complete)) {
            watch.start();
            assertThat(end.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("no answer");
            assertThat(watch.answers()).isZero();
        }
    }

    private static void awaitThat(LivenessWatch watch, long answers) {
        Polling.await("answers").until(() -> watch.answers() >= answers);
    }

    @Test
    void progressOfQueriesKeepsItAliveThoughItDoesNotAnswer() throws Exception {
        AtomicLong looks = new AtomicLong();
        CountDownLatch manyLooks = new CountDownLatch(200);
        try (LivenessWatch watch = new LivenessWatch(
                FAST,
                never::await,
                () -> {
                    manyLooks.countDown();
                    return looks.incrementAndGet();
                },
                () -> false,
                end::complete)) {
            watch.start();
            assertThat(manyLooks.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(end).isNotDone();
        }
    }

    @Test
    void aProcessThatGetsNoProcessorsHasTenTimesAsLong() throws Exception {
        AtomicLong ticks = new AtomicLong();
        try (LivenessWatch watch =
                new LivenessWatch(FAST, never::await, () -> 0, () -> ticks.incrementAndGet() > 0, end::complete)) {
            watch.start();
            end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            // A timeout is 20 ticks. Its first half is counted without a check for a shortage.
            assertThat(ticks.get()).isBetween(90L, 110L);
        }
    }

    @Test
    void threadsThatWaitWhileOthersRunAreAShortage() {
        Reading before = new Reading(0, 0, 0);
        assertThat(ProcessorShortage.isShort(before, new Reading(1000, 100, 4000), 2))
                .as("others run")
                .isTrue();
        assertThat(ProcessorShortage.isShort(before, new Reading(1000, 1900, 4000), 2))
                .as("it runs itself")
                .isFalse();
        assertThat(ProcessorShortage.isShort(before, new Reading(1000, 0, 10), 2))
                .as("it waits for something else")
                .isFalse();
    }

    @Test
    void aTimeoutOfZeroTurnsItOff() {
        LivenessConfig off = new LivenessConfig(Duration.ofMillis(5), Duration.ZERO);
        try (LivenessWatch watch = new LivenessWatch(off, never::await, () -> 0, () -> false, end::complete)) {
            watch.start();
            assertThat(watch.answers()).isZero();
            assertThat(off.isEnabled()).isFalse();
        }
        assertThat(end).isNotDone();
    }
}
