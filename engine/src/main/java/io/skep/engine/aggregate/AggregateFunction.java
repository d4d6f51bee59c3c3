package io.skep.engine.aggregate;

import io.skep.common.type.SqlType;

/** An aggregate function bound to argument types. Immutable. Each operator creates its own accumulators. */
public interface AggregateFunction {
    /** Returns the type of the state that a partial step passes to a final step. */
    SqlType stateType();

    SqlType type();

    /** Returns a new accumulator for raw rows and for states. The accumulator is owned by one thread. */
    Accumulator newAccumulator();
}
