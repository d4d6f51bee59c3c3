package io.skep.llap.server.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class TestExecutorPool {
    private static final CompletableFuture<?> AGAIN = CompletableFuture.completedFuture(null);

    @Test
    void aStepRunsUntilItHasNothingMoreToDo() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(5);
        try (ExecutorPool pool = new ExecutorPool("test", 2, 1_000_000)) {
            pool.submit(new QueryShare(), quantum -> {
                runs.countDown();
                return runs.getCount() == 0 ? null : AGAIN;
            });
            assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aParkedStepHoldsNoThread() throws InterruptedException {
        CompletableFuture<String> wait = new CompletableFuture<>();
        CountDownLatch parked = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        try (ExecutorPool pool = new ExecutorPool("test", 1, 1_000_000)) {
            pool.submit(new QueryShare(), quantum -> {
                if (runs.incrementAndGet() == 1) {
                    parked.countDown();
                    return wait;
                }
                resumed.countDown();
                return null;
            });
            assertThat(parked.await(10, TimeUnit.SECONDS)).isTrue();
            CountDownLatch other = new CountDownLatch(1);
            pool.submit(new QueryShare(), quantum -> {
                other.countDown();
                return null;
            });
            assertThat(other.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(runs.get()).isEqualTo(1);
            wait.complete("rows");
            assertThat(resumed.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void youngQueriesGoFirstAndOldOnesDoNotStarve() {
        StepQueue queue = new StepQueue();
        QueryShare old = new QueryShare();
        old.add(20_000_000_000L);
        QueryShare young = new QueryShare();
        Step step = quantum -> AGAIN;
        List<QueryShare> order = Collections.synchronizedList(new ArrayList<>());
        queue.add(new StepQueue.Waiting(old, step));
        queue.add(new StepQueue.Waiting(young, step));
        for (int i = 0; i < 90; i++) {
            StepQueue.Waiting next = queue.take();
            assertThat(next).isNotNull();
            if (next != null) {
                order.add(next.query());
                queue.ran(next, StepQueue.level(next.query().consumedNanos()), 10_000, true);
            }
        }
        assertThat(order.getFirst()).isSameAs(young);
        assertThat(Collections.frequency(order, old)).isBetween(5, 20);
    }

    @Test
    void queriesOfOneAgeTakeTurns() {
        StepQueue queue = new StepQueue();
        QueryShare first = new QueryShare();
        QueryShare second = new QueryShare();
        queue.add(new StepQueue.Waiting(first, quantum -> AGAIN));
        queue.add(new StepQueue.Waiting(second, quantum -> AGAIN));
        List<QueryShare> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            StepQueue.Waiting next = queue.take();
            if (next != null) {
                order.add(next.query());
                queue.add(next);
            }
        }
        assertThat(order).containsExactly(first, second, first, second);
    }

    @Test
    void anInterruptThatAStepLeavesBehindDoesNotReachTheNext() throws InterruptedException {
        CompletableFuture<Boolean> seen = new CompletableFuture<>();
        try (ExecutorPool pool = new ExecutorPool("test", 1, 1_000_000)) {
            pool.submit(new QueryShare(), quantum -> {
                Thread.currentThread().interrupt();
                return null;
            });
            pool.submit(new QueryShare(), quantum -> {
                seen.complete(Thread.currentThread().isInterrupted());
                return null;
            });
            assertThat(seen.orTimeout(10, TimeUnit.SECONDS).join()).isFalse();
        }
    }

    @Test
    void aThrowingStepDoesNotKillItsExecutor() throws InterruptedException {
        CountDownLatch after = new CountDownLatch(1);
        try (ExecutorPool pool = new ExecutorPool("test", 1, 1_000_000)) {
            pool.submit(new QueryShare(), quantum -> {
                throw new IllegalStateException("expected in this test");
            });
            pool.submit(new QueryShare(), quantum -> {
                after.countDown();
                return null;
            });
            assertThat(after.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void closingForgetsWhatWaits() {
        ExecutorPool pool = new ExecutorPool("test", 1, 1_000_000);
        pool.submit(new QueryShare(), quantum -> AGAIN);
        pool.close();
        assertThat(pool.running()).isZero();
    }
}
