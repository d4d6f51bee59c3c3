package io.skep.llap.server.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.Polling;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class TestIoPool {
    @Test
    void whatIsWaitedForGoesBeforeWhatIsAhead() {
        try (IoPool pool = new IoPool("test", 1, 100)) {
            CountDownLatch gate = new CountDownLatch(1);
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            List<CompletableFuture<Boolean>> reads = new ArrayList<>();
            reads.add(pool.demand(() -> await(gate)));
            for (int i = 0; i < 3; i++) {
                reads.add(pool.ahead(() -> order.add("ahead")));
            }
            for (int i = 0; i < 2; i++) {
                reads.add(pool.demand(() -> order.add("demand")));
            }
            gate.countDown();
            reads.forEach(CompletableFuture::join);
            assertThat(order).containsExactly("demand", "demand", "ahead", "ahead", "ahead");
            pool.whenIdle().join();
            assertThat(pool.pending()).isZero();
        }
    }

    /** A waiting thread holds no reference to its last read, which may be a large row group. */
    @Test
    void whatWasReadIsNotHeld() {
        try (IoPool pool = new IoPool("test", 1, 100)) {
            WeakReference<byte[]> rows =
                    new WeakReference<>(pool.demand(() -> new byte[10_000_000]).join());
            pool.whenIdle().join();
            Polling.await("the rows are collected").until(() -> {
                System.gc();
                return rows.get() == null;
            });
        }
    }

    private static boolean await(CountDownLatch gate) {
        try {
            gate.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void readingAheadHasABudget() {
        try (IoPool pool = new IoPool("test", 1, 100)) {
            assertThat(pool.tryReserveAhead(60)).isTrue();
            assertThat(pool.tryReserveAhead(60)).isFalse();
            pool.releaseAhead(60);
            assertThat(pool.tryReserveAhead(100)).isTrue();
            assertThat(pool.aheadBytes()).isEqualTo(100);
        }
    }

    @Test
    void failuresReachWhoeverWaits() {
        try (IoPool pool = new IoPool("test", 1, 100)) {
            CompletableFuture<String> failed = pool.demand(() -> {
                throw new IllegalStateException("disk");
            });
            assertThatThrownBy(failed::join)
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseMessage("disk");
            assertThat(pool.demand(() -> "next").join()).isEqualTo("next");
        }
    }

    @Test
    void closingFailsReadsThatWait() {
        IoPool pool = new IoPool("test", 1, 100);
        pool.close();
        assertThatThrownBy(() -> pool.demand(() -> "late").join()).hasCauseInstanceOf(IllegalStateException.class);
    }
}
