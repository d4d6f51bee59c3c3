package io.skep.engine.expression;

import io.skep.common.vector.Batch;

/** A compiled predicate. Owned by one thread. */
public interface FilterEvaluator {
    /**
     * Writes the rows for which the predicate is true (neither false nor null) to {@code positions}, ascending.
     *
     * @param positions at least as long as the batch has rows
     * @return how many there are
     */
    int filter(Batch input, int[] positions);

    /** Frees what user functions hold. */
    default void close() {}
}
