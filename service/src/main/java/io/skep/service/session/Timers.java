package io.skep.service.session;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs actions later. One thread keeps the time. Each action runs on its own virtual thread. */
public final class Timers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Timers.class);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("timers").daemon().factory());

    public Timers() {
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** A scheduled action. Closing it cancels the action. */
    @FunctionalInterface
    public interface Timer extends AutoCloseable {
        @Override
        void close();
    }

    public Timer after(Duration delay, Runnable action) {
        return timer(executor.schedule(() -> run(action), delay.toMillis(), TimeUnit.MILLISECONDS));
    }

    public Timer every(Duration interval, Runnable action) {
        long millis = interval.toMillis();
        return timer(executor.scheduleWithFixedDelay(() -> run(action), millis, millis, TimeUnit.MILLISECONDS));
    }

    private static Timer timer(ScheduledFuture<?> future) {
        return () -> future.cancel(false);
    }

    /** A failure does not stop a repeating timer. */
    private static void run(Runnable action) {
        try {
            Thread.ofVirtual().name("timer").start(() -> {
                try {
                    action.run();
                } catch (RuntimeException | Error e) {
                    LOG.warn("what a timer started has failed", e);
                }
            });
        } catch (RuntimeException | Error e) {
            LOG.warn("a timer could not start its action; it will try again if it repeats", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
