package io.skep.engine.function;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.aggregate.Accumulator;
import io.skep.engine.aggregate.AggregateFunction;
import io.skep.engine.aggregate.HiveAggregate;
import io.skep.engine.aggregate.NativeAggregate;
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

    /** @param argumentTypes the types to which the signature casts the arguments */
    public AggregateFunction of(
            String function, List<SqlType> argumentTypes, boolean distinct, SqlType stateType, SqlType type) {
        Optional<Supplier<Accumulator>> known = nativeAccumulators(function, argumentTypes, type);
        if (known.isPresent()) {
            return new NativeAggregate(stateType, type, known.get());
        }
        return new HiveAggregate(
                new HiveAggregates(functions.hive()),
                bindHiveAggregate(function, argumentTypes, distinct),
                stateType,
                type);
    }

    /** Finds the aggregate of a window call. The window itself removes the duplicates of DISTINCT. */
    AggregateFunction of(WindowCall call) {
        return of(call.function(), call.argumentTypes(), false, windowStateType(call), call.type());
    }

    /** Returns the type that states would have. Window functions keep no states, but Hive's classes need the type. */
    private SqlType windowStateType(WindowCall call) {
        return nativeAccumulators(call.function(), call.argumentTypes(), call.type())
                        .isPresent()
                ? PrimitiveType.VOID
                : new HiveAggregates(functions.hive())
                        .stateType(bindHiveAggregate(call.function(), call.argumentTypes(), false));
    }

    private static HiveAggregates.Bound bindHiveAggregate(String function, List<SqlType> types, boolean distinct) {
        ConstantArguments constants = ConstantArguments.decode(function, types);
        return new HiveAggregates.Bound(
                constants.function(), FunctionRegistry.hiveArguments(constants.arguments()), distinct, types.isEmpty());
    }

    private static Optional<Supplier<Accumulator>> nativeAccumulators(
            String function, List<SqlType> arguments, SqlType type) {
        return BuiltInFunctions.AGGREGATES
                .find(function)
                .flatMap(entry -> entry.accumulators().of(arguments, type));
    }
}
