package io.skep.llap.server.executor;

import io.skep.llap.server.executor.StepQueue.Waiting;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs steps, until it is detached: then it leaves the pool with the step that it is in. Guarded by itself; its
 * thread takes the lock twice a step.
 */
final class Executor {
    /** Expressions are made and evaluated by descending into them. */
    private static final long STACK_BYTES = 16 << 20;

    /** What the thread is in, as seen by the one that watches it. */
    static final class Stay {
        private final Waiting waiting;
        private final long startNanos;

        private Stay(Waiting waiting, long startNanos) {
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
    private @Nullable Stay stay;
    private boolean detached;
    private boolean writtenOff;
    /** The last stay in which the thread was interrupted, and when first; of the thread that watches. */
    private @Nullable Stay interruptedStay;

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
        Stay now = new Stay(waiting, System.nanoTime());
        synchronized (this) {
            stay = now;
            // It came back from an earlier step before anyone needed its place: that may happen again.
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

    synchronized Optional<Stay> stay() {
        return Optional.ofNullable(stay);
    }

    /** Takes the thread out of the pool, unless it has left that step; false when it is out already. */
    synchronized boolean detach(Stay seen) {
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

    /** Interrupts a step that nobody needs; true when it is time to give the thread up, once a stay. */
    boolean interruptUnwanted(Stay seen, long now, ExecutorConfig config) {
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

    private synchronized boolean writeOff(Stay seen) {
        if (writtenOff || stay != seen) {
            return false;
        }
        writtenOff = true;
        return true;
    }
}
