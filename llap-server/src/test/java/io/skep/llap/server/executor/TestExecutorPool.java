package io.skep.llap.server.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.Polling;
import java.time.Duration;
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

    private static ExecutorPool pool(int executors) {
        return new ExecutorPool("test", ExecutorConfig.of(executors, 1_000_000, 3));
    }

    @Test
    void aStepRunsUntilItHasNothingMoreToDo() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(5);
        try (ExecutorPool pool = pool(2)) {
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
        try (ExecutorPool pool = pool(1)) {
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
        StepQueue queue = new StepQueue(2);
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
        StepQueue queue = new StepQueue(2);
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
        try (ExecutorPool pool = pool(1)) {
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
        try (ExecutorPool pool = pool(1)) {
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
        ExecutorPool pool = pool(1);
        pool.submit(new QueryShare(), quantum -> AGAIN);
        pool.close();
        assertThat(pool.running()).isZero();
    }

    /** A step that sleeps until it is released, and records when it is interrupted or written off. */
    private static final class Stubborn implements Step {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch letGo = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);
        private final CountDownLatch writtenOff = new CountDownLatch(1);
        private final CountDownLatch left = new CountDownLatch(1);
        private volatile boolean unwanted;

        @Override
        public CompletableFuture<?> run(long quantumNanos) {
            entered.countDown();
            while (letGo.getCount() > 0) {
                try {
                    letGo.await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            }
            left.countDown();
            return AGAIN;
        }

        @Override
        public boolean interruptIfUnwanted(Thread executor) {
            if (unwanted) {
                executor.interrupt();
            }
            return unwanted;
        }

        @Override
        public void writeOff(Thread executor) {
            writtenOff.countDown();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static void runsAnother(ExecutorPool pool) throws InterruptedException {
        CountDownLatch other = new CountDownLatch(1);
        pool.submit(new QueryShare(), _ -> {
            other.countDown();
            return null;
        });
        await(other);
    }

    @Test
    void anotherThreadTakesThePlaceOfOneThatDoesNotReturn() throws InterruptedException {
        try (ExecutorPool pool = pool(1)) {
            Stubborn stubborn = new Stubborn();
            pool.submit(new QueryShare(), stubborn);
            await(stubborn.entered);
            runsAnother(pool);
            assertThat(pool.stats().detached()).isEqualTo(1);
            assertThat(pool.stats().writtenOff()).isZero();
            stubborn.letGo.countDown();
            await(stubborn.left);
            runsAnother(pool);
        }
    }

    @Test
    void oneQueryDoesNotTakeMoreThreadsThanThereAreExecutors() throws InterruptedException {
        try (ExecutorPool pool = pool(1)) {
            QueryShare share = new QueryShare();
            Stubborn first = new Stubborn();
            Stubborn second = new Stubborn();
            pool.submit(share, first);
            await(first.entered);
            pool.submit(share, second);
            runsAnother(pool);
            runsAnother(pool);
            assertThat(second.entered.getCount()).isEqualTo(1);
            first.letGo.countDown();
            await(second.entered);
            second.letGo.countDown();
        }
    }

    @Test
    void aStepThatNobodyNeedsIsInterruptedAndThenGivenUp() throws InterruptedException {
        try (ExecutorPool pool = pool(1)) {
            QueryShare share = new QueryShare();
            Stubborn stubborn = new Stubborn();
            stubborn.unwanted = true;
            pool.submit(share, stubborn);
            await(stubborn.interrupted);
            await(stubborn.writtenOff);
            CountDownLatch sibling = new CountDownLatch(1);
            pool.submit(share, _ -> {
                sibling.countDown();
                return null;
            });
            await(sibling);
            assertThat(pool.stats().writtenOff()).isEqualTo(1);
            stubborn.letGo.countDown();
            await(stubborn.left);
        }
    }

    @Test
    void anExecutorThatCameBackIsGivenUpOnceMore() throws InterruptedException {
        try (ExecutorPool pool = pool(1)) {
            for (int i = 0; i < 2; i++) {
                Stubborn stubborn = new Stubborn();
                stubborn.unwanted = true;
                pool.submit(new QueryShare(), stubborn);
                await(stubborn.writtenOff);
                stubborn.letGo.countDown();
                await(stubborn.left);
            }
        }
    }

    @Test
    void thereIsALimitOfThreadsAndThePoolSaysSo() throws InterruptedException {
        List<Stubborn> stubborn = new ArrayList<>();
        try (ExecutorPool pool = pool(1)) {
            for (int i = 0; i < 4; i++) {
                Stubborn next = new Stubborn();
                stubborn.add(next);
                pool.submit(new QueryShare(), next);
                await(next.entered);
            }
            assertThat(pool.exhausted()).isFalse();
            CountDownLatch waits = new CountDownLatch(1);
            pool.submit(new QueryShare(), _ -> {
                waits.countDown();
                return null;
            });
            Polling.await("no executor is left").until(pool::exhausted);
            assertThat(pool.stats().detached()).isEqualTo(3);
            assertThat(waits.getCount()).isEqualTo(1);
            stubborn.getFirst().letGo.countDown();
            await(waits);
            stubborn.forEach(step -> step.letGo.countDown());
        }
    }

    @Test
    void closingLeavesBehindWhatDoesNotReturn() throws InterruptedException {
        Stubborn stubborn = new Stubborn();
        Duration shortly = Duration.ofMillis(10);
        ExecutorPool pool = new ExecutorPool(
                "test", new ExecutorConfig(1, 1_000_000, shortly, shortly, shortly, 1, Duration.ofMillis(200)));
        pool.submit(new QueryShare(), stubborn);
        await(stubborn.entered);
        pool.close();
        assertThat(stubborn.left.getCount()).isEqualTo(1);
        stubborn.letGo.countDown();
        await(stubborn.left);
    }
}
