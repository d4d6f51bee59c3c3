package io.skep.common.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TestUninterruptibly {
    @Test
    void interruptedThreadWaitsToTheEnd() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Thread waitedFor = Thread.ofPlatform().start(() -> {
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            ended.set(true);
        });
        CompletableFuture<Boolean> endedBeforeReturn = new CompletableFuture<>();
        CompletableFuture<Boolean> interruptedAfterwards = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            Uninterruptibly.join(waitedFor);
            endedBeforeReturn.complete(ended.get());
            interruptedAfterwards.complete(Thread.currentThread().isInterrupted());
        });
        while (waiting.isAlive() && waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        assertThat(endedBeforeReturn.get()).isTrue();
        assertThat(interruptedAfterwards.get()).isTrue();
    }

    @Test
    void failureIsThrown() {
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("no"));
        assertThatThrownBy(() -> Uninterruptibly.get(failed))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("no");
    }

    @Test
    void threadThatWasNeverStartedIsNotWaitedFor() {
        Uninterruptibly.join(Thread.ofPlatform().unstarted(() -> {}));
    }
}
