package io.skep.llap.server.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.llap.server.executor.StepQueue.Waiting;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs steps until it is detached. A detached thread leaves the pool with the step that it is in. Guarded
 * by itself; its thread acquires the lock twice per step.
 */
final class Executor {
    /** The stack is large because expressions are built and evaluated recursively. */
    private static final long STACK_BYTES = 16 << 20;

    /** One run of a step by the thread, as seen by the watching thread. */
    static final class StepRun {
        private final Waiting waiting;
        private final long startNanos;

        private StepRun(Waiting waiting, long startNanos) {
            this.waiting = waiting;
            this.startNanos = startNanos;
        }

        Waiting waiting() {
            return waiting;
        }

        long startNanos() {
            return startNanos;
        }
    }

    private final Thread thread;

    @GuardedBy("this")
    private @Nullable StepRun stay;

    @GuardedBy("this")
    private boolean detached;

    @GuardedBy("this")
    private boolean writtenOff;
    /**
     * The last stay in which the thread was interrupted. It and the time of the first interrupt belong to the watching
     * thread.
     */
    private @Nullable StepRun interruptedStay;

    private long interruptedNanos;

    Executor(String name, Consumer<Executor> work) {
        this.thread =
                Thread.ofPlatform().daemon().stackSize(STACK_BYTES).name(name).unstarted(() -> work.accept(this));
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    /** Runs one slice of a step. */
    @Nullable
    CompletableFuture<?> run(Waiting waiting, long quantumNanos) {
        StepRun now = new StepRun(waiting, System.nanoTime());
        synchronized (this) {
            stay = now;
            // The thread returned from an earlier step before it was replaced, so it may be written off again.
            writtenOff = false;
        }
        try {
            return waiting.step().run(quantumNanos);
        } finally {
            synchronized (this) {
                stay = null;
            }
        }
    }

    synchronized Optional<StepRun> stay() {
        return Optional.ofNullable(stay);
    }

    /**
     * Detaches the thread from the pool, unless it has left that step. Returns false when it has, or when the thread is
     * detached already.
     */
    synchronized boolean detach(StepRun seen) {
        if (detached || stay != seen) {
            return false;
        }
        detached = true;
        return true;
    }

    synchronized boolean detached() {
        return detached;
    }

    synchronized boolean writtenOff() {
        return writtenOff;
    }

    /**
     * Interrupts a step whose result is no longer needed. Returns true when the thread must be written off, once per
     * stay.
     */
    boolean interruptUnwanted(StepRun seen, long now, ExecutorConfig config) {
        if (now - seen.startNanos() < config.interruptAfter().toNanos()
                || !seen.waiting().step().interruptIfUnwanted(thread)) {
            return false;
        }
        if (interruptedStay != seen) {
            interruptedStay = seen;
            interruptedNanos = now;
        }
        return now - interruptedNanos >= config.writeOffAfter().toNanos() && writeOff(seen);
    }

    private synchronized boolean writeOff(StepRun seen) {
        if (writtenOff || stay != seen) {
            return false;
        }
        writtenOff = true;
        return true;
    }
}
