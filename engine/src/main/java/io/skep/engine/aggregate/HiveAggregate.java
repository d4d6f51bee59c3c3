package io.skep.engine.aggregate;

import io.skep.common.type.SqlType;
import io.skep.engine.function.hive.HiveAggregates;

/** An aggregate that one of Hive's UDAF classes computes. */
public record HiveAggregate(HiveAggregates aggregates, HiveAggregates.Bound bound, SqlType stateType, SqlType type)
        implements AggregateFunction {
    @Override
    public Accumulator newAccumulator() {
        return new HiveAccumulator(aggregates, bound, stateType, type);
    }
}
