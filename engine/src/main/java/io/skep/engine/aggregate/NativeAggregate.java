package io.skep.engine.aggregate;

import io.skep.common.type.SqlType;
import java.util.function.Supplier;

/** An aggregate with native accumulators. */
public record NativeAggregate(SqlType stateType, SqlType type, Supplier<Accumulator> accumulators)
        implements AggregateFunction {
    @Override
    public Accumulator newAccumulator() {
        return accumulators.get();
    }
}
