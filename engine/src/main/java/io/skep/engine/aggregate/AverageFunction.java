package io.skep.engine.aggregate;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** avg: of decimals exactly, rounded to four digits more than they have; of all else as double. */
final class AverageFunction {
    static final AggregateFunctionEntry ENTRY = new AggregateFunctionEntry(
            FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, "avg"),
            AggregateFunctionEntry.TypeRule.ofOne(
                    arguments -> NumericArguments.summed(arguments.getFirst()).map(AverageFunction::types)),
            (arguments, type) -> accumulators(arguments.getFirst(), type));

    /** Digits behind the point that an average has more than its values. */
    private static final int MORE_SCALE = 4;

    private AverageFunction() {}

    private static AggregateFunctionEntry.Types types(SqlType parameter) {
        if (parameter instanceof DecimalType decimal) {
            int whole = decimal.precision() - decimal.scale();
            int scale = Math.min(decimal.scale() + MORE_SCALE, DecimalType.MAX_PRECISION - whole);
            return new AggregateFunctionEntry.Types(
                    List.of(decimal), state(NumericArguments.sum(decimal)), new DecimalType(whole + scale, scale));
        }
        return new AggregateFunctionEntry.Types(
                List.of(PrimitiveType.DOUBLE), state(PrimitiveType.DOUBLE), PrimitiveType.DOUBLE);
    }

    private static StructType state(SqlType sum) {
        return new StructType(
                List.of(new StructType.Field("count", PrimitiveType.BIGINT), new StructType.Field("sum", sum)));
    }

    private static Optional<Supplier<Accumulator>> accumulators(SqlType argument, SqlType type) {
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
}
