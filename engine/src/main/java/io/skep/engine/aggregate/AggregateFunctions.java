package io.skep.engine.aggregate;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.function.ConstantArguments;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.hive.HiveAggregates;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.WindowCall;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the aggregate function of a call: a native accumulator if one exists, otherwise Hive's class. */
public final class AggregateFunctions {
    private final FunctionRegistry functions;

    public AggregateFunctions(FunctionRegistry functions) {
        this.functions = functions;
    }

    /**
     * @throws io.skep.common.error.SkepException FUNCTION_NOT_FOUND, or the error that Hive's class reports about the
     *     arguments
     */
    public AggregateFunction of(AggregateCall call) {
        return of(call.function(), call.argumentTypes(), call.distinct(), call.stateType(), call.type());
    }

    AggregateFunction of(
            String function, List<SqlType> argumentTypes, boolean distinct, SqlType stateType, SqlType type) {
        Optional<Supplier<Accumulator>> known = known(function, argumentTypes, type);
        if (known.isPresent()) {
            return new NativeAggregate(stateType, type, known.get());
        }
        return new HiveAggregate(
                new HiveAggregates(functions.hive()), bound(function, argumentTypes, distinct), stateType, type);
    }

    /** Returns the type that states would have. Window functions keep no states, but Hive's classes need the type. */
    SqlType windowStateType(WindowCall call) {
        return known(call.function(), call.argumentTypes(), call.type()).isPresent()
                ? PrimitiveType.VOID
                : new HiveAggregates(functions.hive()).stateType(bound(call.function(), call.argumentTypes(), false));
    }

    private static HiveAggregates.Bound bound(String function, List<SqlType> types, boolean distinct) {
        ConstantArguments constants = ConstantArguments.decode(function, types);
        return new HiveAggregates.Bound(
                constants.function(), FunctionRegistry.hiveArguments(constants.arguments()), distinct, types.isEmpty());
    }

    private static Optional<Supplier<Accumulator>> known(String function, List<SqlType> arguments, SqlType type) {
        return switch (function) {
            case "count" -> Optional.of(CountAccumulator::new);
            case "sum" -> sum(arguments.getFirst(), type, false);
            case "$sum0" -> sum(arguments.getFirst(), type, true);
            case "avg" -> avg(arguments.getFirst(), type);
            case "single_value" -> Optional.of(() -> new SingleValueAccumulator(type));
            case "min" -> ExtremeAccumulators.of(arguments.getFirst(), false);
            case "max" -> ExtremeAccumulators.of(arguments.getFirst(), true);
            case "variance", "var_pop" -> variance(arguments, false, false);
            case "var_samp" -> variance(arguments, true, false);
            case "std", "stddev", "stddev_pop" -> variance(arguments, false, true);
            case "stddev_samp" -> variance(arguments, true, true);
            default -> Optional.empty();
        };
    }

    private static Optional<Supplier<Accumulator>> sum(SqlType argument, SqlType type, boolean zeroWhenEmpty) {
        return switch (argument) {
            case PrimitiveType.TINYINT, PrimitiveType.SMALLINT, PrimitiveType.INT, PrimitiveType.BIGINT ->
                Optional.of(() -> new LongSumAccumulator(zeroWhenEmpty));
            case PrimitiveType.FLOAT, PrimitiveType.DOUBLE ->
                Optional.of(() -> new DoubleSumAccumulator(zeroWhenEmpty));
            case DecimalType decimal
            when type instanceof DecimalType result && result.scale() == decimal.scale() ->
                Optional.of(() -> new DecimalSumAccumulator(result, zeroWhenEmpty));
            default -> Optional.empty();
        };
    }

    private static Optional<Supplier<Accumulator>> avg(SqlType argument, SqlType type) {
        return switch (argument) {
            case PrimitiveType.TINYINT,
                    PrimitiveType.SMALLINT,
                    PrimitiveType.INT,
                    PrimitiveType.BIGINT,
                    PrimitiveType.FLOAT,
                    PrimitiveType.DOUBLE -> Optional.of(DoubleAverageAccumulator::new);
            case DecimalType decimal
            when type instanceof DecimalType result ->
                Optional.of(() -> new DecimalAverageAccumulator(decimal, result));
            default -> Optional.empty();
        };
    }

    private static Optional<Supplier<Accumulator>> variance(List<SqlType> arguments, boolean sample, boolean root) {
        return arguments.getFirst() == PrimitiveType.DOUBLE || arguments.getFirst() == PrimitiveType.FLOAT
                ? Optional.of(() -> new VarianceAccumulator(sample, root))
                : Optional.empty();
    }
}
