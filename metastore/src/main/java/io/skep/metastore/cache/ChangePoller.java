package io.skep.metastore.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Polls for other servers' changes at an interval and passes them to a consumer. While the database is unreachable
 * nothing is passed on. The changes are found when the database is back.
 *
 * <p>When not all changes are notified, anything may have changed. The periodic polls report this only as often as it
 * is cheap: at most every two seconds. The time since the last report must also be fifty times the duration of the
 * reads since then. This delay is at most a minute.
 */
public final class ChangePoller implements AutoCloseable {
    private static final Duration EXPIRY_INTERVAL = Duration.ofHours(1);

    private static final long MIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int TIMES_READING = 50;

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    private final ChangeFeed feed;
    private final Consumer<ChangeFeed.Changes> consumer;
    private final LongSupplier clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    /** Held while changes are read. */
    private final ReentrantLock reading = new ReentrantLock();

    private volatile long position;

    /**
     * The time of the last report that anything may have changed, and the value of {@link ChangeFeed#readNanos} at that
     * time.
     */
    @GuardedBy("reading")
    private long doubted;

    /** What {@link ChangeFeed#readNanos} was then. */
    @GuardedBy("reading")
    private long readBefore;

    /** @param clock nanoseconds of a monotonic clock */
    ChangePoller(ChangeFeed feed, Consumer<ChangeFeed.Changes> consumer, Duration interval, LongSupplier clock) {
        this.feed = feed;
        this.consumer = consumer;
        this.clock = clock;
        this.doubted = clock.getAsLong();
        this.position = feed.position();
        this.thread = Thread.ofVirtual().name("metastore-changes").unstarted(() -> run(interval));
    }

    /** Starts a poller. Changes before the start are not reported, so open a cache together with its poller. */
    public static ChangePoller start(ChangeFeed feed, Consumer<ChangeFeed.Changes> consumer, Duration interval) {
        ChangePoller poller = new ChangePoller(feed, consumer, interval, System::nanoTime);
        poller.thread.start();
        return poller;
    }

    private void run(Duration interval) {
        try {
            long nextExpiry = System.nanoTime();
            while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                pollOnce(false);
                if (System.nanoTime() - nextExpiry >= 0) {
                    attempt(feed::expire);
                    nextExpiry = System.nanoTime() + EXPIRY_INTERVAL.toNanos();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Polls immediately. When not all changes are notified, reports that anything may have changed. */
    public void poll() {
        pollOnce(true);
    }

    /** @param sure whether to report changes without notification in any case */
    void pollOnce(boolean sure) {
        attempt(() -> {
            lock();
            try {
                long now = feed.position();
                if (!feed.isComplete() && (sure || isDoubtful())) {
                    take(new ChangeFeed.Changes(now, false, List.of()));
                    doubted = clock.getAsLong();
                    readBefore = feed.readNanos();
                } else if (now != position) {
                    take(feed.since(position));
                }
            } finally {
                reading.unlock();
            }
        });
    }

    @GuardedBy("reading")
    private boolean isDoubtful() {
        long patience = TIMES_READING * (feed.readNanos() - readBefore);
        return clock.getAsLong() - doubted >= Math.clamp(patience, MIN_NANOS, MAX_NANOS);
    }

    private void take(ChangeFeed.Changes changes) {
        consumer.accept(changes);
        position = changes.position();
    }

    /** Waits until no other thread reads changes. The wait is bounded, and an interrupt of the caller cancels it. */
    private void lock() {
        try {
            if (!reading.tryLock(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "the metastore's notification log has not been read for " + LONGEST_WAIT.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "canceled while changes of the metastore were read", e);
        }
    }

    /**
     * Polls until all notified changes up to a position are applied. Does nothing when they already are.
     *
     * @throws SkepException METASTORE_ERROR when they cannot be read, OPERATION_CANCELED when the thread is interrupted
     */
    public void pollTo(long target) {
        while (position < target) {
            long before = position;
            pollOnce(false);
            if (Thread.currentThread().isInterrupted()) {
                throw new SkepException(
                        StandardErrorCode.OPERATION_CANCELED, "canceled while changes of the metastore were read");
            }
            if (position == before) {
                throw new SkepException(
                        StandardErrorCode.METASTORE_ERROR, "the metastore's notification log cannot be read");
            }
        }
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (SkepException e) {
            System.getLogger(ChangePoller.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot use the metastore's notification log", e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            // The thread runs longer only when the database does not respond. In that case it terminates by itself
            // later.
            var _ = thread.join(LONGEST_CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
