package io.skep.engine.function.scalar;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The arithmetic operators with two arguments. */
enum Arithmetic {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    POSITIVE_REMAINDER;

    static @Nullable Arithmetic of(String name) {
        return switch (name) {
            case "+" -> ADD;
            case "-" -> SUBTRACT;
            case "*" -> MULTIPLY;
            case "/" -> DIVIDE;
            case "%", "mod" -> REMAINDER;
            case "pmod" -> POSITIVE_REMAINDER;
            default -> null;
        };
    }

    /**
     * Returns the kernel for arguments that are cast as the signature requires. Empty for dates, intervals and mixed
     * types.
     */
    Optional<ScalarFunction> kernel(List<SqlType> types, SqlType result) {
        SqlType left = types.get(0);
        SqlType right = types.get(1);
        if (left instanceof DecimalType a && right instanceof DecimalType b && result instanceof DecimalType type) {
            return Optional.of(new DecimalArithmetic(this, a, b, type));
        }
        if (!left.equals(result) || !right.equals(result)) {
            return Optional.empty();
        }
        return switch (result) {
            case PrimitiveType.TINYINT, PrimitiveType.SMALLINT, PrimitiveType.INT, PrimitiveType.BIGINT ->
                this == DIVIDE ? Optional.empty() : Optional.of(new IntegerArithmetic(this, (PrimitiveType) result));
            case PrimitiveType.FLOAT, PrimitiveType.DOUBLE ->
                Optional.of(new DoubleArithmetic(this, result == PrimitiveType.FLOAT));
            default -> Optional.empty();
        };
    }
}
