package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;

/** A compiled expression. Owned by one thread, because it may keep scratch space between calls. */
public interface Evaluator {
    /**
     * Returns one value for each row of the input, in any encoding. The vector does not change when the evaluator is
     * used again.
     */
    Vector evaluate(Batch input);

    /** Releases the resources of user functions. */
    default void close() {}
}
