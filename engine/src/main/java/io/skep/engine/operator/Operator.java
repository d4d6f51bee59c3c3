package io.skep.engine.operator;

import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One step of a pipeline. A driver calls it from one thread at a time: it moves {@link #output} of one operator into {@link
 * #add} of the next while neither is blocked. Nothing here waits; what has to wait gives a future.
 */
public interface Operator extends AutoCloseable {
    CompletableFuture<?> NOT_BLOCKED = CompletableFuture.completedFuture(null);

    OperatorKind kind();

    /** Whether its input's arrays may be used again, and when. The same for its whole life. */
    default InputRetention inputUse() {
        return InputRetention.KEEPS;
    }

    /** Done when calling the operator can make progress. */
    default CompletableFuture<?> blocked() {
        return NOT_BLOCKED;
    }

    /** Whether {@link #add} may be called now; false for sources. */
    boolean needsInput();

    void add(Batch batch);

    /** Some rows, or null when there are none at this moment. */
    @Nullable
    Batch output();

    /** Bytes of batches that it holds and has no account for: output that waits to be asked for. */
    default long heldBytes() {
        return 0;
    }

    /** No input follows. Called at most once. */
    void finish();

    /** Neither output comes any more nor is input of use. May become true before {@link #finish}. */
    boolean finished();

    /**
     * Puts on disk what it holds, if others have asked for it. Called between batches, also while the operator is blocked; after
     * it the operator goes on as if it had been refused the memory.
     */
    default void giveBack() {}

    /** Frees memory and files. Idempotent; called whether the operator is finished or not. */
    @Override
    default void close() {}
}
