package io.skep.ql.execution;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a {@link CompilePool} makes. Whoever waits for it hears of a cancellation at once; the thread that is at work is
 * interrupted, and what it makes nevertheless is discarded.
 */
public final class Compilation<T> {
    private final Object owner;
    private final Callable<T> work;
    private final Consumer<T> discard;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final long arrived = System.nanoTime();
    private @Nullable Thread worker;
    private volatile long started;

    Compilation(Object owner, Callable<T> work, Consumer<T> discard) {
        this.owner = owner;
        this.work = work;
        this.discard = discard;
    }

    /** Whose turn it takes: owners get threads by turns. */
    Object owner() {
        return owner;
    }

    /** What was made; fails with a SkepException, or with what the work threw. Its dependents run where it was made. */
    public CompletableFuture<T> result() {
        return result;
    }

    /** Ends it, waiting or at work, unless it is done. */
    public void cancel(SkepException reason) {
        if (!result.completeExceptionally(reason)) {
            return;
        }
        synchronized (this) {
            if (worker != null) {
                worker.interrupt();
            }
        }
    }

    boolean isDone() {
        return result.isDone();
    }

    long waitedNanos(long now) {
        return now - arrived;
    }

    /** How long it has been at work; 0 while it waits. */
    long workedNanos(long now) {
        return started == 0 ? 0 : now - started;
    }

    /** Does the work on this thread, whose interrupts from here on are the compilation's. Never fails. */
    void run() {
        synchronized (this) {
            worker = Thread.currentThread();
            started = System.nanoTime();
        }
        try {
            if (!result.isDone()) {
                give(work.call());
            }
        } catch (Exception | Error e) {
            result.completeExceptionally(e);
        } finally {
            synchronized (this) {
                worker = null;
                // The next compilation of this thread has nothing to do with it.
                Thread.interrupted();
            }
        }
    }

    private void give(T made) {
        synchronized (this) {
            // What waits for the result may go on on this thread, and is not to be interrupted.
            worker = null;
            Thread.interrupted();
        }
        if (!result.complete(made)) {
            discard.accept(made);
        }
    }

    /** Refuses what the pool has no place for. */
    static SkepException refused(int waiting) {
        return new SkepException(
                        StandardErrorCode.QUEUE_FULL, waiting + " statements wait to be compiled, as many as may")
                .withHint("run it again later, or raise " + CompileConfig.MAX_WAITING.name());
    }
}
