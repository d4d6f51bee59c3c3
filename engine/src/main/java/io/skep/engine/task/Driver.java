package io.skep.engine.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.lifecycle.Closeables;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.engine.operator.Failures;
import io.skep.engine.operator.Operator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One chain of operators, from a source to a sink, that one thread at a time runs for a quantum. It parks by returning
 * a future. It may be closed from any thread. If another thread runs the chain at that time, that thread closes the
 * operators when it leaves.
 */
public final class Driver implements AutoCloseable {
    private final List<Operator> operators;
    private final boolean[] finishSent;
    private final BooleanSupplier cancelled;
    private final ScratchMemory scratch;
    private final DriverClock clock;
    private final ReentrantLock running = new ReentrantLock();
    private final AtomicInteger requests;

    @GuardedBy("running")
    private int answered;

    private int first;
    private volatile @Nullable CompletableFuture<@Nullable Void> parked;
    private volatile boolean closed;
    private volatile boolean closing;
    private volatile boolean finished;

    /**
     * @param clock of the operators of the chain
     * @param scratch used by this driver only
     * @param requests counts the revocation requests for the task's memory; {@link #wake} is called after each
     */
    Driver(DriverClock clock, ScratchMemory scratch, BooleanSupplier cancelled, AtomicInteger requests) {
        this.operators = clock.operators();
        this.scratch = scratch;
        this.requests = requests;
        this.finishSent = new boolean[operators.size()];
        this.cancelled = cancelled;
        this.clock = clock;
    }

    /**
     * Runs until the chain is finished, must wait, or the quantum is over.
     *
     * @return a future that is done when the driver should be run again; the caller must check {@link #finished} first
     * @throws SkepException if the task has failed; it must be closed then
     */
    public CompletableFuture<?> process(long quantumNanos) {
        running.lock();
        long start = System.nanoTime();
        clock.start(start);
        scratch.enter();
        try {
            return closing || finished ? Operator.NOT_BLOCKED : run(start, quantumNanos);
        } catch (RuntimeException | OutOfMemoryError | StackOverflowError failure) {
            throw Failures.asSkepException(failure);
        } finally {
            scratch.leave();
            clock.charge(operators.size() - 1);
            clock.flush();
            running.unlock();
            closeIfAsked();
        }
    }

    /** Whether the chain has nothing more to do. Its operators are then closed. */
    public boolean finished() {
        return finished;
    }

    @GuardedBy("running")
    private CompletableFuture<?> run(long start, long quantumNanos) {
        while (!closing) {
            if (cancelled.getAsBoolean()) {
                throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the query was cancelled");
            }
            answer();
            scratch.settle(this::heldBytes);
            boolean moved = step();
            if (operators.getLast().finished()) {
                Closeables.closeAll(operators);
                scratch.close();
                finished = true;
                return Operator.NOT_BLOCKED;
            }
            if (!moved) {
                CompletableFuture<?> wait = blocked();
                if (!wait.isDone()) {
                    return park(wait);
                }
            }
            if (System.nanoTime() - start >= quantumNanos) {
                return Operator.NOT_BLOCKED;
            }
        }
        return Operator.NOT_BLOCKED;
    }

    /** Lets operators release memory if some of the task's memory has been revoked since the last call. */
    @GuardedBy("running")
    private void answer() {
        int now = requests.get();
        if (now != answered) {
            answered = now;
            for (int i = first; i < operators.size(); i++) {
                operators.get(i).revokeMemory();
                clock.charge(i);
            }
        }
    }

    /** Waits for the given future or for a revocation request. */
    @GuardedBy("running")
    private CompletableFuture<?> park(CompletableFuture<?> wait) {
        CompletableFuture<@Nullable Void> either = new CompletableFuture<>();
        parked = either;
        var _ = wait.whenComplete((_, _) -> either.complete(null));
        return requests.get() == answered ? either : Operator.NOT_BLOCKED;
    }

    /** Ends the driver's wait, because memory has been revoked. May be called from any thread. */
    void wake() {
        CompletableFuture<@Nullable Void> waiting = parked;
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    /** Makes one pass over the chain, from the sink to the source, so that downstream operators drain first. */
    @GuardedBy("running")
    private boolean step() {
        boolean moved = false;
        for (int i = operators.size() - 2; i >= first; i--) {
            Operator upstream = operators.get(i);
            Operator downstream = operators.get(i + 1);
            if (downstream.finished()) {
                Closeables.closeAll(operators.subList(0, i + 1));
                first = i + 1;
                return true;
            }
            if (upstream.finished()) {
                moved |= sendFinish(i + 1, downstream);
            } else if (ready(upstream) && ready(downstream) && downstream.needsInput()) {
                Batch batch = upstream.output();
                clock.charge(i);
                if (closing) {
                    // The call may have taken so long that the task has ended in the meantime. Nothing is passed on
                    // then.
                    return true;
                }
                if (batch != null && batch.rowCount() > 0) {
                    account(batch);
                    clock.count(i, batch.rowCount());
                    downstream.add(batch);
                    clock.charge(i + 1);
                    moved = true;
                }
            }
        }
        return moved;
    }

    /** A wide batch has many small arrays. They are counted while the driver works with the batch. */
    private static void account(Batch batch) {
        if (batch.columnCount() > BatchRows.MANY_COLUMNS) {
            ScratchMemory.count(batch.retainedBytes());
        }
    }

    @GuardedBy("running")
    private boolean sendFinish(int index, Operator operator) {
        if (finishSent[index]) {
            return false;
        }
        finishSent[index] = true;
        operator.finish();
        clock.charge(index);
        return true;
    }

    private static boolean ready(Operator operator) {
        return operator.blocked().isDone();
    }

    /** Returns the future of the blocked operator that is nearest to the sink. */
    @GuardedBy("running")
    private CompletableFuture<?> blocked() {
        for (int i = operators.size() - 1; i >= first; i--) {
            CompletableFuture<?> blocked = operators.get(i).blocked();
            if (!blocked.isDone()) {
                return blocked;
            }
        }
        return Operator.NOT_BLOCKED;
    }

    private long heldBytes() {
        long bytes = 0;
        for (int i = first; i < operators.size(); i++) {
            bytes += operators.get(i).heldBytes();
        }
        return bytes;
    }

    /**
     * Releases the operators' resources, either at once or when the thread that runs the chain leaves it. Idempotent.
     */
    @Override
    public void close() {
        closing = true;
        closeIfAsked();
    }

    private void closeIfAsked() {
        while (closing && !closed && running.tryLock()) {
            try {
                if (!closed) {
                    closed = true;
                    Closeables.closeAll(operators);
                }
            } finally {
                scratch.close();
                finished = true;
                running.unlock();
            }
        }
    }
}
