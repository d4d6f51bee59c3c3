package io.skep.engine.function.scalar;

import io.skep.common.type.SqlType;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.Vector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The comparison operators with two arguments of the same type, or of two types with the same layout. */
enum Comparison {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    static @Nullable Comparison of(String name) {
        return switch (name) {
            case "=", "==" -> EQUAL;
            case "<>", "!=" -> NOT_EQUAL;
            case "<" -> LESS;
            case "<=" -> LESS_OR_EQUAL;
            case ">" -> GREATER;
            case ">=" -> GREATER_OR_EQUAL;
            default -> null;
        };
    }

    /** Returns the kernel. Empty for nested values. */
    Optional<ScalarFunction> kernel(SqlType type) {
        return switch (type.vectorKind()) {
            case LONG -> Optional.of(new LongComparison(this));
            case DOUBLE -> Optional.of(new DoubleComparison(this));
            case BYTES -> Optional.of(new BytesComparison(this));
            case DECIMAL128 -> Optional.of(new DecimalComparison(this));
            case TIMESTAMP -> Optional.of(new TimestampComparison(this));
            case LIST, MAP, STRUCT, UNION -> Optional.empty();
        };
    }

    /** Whether the comparison holds for two values with the given order (negative, zero, positive). */
    boolean holds(int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }

    static Vector result(long[] truths, Vector left, Vector right) {
        int rows = truths.length;
        return new LongVector(truths, NullMask.or(left.nulls(), right.nulls(), rows), rows);
    }
}
