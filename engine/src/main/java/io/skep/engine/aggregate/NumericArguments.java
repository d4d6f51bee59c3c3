package io.skep.engine.aggregate;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import java.util.Optional;

/** The types in which aggregates compute with numbers. */
final class NumericArguments {
    private NumericArguments() {}

    /**
     * Returns the type in which values of a type are summed. Empty if they cannot be summed, and for timestamps, which
     * Hive's classes interpret in UTC.
     */
    static Optional<SqlType> summed(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive ->
                switch (primitive) {
                    case TINYINT, SMALLINT, INT, BIGINT -> Optional.of(PrimitiveType.BIGINT);
                    case FLOAT, DOUBLE, STRING -> Optional.of(PrimitiveType.DOUBLE);
                    default -> Optional.empty();
                };
            case DecimalType decimal -> Optional.of(decimal);
            case CharType text -> Optional.of(PrimitiveType.DOUBLE);
            case VarcharType text -> Optional.of(PrimitiveType.DOUBLE);
            default -> Optional.empty();
        };
    }

    /** Returns the type of a sum. */
    static DecimalType sum(DecimalType type) {
        return new DecimalType(Math.min(DecimalType.MAX_PRECISION, type.precision() + 10), type.scale());
    }

    static boolean isReal(SqlType type) {
        return type == PrimitiveType.FLOAT || type == PrimitiveType.DOUBLE;
    }
}
