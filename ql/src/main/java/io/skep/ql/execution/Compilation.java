package io.skep.ql.execution;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A task that is run by a {@link CompilePool}, or by the thread that wants its result ({@link #onCallingThread}). A
 * cancellation fails {@link #result} at once and interrupts the working thread. A result that is produced nevertheless
 * is discarded.
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
     * Creates a task that the calling thread itself runs, in {@link #run}. This suits work that is cheaper than a
     * hand-over to another thread and back.
     *
     * @param discard receives a result that is produced after a cancellation
     */
    public static <T> Compilation<T> onCallingThread(Callable<T> work, Consumer<T> discard) {
        return new Compilation<>(Thread.currentThread(), work, discard);
    }

    /** Returns the owner of the task. Owners get threads in turns. */
    Object owner() {
        return owner;
    }

    /**
     * Returns the result. It fails with a SkepException, or with the exception of the work. Its dependents run on the
     * thread that produced it.
     */
    public CompletableFuture<T> result() {
        return result;
    }

    /** Cancels the task, whether it waits or runs, unless it is done. */
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

    /** Returns how long the task has been running; 0 while it waits. */
    long workedNanos(long now) {
        return started == 0 ? 0 : now - started;
    }

    /** Does the work on this thread, which a cancellation interrupts until the work ends. Never fails. */
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
        // Dependents of the result may continue on this thread.
        section.leave();
        if (!result.complete(made)) {
            discard.accept(made);
        }
    }

    /** Creates the error for a task that the pool has no room for. */
    static SkepException refused(int waiting) {
        return new SkepException(
                        StandardErrorCode.QUEUE_FULL, waiting + " statements wait to be compiled, as many as may")
                .withHint("run it again later, or raise " + CompileConfig.MAX_WAITING.name());
    }
}
