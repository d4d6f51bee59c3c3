package io.skep.engine.function.scalar;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.function.entry.FunctionMetadata;
import io.skep.engine.function.entry.Nullability;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The arithmetic operators with two arguments. */
enum Arithmetic {
    ADD("+"),
    SUBTRACT("-"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%", "mod"),
    POSITIVE_REMAINDER("pmod");

    private final String[] names;

    Arithmetic(String... names) {
        this.names = names;
    }

    static List<ScalarFunctionEntry> entries() {
        return Arrays.stream(values()).map(Arithmetic::entry).toList();
    }

    private ScalarFunctionEntry entry() {
        return new ScalarFunctionEntry(
                FunctionMetadata.ofHive(Nullability.NULL_ON_NULL, names),
                ArithmeticTypes.of(this),
                call -> call.types().size() == 2 ? kernel(call.types(), call.type()) : Optional.empty());
    }

    /**
     * Returns the kernel for arguments that are cast as the signature requires. Empty for dates, intervals and mixed
     * types.
     */
    private Optional<ScalarFunction> kernel(List<SqlType> types, SqlType result) {
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
