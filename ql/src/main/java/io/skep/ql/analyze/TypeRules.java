package io.skep.ql.analyze;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.TypeParser;
import io.skep.common.type.VarcharType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.jspecify.annotations.Nullable;

/** Hive's rules for mixed types. Most of them are delegated to Hive's own registry. */
public final class TypeRules {
    private TypeRules() {}

    /**
     * Returns the type in which two values are compared, DOUBLE where no other type fits. Empty if the values cannot be
     * compared. Bytes are compared with bytes alone: as a number they would be NULL.
     */
    public static Optional<SqlType> comparison(SqlType left, SqlType right) {
        Optional<SqlType> same = equalOrVoid(left, right);
        if (same.isPresent() || left == PrimitiveType.BINARY || right == PrimitiveType.BINARY) {
            return same;
        }
        return decimals(left, right)
                .or(() -> ofHive(FunctionRegistry.getCommonClassForComparison(toHive(left), toHive(right))))
                .or(() -> isComplex(left) || isComplex(right) ? Optional.empty() : Optional.of(PrimitiveType.DOUBLE));
    }

    /** Whether two types would be compared as doubles, which have fewer digits than one of the sides. */
    static boolean comparesUnsafely(SqlType left, SqlType right) {
        return losesDigits(left, right) || losesDigits(right, left);
    }

    private static boolean losesDigits(SqlType number, SqlType other) {
        boolean bigint = number == PrimitiveType.BIGINT;
        return (bigint || number instanceof DecimalType) && isText(other) || bigint && other == PrimitiveType.DOUBLE;
    }

    /** Whether Hive converts a value implicitly. */
    static boolean implicitlyConvertible(SqlType from, SqlType to) {
        return from.equals(to)
                || from == PrimitiveType.VOID
                || TypeInfoUtils.implicitConvertible(toHive(from), toHive(to));
    }

    /** Returns the type of a column of a set operation. Empty if the types of the branches are incompatible. */
    public static Optional<SqlType> union(SqlType left, SqlType right) {
        return equalOrVoid(left, right)
                .or(() -> ofHive(FunctionRegistry.getCommonClassForUnionAll(toHive(left), toHive(right))));
    }

    /**
     * Returns the type of a value that is one of several, as in CASE and VALUES. It is text when no other type fits.
     */
    public static Optional<SqlType> common(SqlType left, SqlType right) {
        return equalOrVoid(left, right)
                .or(() -> nested(left, right))
                .or(() -> ofHive(FunctionRegistry.getCommonClass(toHive(left), toHive(right))));
    }

    /**
     * Returns the common type of two branches of CASE or IF. Booleans and nested values only combine with their own
     * type.
     */
    static Optional<SqlType> branch(SqlType left, SqlType right) {
        boolean own = left == PrimitiveType.BOOLEAN
                || right == PrimitiveType.BOOLEAN
                || isComplex(left) && !isInterval(left)
                || isComplex(right) && !isInterval(right);
        boolean known = left == PrimitiveType.VOID || right == PrimitiveType.VOID || left.equals(right);
        return own && !known ? Optional.empty() : common(left, right);
    }

    private static Optional<SqlType> nested(SqlType left, SqlType right) {
        if (left instanceof ArrayType a && right instanceof ArrayType b) {
            return common(a.element(), b.element()).map(ArrayType::new);
        }
        if (left instanceof MapType a && right instanceof MapType b) {
            Optional<SqlType> value = common(a.value(), b.value());
            return common(a.key(), b.key()).flatMap(key -> value.map(v -> new MapType(key, v)));
        }
        if (left instanceof StructType a && right instanceof StructType b) {
            return struct(a, b);
        }
        return Optional.empty();
    }

    private static Optional<SqlType> struct(StructType left, StructType right) {
        if (left.fields().size() != right.fields().size()) {
            return Optional.empty();
        }
        List<StructType.Field> fields = new ArrayList<>();
        for (int i = 0; i < left.fields().size(); i++) {
            StructType.Field field = left.fields().get(i);
            Optional<SqlType> type = common(field.type(), right.fields().get(i).type());
            if (type.isEmpty()) {
                return Optional.empty();
            }
            fields.add(new StructType.Field(field.name(), type.get()));
        }
        return Optional.of(new StructType(fields));
    }

