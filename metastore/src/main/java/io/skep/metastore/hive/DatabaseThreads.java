package io.skep.metastore.hive;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The few threads that use the metastore's database for others. Callers wait for these threads, so that an interrupt of
 * a canceled query's thread does not reach the database. Derby closes its files on an interrupt.
 */
final class DatabaseThreads implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DatabaseThreads.class.getName());

    /** The limit of one piece of work, which is longer than any listing takes. */
    static final long REQUEST_MILLIS = 600_000;

    /** The number of queued requests at which further requests are rejected. */
    private static final int MAX_WAITING = 1000;

    private static final long CLOSE_SECONDS = 10;
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final ThreadPoolExecutor threads;
    /** Set when the threads are closed while some still wait for the database. Their work has no caller. */
    private volatile boolean abandoned;

    /** What an interrupt of a caller means for the work. */
    enum Effect {
        /** The work changes nothing. An interrupted caller returns at once. */
        READ,
        /** An interrupted caller returns, unless the work has begun. In that case it waits for the outcome. */
        WRITE,
        /** The work is done even for a caller that was interrupted before, because it ends something. */
        END
    }

    /** @param name the first part of the threads' names */
    DatabaseThreads(String name, int size) {
        ThreadFactory factory = Thread.ofPlatform().daemon().name(name, 0).factory();
        this.threads = new ThreadPoolExecutor(
                size, size, IDLE.toSeconds(), TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), work -> {
                    Thread thread = factory.newThread(work);
                    // Not the caller's class loader, which may be a session's with the user's jars.
                    thread.setContextClassLoader(DatabaseThreads.class.getClassLoader());
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Whether a caller may still wait for work. */
    boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Runs work on one of the threads, and returns its result.
     *
     * @param unwanted is set when the caller returns before work that only reads is complete
     * @throws SkepException the error of the work; INTERNAL_ERROR for other exceptions; OPERATION_CANCELED when the
     *     caller was interrupted; METASTORE_ERROR when too many callers wait
     */
    <T extends @Nullable Object> T run(String what, Callable<T> work, Effect effect, AtomicBoolean unwanted) {
        if (effect != Effect.END && Thread.currentThread().isInterrupted()) {
            // No thread has begun the work.
            throw canceled(what);
        }
        AtomicBoolean begun = new AtomicBoolean();
        FutureTask<T> task = new FutureTask<>(() -> {
            if (!begun.compareAndSet(false, true)) {
                throw canceled(what);
            }
            return work.call();
        });
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            throw new SkepException(
                    StandardErrorCode.METASTORE_ERROR,
                    threads.isShutdown()
                            ? "the metastore is closed"
                            : "the metastore's database is slow or does not answer: " + MAX_WAITING
                                    + " requests wait for it",
                    e);
        }
        try {
            return effect == Effect.END
                    ? Uninterruptibles.getUninterruptibly(task)
                    : result(what, task, begun, effect, unwanted);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SkepException known
                    ? known
                    : new SkepException(StandardErrorCode.INTERNAL_ERROR, "failed to " + what + ": " + e.getCause(), e);
        }
    }

    private static <T extends @Nullable Object> T result(
            String what, FutureTask<T> task, AtomicBoolean begun, Effect effect, AtomicBoolean unwanted)
            throws ExecutionException {
        try {
            return task.get(REQUEST_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // Either no thread has begun the work, and none will, or the work only reads.
            if (begun.compareAndSet(false, true) || effect == Effect.READ) {
                unwanted.set(true);
                throw canceled(what);
            }
            return Uninterruptibles.getUninterruptibly(task);
        } catch (TimeoutException e) {
            if (begun.compareAndSet(false, true) || effect == Effect.READ) {
                unwanted.set(true);
                throw new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "the metastore did not " + what + " within " + REQUEST_MILLIS / 1000 + " s",
                        e);
            }
            return Uninterruptibles.getUninterruptibly(task);
        }
    }

    static SkepException canceled(String what) {
        return new SkepException(StandardErrorCode.OPERATION_CANCELED, "canceled while the metastore was to " + what);
    }

    /** Waits for running work, but not for a database that does not respond. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the metastore's database does not answer; its connections are left");
                abandoned = true;
                threads.getQueue().clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
