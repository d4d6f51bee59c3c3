package io.skep.engine.function.scalar;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import java.util.List;
import java.util.Optional;

/** The types of the arithmetic operators, as Hive has them. */
final class ArithmeticTypes {
    /** The digits after the decimal point that a decimal with too many digits keeps. */
    private static final int KEPT_SCALE = 6;

    private ArithmeticTypes() {}

    static ScalarTypes of(Arithmetic operation) {
        ScalarTypes.ResultRule result = operation == Arithmetic.POSITIVE_REMAINDER
                ? arguments -> Optional.empty()
                : arguments -> arguments.size() == 2
                        ? result(operation, arguments.get(0), arguments.get(1))
                        : Optional.empty();
        return new ScalarTypes(
                result, (arguments, type, zone) -> arguments.size() == 2 ? parameters(arguments, type) : arguments);
    }

    private static Optional<SqlType> result(Arithmetic operation, SqlType left, SqlType right) {
        if (NativeCasts.isInteger(left) && NativeCasts.isInteger(right)) {
            return Optional.of(operation == Arithmetic.DIVIDE ? PrimitiveType.DOUBLE : wider(left, right));
        }
        boolean real = left == PrimitiveType.DOUBLE || right == PrimitiveType.DOUBLE;
        if (real && isNumber(left) && isNumber(right)) {
            return Optional.of(PrimitiveType.DOUBLE);
        }
        return left instanceof DecimalType a && right instanceof DecimalType b
                ? Optional.of(decimal(operation, a, b))
                : Optional.empty();
    }

    private static DecimalType decimal(Arithmetic operation, DecimalType left, DecimalType right) {
        int leftWhole = left.precision() - left.scale();
        int rightWhole = right.precision() - right.scale();
        int scale = Math.max(left.scale(), right.scale());
        return switch (operation) {
            case ADD, SUBTRACT -> bounded(Math.max(leftWhole, rightWhole) + 1 + scale, scale);
            case MULTIPLY -> bounded(left.precision() + right.precision() + 1, left.scale() + right.scale());
            case DIVIDE -> {
                int quotientScale = Math.max(KEPT_SCALE, left.scale() + right.precision() + 1);
                yield bounded(leftWhole + right.scale() + quotientScale, quotientScale);
            }
            case REMAINDER, POSITIVE_REMAINDER -> bounded(Math.min(leftWhole, rightWhole) + scale, scale);
        };
    }

    /** Limits a type to 38 digits: digits after the decimal point are dropped, but up to six of them are kept. */
    private static DecimalType bounded(int precision, int scale) {
        if (precision <= DecimalType.MAX_PRECISION) {
            return new DecimalType(Math.max(1, precision), scale);
        }
        int whole = precision - scale;
        int kept = Math.max(DecimalType.MAX_PRECISION - whole, Math.min(scale, KEPT_SCALE));
        return new DecimalType(DecimalType.MAX_PRECISION, kept);
    }

    private static SqlType wider(SqlType left, SqlType right) {
        return ((PrimitiveType) left).compareTo((PrimitiveType) right) >= 0 ? left : right;
    }

    private static List<SqlType> parameters(List<SqlType> types, SqlType result) {
        return types.stream().map(type -> parameter(type, result)).toList();
    }

    private static SqlType parameter(SqlType type, SqlType result) {
        return switch (result) {
            case DecimalType decimal -> exact(type);
            case PrimitiveType primitive when isBinaryNumber(primitive) && isNumberOrText(type) -> primitive;
            default -> type;
        };
    }

    /** Returns the decimal type that holds all values of an integer type. */
    private static SqlType exact(SqlType type) {
        return switch (type) {
            case PrimitiveType.TINYINT -> new DecimalType(3, 0);
            case PrimitiveType.SMALLINT -> new DecimalType(5, 0);
            case PrimitiveType.INT -> new DecimalType(10, 0);
            case PrimitiveType.BIGINT -> new DecimalType(19, 0);
            default -> type;
        };
    }

    private static boolean isBinaryNumber(SqlType type) {
        return NativeCasts.isInteger(type) || type == PrimitiveType.FLOAT || type == PrimitiveType.DOUBLE;
    }

    /** Whether values are integers, binary fractions or decimals. */
    static boolean isNumber(SqlType type) {
        return isBinaryNumber(type) || type instanceof DecimalType;
    }

    private static boolean isNumberOrText(SqlType type) {
        return isNumber(type)
                || type == PrimitiveType.STRING
                || type == PrimitiveType.VOID
                || type instanceof CharType
                || type instanceof VarcharType;
    }
}
