package io.skep.engine.function;

import io.skep.engine.aggregate.AggregateWindow;
import io.skep.engine.aggregate.WindowFunction;
import io.skep.engine.plan.WindowCall;

/**
 * Finds the window function of a call. Ranking and navigation functions are native. All others are aggregates over the
 * frame.
 */
public final class WindowFunctions {
    private final AggregateFunctions aggregates;

    public WindowFunctions(FunctionRegistry functions) {
        this.aggregates = new AggregateFunctions(functions);
    }

    /**
     * @throws io.skep.common.error.SkepException FUNCTION_NOT_FOUND, or the error that Hive's class reports about the
     *     arguments
     */
    public WindowFunction of(WindowCall call) {
        return BuiltInFunctions.WINDOWS
                .find(call.function())
                .map(entry -> entry.kernels().apply(call))
                .orElseGet(() -> new AggregateWindow(aggregates.of(call), call.distinct()));
    }
}