    private static Optional<SqlType> equalOrVoid(SqlType left, SqlType right) {
        if (left.equals(right) || right == PrimitiveType.VOID) {
            return Optional.of(left);
        }
        return left == PrimitiveType.VOID ? Optional.of(right) : Optional.empty();
    }

    /** Returns a decimal type with room for all digits of both types, up to 38 digits. */
    private static Optional<SqlType> decimals(SqlType left, SqlType right) {
        Optional<DecimalType> a = asDecimal(left);
        Optional<DecimalType> b = asDecimal(right);
        if (a.isEmpty() || b.isEmpty() || !(left instanceof DecimalType || right instanceof DecimalType)) {
            return Optional.empty();
        }
        int scale = Math.max(a.get().scale(), b.get().scale());
        int whole = Math.max(
                a.get().precision() - a.get().scale(),
                b.get().precision() - b.get().scale());
        int precision = Math.min(DecimalType.MAX_PRECISION, whole + scale);
        return Optional.of(new DecimalType(precision, Math.min(scale, Math.max(0, precision - whole))));
    }

    private static Optional<DecimalType> asDecimal(SqlType type) {
        if (type instanceof DecimalType decimal) {
            return Optional.of(decimal);
        }
        if (!(type instanceof PrimitiveType primitive)) {
            return Optional.empty();
        }
        return switch (primitive) {
            case TINYINT -> Optional.of(new DecimalType(3, 0));
            case SMALLINT -> Optional.of(new DecimalType(5, 0));
            case INT -> Optional.of(new DecimalType(10, 0));
            case BIGINT -> Optional.of(new DecimalType(19, 0));
            default -> Optional.empty();
        };
    }

    private static TypeInfo toHive(SqlType type) {
        return TypeInfoUtils.getTypeInfoFromTypeString(type.displayName());
    }

    private static Optional<SqlType> ofHive(@Nullable TypeInfo type) {
        return type == null ? Optional.empty() : Optional.of(TypeParser.parse(type.getTypeName()));
    }

    static boolean isText(SqlType type) {
        return type == PrimitiveType.STRING || type instanceof CharType || type instanceof VarcharType;
    }

    /** Returns Hive's name of a kind of types without an order, if the type is of one. */
    static Optional<String> notOrdered(SqlType type) {
        return isComplex(type) && !isInterval(type)
                ? Optional.of(toHive(type).getCategory().name())
                : Optional.empty();
    }

    /** Whether values of a type have parts: arrays, maps, structs and unions. */
    public static boolean isComplex(SqlType type) {
        return switch (type) {
            case PrimitiveType p -> false;
            case DecimalType d -> false;
            case CharType c -> false;
            case VarcharType v -> false;
            default -> true;
        };
    }

    static boolean isNumeric(SqlType type) {
        return switch (type) {
            case DecimalType decimal -> true;
            case PrimitiveType primitive ->
                switch (primitive) {
                    case TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE -> true;
                    default -> false;
                };
            default -> false;
        };
    }

    static boolean isInterval(SqlType type) {
        return type == PrimitiveType.INTERVAL_DAY_TIME || type == PrimitiveType.INTERVAL_YEAR_MONTH;
    }

    /** Returns the reason why a CAST is rejected, if it is. */
    static Optional<String> castRefusal(SqlType from, SqlType to) {
        if (from.equals(to) || from == PrimitiveType.VOID) {
            return Optional.empty();
        }
        if (isComplex(from) != isComplex(to)) {
            return refusal(from, to);
        }
        if (to == PrimitiveType.DATE && (isNumeric(from) || from == PrimitiveType.BOOLEAN || isInterval(from))) {
            return refusal(from, to);
        }
        if (to == PrimitiveType.BINARY && !isText(from)) {
            return refusal(from, to);
        }
        if (isInterval(to) && !isText(from) || isInterval(from) && !isText(to)) {
            return refusal(from, to);
        }
        return Optional.empty();
    }

    private static Optional<String> refusal(SqlType from, SqlType to) {
        return Optional.of("a value of type " + from + " cannot be cast to " + to);
    }
}
