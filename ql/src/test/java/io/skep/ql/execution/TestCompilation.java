package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Tests compilations on the calling thread. Other threads can cancel them, and a cancellation leaves no trace in the
 * thread's later work.
 */
final class TestCompilation {
    private final SkepException cancelled =
            new SkepException(StandardErrorCode.OPERATION_CANCELED, "its client has gone");

    private final List<String> discarded = new ArrayList<>();

    @Test
    void isInterruptedByItsCancellation() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        Compilation<String> compilation = Compilation.onCallingThread(
                () -> {
                    begun.complete(true);
                    never.await();
                    return "made";
                },
                discarded::add);
        Thread client = Thread.ofVirtual().start(() -> {
            begun.join();
            compilation.cancel(cancelled);
        });
        compilation.run();
        client.join();
        assertThat(compilation.result()).isCompletedExceptionally();
        assertThat(compilation.result().exceptionNow()).isSameAs(cancelled);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(discarded).isEmpty();
    }

    @Test
    void discardsWhatNobodyWaitsForAnyMore() {
        List<Compilation<String>> own = new ArrayList<>();
        own.add(Compilation.onCallingThread(
                () -> {
                    own.getFirst().cancel(cancelled);
                    return "made";
                },
                discarded::add));
        own.getFirst().run();
        assertThat(own.getFirst().result().exceptionNow()).isSameAs(cancelled);
        assertThat(discarded).containsExactly("made");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void leavesInterruptsOfOthersToItsThread() {
        Compilation<String> compilation = Compilation.onCallingThread(
                () -> {
                    Thread.currentThread().interrupt();
                    return "made";
                },
                discarded::add);
        compilation.run();
        assertThat(compilation.result()).isCompletedWithValue("made");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void doesNothingThatWasCancelledBefore() {
        Compilation<String> compilation = Compilation.onCallingThread(
                () -> {
                    discarded.add("begun");
                    return "made";
                },
                discarded::add);
        compilation.cancel(cancelled);
        compilation.run();
        assertThat(compilation.result().exceptionNow()).isSameAs(cancelled);
        assertThat(discarded).isEmpty();
    }
}
