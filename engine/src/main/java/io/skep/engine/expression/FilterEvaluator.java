package io.skep.engine.expression;

import io.skep.common.vector.Batch;

/** A compiled predicate. Owned by one thread. */
public interface FilterEvaluator {
    /**
     * Writes the rows for which the predicate is true (neither false nor null) to {@code positions}, ascending.
     *
     * @param positions at least as long as the number of rows of the batch
     * @return the number of rows written
     */
    int filter(Batch input, int[] positions);

    /** Releases the resources of user functions. */
    default void close() {}
}
