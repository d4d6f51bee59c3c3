package io.skep.common.testing;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A well-behaved client of a test. It asks continuously while others misbehave, and records how long it waits. Half of
 * its answers must come within 200 ms. A single answer may take longer: tests run next to others on machines with few
 * processors, where a thread may have to wait that long for a processor. The limit for the longest wait is exceeded
 * only by a client that waits for another one. Median, longest wait and number of answers are printed.
 */
public final class Bystander implements AutoCloseable {
    private static final Duration MEDIAN_LIMIT = Duration.ofMillis(200);
    private static final Duration LONGEST_LIMIT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Callable<?> question;
    private final Queue<Duration> waits = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /** @param question asks once and fails when the answer is wrong; always runs on one thread of its own */
    public Bystander(Callable<?> question) {
        this.question = question;
        this.thread = Thread.ofPlatform().name("bystander").daemon().start(this::ask);
        await("the bystander is answered", () -> !waits.isEmpty());
    }

    private void ask() {
        try {
            while (!ended) {
                long start = System.nanoTime();
                question.call();
                waits.add(Duration.ofNanos(System.nanoTime() - start));
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    /** Asks once more, and then checks that answers did not take long. */
    @Override
    public void close() {
        int before = waits.size();
        await("the bystander is answered", () -> waits.size() > before);
        ended = true;
        await("the bystander ends", () -> !thread.isAlive());
        List<Duration> sorted = waits.stream().sorted().toList();
        Duration median = sorted.get(sorted.size() / 2);
        Duration longest = sorted.getLast();
        System.out.printf(
                "bystander: %d times, median %.1f ms, longest %.1f ms%n",
                sorted.size(), median.toNanos() / 1e6, longest.toNanos() / 1e6);
        if (median.compareTo(MEDIAN_LIMIT) > 0 || longest.compareTo(LONGEST_LIMIT) > 0) {
            throw new AssertionError("the bystander waited for " + median.toMillis() + " ms in the median, and for "
                    + longest.toMillis() + " ms once");
        }
    }

    private void await(String what, BooleanSupplier condition) {
        Polling.await(what).atMost(PATIENCE).until(() -> {
            boolean isTrue = condition.getAsBoolean();
            Throwable known = failure;
            if (!isTrue && known != null) {
                throw new AssertionError("the bystander's question failed", known);
            }
            return isTrue;
        });
    }
}
