package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Creates accumulators of min and max by the vector kind of the values. Nested values are left to Hive's class. */
final class ExtremeAccumulators {
    static final List<AggregateFunctionEntry> ENTRIES = List.of(entry("min", false), entry("max", true));

    private ExtremeAccumulators() {}

    private static AggregateFunctionEntry entry(String name, boolean greatest) {
        return new AggregateFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, name),
                AggregateFunctionEntry.TypeRule.ofOne(arguments -> of(arguments.getFirst(), greatest)
                        .map(known -> AggregateFunctionEntry.Types.of(arguments.getFirst(), arguments.getFirst()))),
                (arguments, type) -> of(arguments.getFirst(), greatest));
    }

    private static Optional<Supplier<Accumulator>> of(SqlType type, boolean greatest) {
        if (type == PrimitiveType.VOID) {
            return Optional.of(() -> new LongExtremeAccumulator(greatest));
        }
        return switch (type.vectorKind()) {
            case LONG -> Optional.of(() -> new LongExtremeAccumulator(greatest));
            case DOUBLE -> Optional.of(() -> new DoubleExtremeAccumulator(greatest));
            case BYTES -> Optional.of(() -> new BytesExtremeAccumulator(greatest));
            case DECIMAL128 -> Optional.of(() -> new DecimalExtremeAccumulator(greatest));
            case TIMESTAMP -> Optional.of(() -> new TimestampExtremeAccumulator(greatest));
            case LIST, MAP, STRUCT, UNION -> Optional.empty();
        };
    }
}
