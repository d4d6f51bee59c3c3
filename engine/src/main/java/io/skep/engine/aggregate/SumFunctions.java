package io.skep.engine.aggregate;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** sum: of integers as bigint, of decimals exactly, of all else as double. {@code $sum0} of no rows is zero. */
final class SumFunctions {
    static final List<AggregateFunctionEntry> ENTRIES =
            List.of(entry("sum", Nullability.NULL_ON_NULL, false), entry("$sum0", Nullability.BY_VALUE, true));

    private SumFunctions() {}

    private static AggregateFunctionEntry entry(String name, Nullability nullability, boolean zeroWhenEmpty) {
        return new AggregateFunctionEntry(
                FunctionMetadata.ofHive(nullability, name),
                AggregateFunctionEntry.TypeRule.ofOne(arguments ->
                        NumericArguments.summed(arguments.getFirst()).map(SumFunctions::types)),
                (arguments, type) -> accumulators(arguments.getFirst(), type, zeroWhenEmpty));
    }

    private static AggregateFunctionEntry.Types types(SqlType parameter) {
        return AggregateFunctionEntry.Types.of(
                parameter, parameter instanceof DecimalType decimal ? NumericArguments.sum(decimal) : parameter);
    }

    private static Optional<Supplier<Accumulator>> accumulators(SqlType argument, SqlType type, boolean zeroWhenEmpty) {
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
}
