package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One step of a pipeline. A driver calls it from one thread at a time. The driver moves {@link #output} of one operator
 * to {@link #add} of the next while neither is blocked. Methods do not wait; an operator that must wait returns a
 * future.
 */
public interface Operator extends AutoCloseable {
    CompletableFuture<?> NOT_BLOCKED = CompletableFuture.completedFuture(null);

    OperatorKind kind();

    /** Whether and when the arrays of its input may be reused. Constant over the operator's lifetime. */
    default InputRetention inputRetention() {
        return InputRetention.RETAINS_INPUT;
    }

    /** Returns a future that is done when calling the operator can make progress. */
    default CompletableFuture<?> blocked() {
        return NOT_BLOCKED;
    }

    /** Whether {@link #add} may be called. Always false for sources. */
    boolean needsInput();

    void add(Batch batch);

    /** Returns some rows, or null if there are none at present. */
    @Nullable
    Batch output();

    /**
     * Returns the bytes of batches that the operator holds outside of its memory account: output that has not been
     * fetched.
     */
    default long heldBytes() {
        return 0;
    }

    /** Signals that no more input follows. Called at most once. */
    void finish();

    /** Whether the operator returns no more output and needs no more input. May become true before {@link #finish}. */
    boolean finished();

    /**
     * Spills the memory that the operator holds, if it is revoked. Called between batches, also while the operator is
     * blocked. Afterwards the operator continues as if the memory had been refused.
     */
    default void revokeMemory() {}

    /** Releases memory and files. Idempotent. Called whether or not the operator is finished. */
    @Override
    default void close() {}
}
