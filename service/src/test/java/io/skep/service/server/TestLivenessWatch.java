package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** When a process that does not answer is ended, and when it is not. */
final class TestLivenessWatch {
    private static final LivenessConfig FAST = new LivenessConfig(Duration.ofMillis(5), Duration.ofMillis(200));
    private static final long PATIENCE_SECONDS = 60;

    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void aProcessThatDoesNotAnswerIsEnded() throws Exception {
        try (LivenessWatch watch = new LivenessWatch(FAST, never::await, () -> 0, end::complete)) {
            watch.start();
            assertThat(end.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("no answer", "no progress");
            assertThat(watch.answers()).isZero();
        }
    }

    @Test
    void answersAndErrorsKeepItAlive() {
        AtomicLong asked = new AtomicLong();
        try (LivenessWatch watch = new LivenessWatch(
                FAST,
                () -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("an answer");
                },
                () -> 0,
                end::complete)) {
            watch.start();
            awaitThat(watch, 100);
            assertThat(asked.get()).isGreaterThanOrEqualTo(100);
            assertThat(end).isNotDone();
        }
    }

    private static void awaitThat(LivenessWatch watch, long answers) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (watch.answers() < answers && System.nanoTime() < deadline) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(watch.answers()).isGreaterThanOrEqualTo(answers);
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
                end::complete)) {
            watch.start();
            assertThat(manyLooks.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(end).isNotDone();
        }
    }

    @Test
    void aTimeoutOfZeroTurnsItOff() {
        LivenessConfig off = new LivenessConfig(Duration.ofMillis(5), Duration.ZERO);
        try (LivenessWatch watch = new LivenessWatch(off, never::await, () -> 0, end::complete)) {
            watch.start();
            assertThat(watch.answers()).isZero();
            assertThat(off.isEnabled()).isFalse();
        }
        assertThat(end).isNotDone();
    }
}
