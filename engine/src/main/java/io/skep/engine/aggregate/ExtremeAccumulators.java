package io.skep.engine.aggregate;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import java.util.Optional;
import java.util.function.Supplier;

/** Creates accumulators of min and max by the vector kind of the values. Nested values are left to Hive's class. */
final class ExtremeAccumulators {
    private ExtremeAccumulators() {}

    static Optional<Supplier<Accumulator>> of(SqlType type, boolean greatest) {
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
