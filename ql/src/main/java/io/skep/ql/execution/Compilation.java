package io.skep.ql.execution;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One thing that is made by a {@link CompilePool}, or by the thread that wants it ({@link #here}). A cancellation fails
 * {@link #result} at once and interrupts the thread that is at work; what that thread makes nevertheless is discarded.
 */
public final class Compilation<T> {
    private final Object owner;
    private final Callable<T> work;
    private final Consumer<T> discard;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final long arrived = System.nanoTime();
    private final InterruptibleSection section = new InterruptibleSection();
    private volatile long started;

    Compilation(Object owner, Callable<T> work, Consumer<T> discard) {
        this.owner = owner;
        this.work = work;
        this.discard = discard;
    }

    /**
     * Something that the calling thread will make itself, in {@link #run}: less than the way to another thread and back would cost.
     *
     * @param discard gets what was made after a cancellation
     */
    public static <T> Compilation<T> here(Callable<T> work, Consumer<T> discard) {
        return new Compilation<>(Thread.currentThread(), work, discard);
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
        if (result.completeExceptionally(reason)) {
            section.interrupt();
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

    /** Does the work on this thread, which a cancellation interrupts until it ends. Never fails. */
    public void run() {
        section.enter();
        started = System.nanoTime();
        try {
            if (!result.isDone()) {
                give(work.call());
            }
        } catch (Exception | Error e) {
            result.completeExceptionally(e);
        } finally {
            section.leave();
        }
    }

    private void give(T made) {
        // What waits for the result may go on on this thread.
        section.leave();
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
