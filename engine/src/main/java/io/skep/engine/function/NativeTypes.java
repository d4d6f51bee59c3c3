package io.skep.engine.function;

import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.function.FunctionCatalog.Argument;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Result types of the most common functions, so that ordinary queries need not load all of Hive's function classes. A
 * test checks each rule against Hive's class. For all other functions the class determines the type.
 */
final class NativeTypes {
    private static final Set<String> COMPARISONS =
            Set.of("=", "==", "<=>", "<>", "!=", "<", "<=", ">", ">=", "is_not_distinct_from");
    private static final Set<String> ARITHMETIC = Set.of("+", "-", "*", "/", "%");
    private static final Set<String> TEXT =
            Set.of("upper", "lower", "ucase", "lcase", "substr", "substring", "concat", "||");
    private static final Set<String> NUMBERS =
            Set.of("length", "year", "quarter", "month", "day", "dayofmonth", "hour", "minute", "second", "datediff");
    private static final Set<String> TRUTHS =
            Set.of("isnull", "isnotnull", "istrue", "isnottrue", "isfalse", "isnotfalse", "not", "like");

    private NativeTypes() {}

    static boolean isKnown(String name) {
        return COMPARISONS.contains(name)
                || ARITHMETIC.contains(name)
                || TEXT.contains(name)
                || NUMBERS.contains(name)
                || TRUTHS.contains(name);
    }

    /** Returns the type, or empty if Hive's class must determine it. */
    static Optional<SqlType> of(String name, List<Argument> arguments) {
        List<SqlType> types = arguments.stream().map(Argument::type).toList();
        if (COMPARISONS.contains(name)) {
            return types.size() == 2 && areComparable(types.get(0), types.get(1))
                    ? Optional.of(PrimitiveType.BOOLEAN)
                    : Optional.empty();
        }
        if (ARITHMETIC.contains(name)) {
            return types.size() == 2 ? arithmetic(name, arguments) : Optional.empty();
        }
        return switch (name) {
            case "isnull", "isnotnull" -> when(types.size() == 1, PrimitiveType.BOOLEAN);
            case "istrue", "isnottrue", "isfalse", "isnotfalse", "not" ->
                when(types.equals(List.of(PrimitiveType.BOOLEAN)), PrimitiveType.BOOLEAN);
            case "like" -> when(isText(types, 2, 2), PrimitiveType.BOOLEAN);
            case "upper", "lower", "ucase", "lcase" -> when(isText(types, 1, 1), PrimitiveType.STRING);
            case "concat", "||" -> when(isText(types, 2, Integer.MAX_VALUE), PrimitiveType.STRING);
            case "length" -> when(isText(types, 1, 1), PrimitiveType.INT);
            case "substr", "substring" -> when(isSubstring(types), PrimitiveType.STRING);
            case "year", "quarter", "month", "day", "dayofmonth" ->
                when(types.size() == 1 && isDate(types.getFirst()), PrimitiveType.INT);
            case "hour", "minute", "second" -> when(types.equals(List.of(PrimitiveType.TIMESTAMP)), PrimitiveType.INT);
            case "datediff" -> when(types.equals(List.of(PrimitiveType.DATE, PrimitiveType.DATE)), PrimitiveType.INT);
            default -> Optional.empty();
        };
    }

    private static Optional<SqlType> when(boolean known, SqlType type) {
        return known ? Optional.of(type) : Optional.empty();
    }

    private static boolean isText(List<SqlType> types, int least, int most) {
        return types.size() >= least
                && types.size() <= most
                && types.stream().allMatch(type -> type == PrimitiveType.STRING);
    }

    private static boolean isSubstring(List<SqlType> types) {
        return types.size() >= 2
                && types.size() <= 3
                && types.getFirst() == PrimitiveType.STRING
                && types.stream().skip(1).allMatch(type -> type == PrimitiveType.INT);
    }

    private static boolean isDate(SqlType type) {
        return type == PrimitiveType.DATE || type == PrimitiveType.TIMESTAMP;
    }

    /** Whether the types are compared without a conversion. */
    private static boolean areComparable(SqlType left, SqlType right) {
        return left.equals(right)
                && left != PrimitiveType.VOID
                && switch (left.vectorKind()) {
                    case LONG, DOUBLE, BYTES, DECIMAL128, TIMESTAMP -> true;
                    case LIST, MAP, STRUCT, UNION -> false;
                };
    }

    private static Optional<SqlType> arithmetic(String name, List<Argument> arguments) {
        SqlType left = arguments.get(0).type();
        SqlType right = arguments.get(1).type();
        if (isInteger(left) && isInteger(right)) {
            return Optional.of(name.equals("/") ? PrimitiveType.DOUBLE : wider(left, right));
        }
        boolean real = left == PrimitiveType.DOUBLE || right == PrimitiveType.DOUBLE;
        if (real && isNumber(left) && isNumber(right)) {
            return Optional.of(PrimitiveType.DOUBLE);
        }
        return left instanceof DecimalType a && right instanceof DecimalType b
                ? Optional.of(decimal(name, a, b))
                : Optional.empty();
    }

    private static DecimalType decimal(String name, DecimalType left, DecimalType right) {
        int leftWhole = left.precision() - left.scale();
        int rightWhole = right.precision() - right.scale();
        int scale = Math.max(left.scale(), right.scale());
        return switch (name) {
            case "+", "-" -> bounded(Math.max(leftWhole, rightWhole) + 1 + scale, scale);
            case "*" -> bounded(left.precision() + right.precision() + 1, left.scale() + right.scale());
            case "/" -> {
                int quotientScale = Math.max(6, left.scale() + right.precision() + 1);
                yield bounded(leftWhole + right.scale() + quotientScale, quotientScale);
            }
            default -> bounded(Math.min(leftWhole, rightWhole) + scale, scale);
        };
    }

    /** Limits a type to 38 digits: digits after the decimal point are dropped, but up to six of them are kept. */
    private static DecimalType bounded(int precision, int scale) {
        if (precision <= DecimalType.MAX_PRECISION) {
            return new DecimalType(Math.max(1, precision), scale);
        }
        int whole = precision - scale;
        int kept = Math.max(DecimalType.MAX_PRECISION - whole, Math.min(scale, 6));
        return new DecimalType(DecimalType.MAX_PRECISION, kept);
    }

    private static SqlType wider(SqlType left, SqlType right) {
        return ((PrimitiveType) left).compareTo((PrimitiveType) right) >= 0 ? left : right;
    }

    private static boolean isInteger(SqlType type) {
        return type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT;
    }

    private static boolean isNumber(SqlType type) {
        return isInteger(type)
                || type == PrimitiveType.FLOAT
                || type == PrimitiveType.DOUBLE
                || type instanceof DecimalType;
    }
}
