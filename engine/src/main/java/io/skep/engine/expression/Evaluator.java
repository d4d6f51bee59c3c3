package io.skep.engine.expression;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;

/** A compiled expression. Owned by one thread: it may keep scratch space between calls. */
public interface Evaluator {
    /** One value a row of the input, in any encoding; the vector stays as it is when the evaluator is used again. */
    Vector evaluate(Batch input);

    /** Frees what user functions hold. */
    default void close() {}
}
