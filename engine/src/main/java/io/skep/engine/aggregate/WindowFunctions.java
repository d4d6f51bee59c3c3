package io.skep.engine.aggregate;

import io.skep.engine.function.FunctionRegistry;
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
        return switch (call.function()) {
            case "row_number" -> new RankFunction(RankFunction.Kind.ROW_NUMBER);
            case "rank" -> new RankFunction(RankFunction.Kind.RANK);
            case "dense_rank" -> new RankFunction(RankFunction.Kind.DENSE_RANK);
            case "percent_rank" -> new RelativeRankFunction(false);
            case "cume_dist" -> new RelativeRankFunction(true);
            case "ntile" -> new NtileFunction();
            case "lead" -> new ShiftFunction(call.type(), 1, call.ignoreNulls());
            case "lag" -> new ShiftFunction(call.type(), -1, call.ignoreNulls());
            case "first_value" -> frameEnd(call, true);
            case "last_value" -> frameEnd(call, false);
            default ->
                new AggregateWindow(
                        aggregates.of(
                                call.function(),
                                call.argumentTypes(),
                                false,
                                aggregates.windowStateType(call),
                                call.type()),
                        call.distinct());
        };
    }

    private static WindowFunction frameEnd(WindowCall call, boolean first) {
        boolean canSkip = call.argumentTypes().size() > 1;
        return new FrameEndFunction(call.type(), first, call.ignoreNulls(), canSkip);
    }
}
