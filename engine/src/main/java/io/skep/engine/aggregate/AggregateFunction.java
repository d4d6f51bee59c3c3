package io.skep.engine.aggregate;

import io.skep.common.type.SqlType;

/** An aggregate function bound to argument types. Immutable; each operator makes its own accumulators. */
public interface AggregateFunction {
    /** Type of the state that a partial step hands to a final one. */
    SqlType stateType();

    SqlType type();

    /** An accumulator for raw rows and for states. Owned by one thread. */
    Accumulator newAccumulator();
}
