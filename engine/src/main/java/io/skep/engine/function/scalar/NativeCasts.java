package io.skep.engine.function.scalar;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.VectorAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Finds the native kernel of a cast. Casts without a kernel are left to Hive's class. */
public final class NativeCasts {
    private static final ScalarFunction IDENTITY = (arguments, rows) -> arguments[0];

    private NativeCasts() {}

    /** @param nested finds the casts of elements, keys, values and fields */
    public static Optional<ScalarFunction> find(
            SqlType from, SqlType to, BiFunction<SqlType, SqlType, ScalarFunction> nested) {
        if (from.equals(to)) {
            return Optional.of(IDENTITY);
        }
        if (from == PrimitiveType.VOID) {
            return Optional.of((arguments, rows) -> VectorAppender.nulls(to, rows));
        }
        return switch (to) {
            case PrimitiveType primitive -> toPrimitive(from, primitive);
            case DecimalType decimal -> toDecimal(from, decimal);
            case VarcharType text -> toText(from, text.length(), false);
            case CharType text -> toText(from, text.length(), true);
            case ArrayType array
            when from instanceof ArrayType source ->
                Optional.of(NestedCast.ofArray(nested.apply(source.element(), array.element())));
            case MapType map
            when from instanceof MapType source ->
                Optional.of(NestedCast.ofMap(
                        nested.apply(source.key(), map.key()), nested.apply(source.value(), map.value())));
            case StructType struct
            when from instanceof StructType source
                    && source.fields().size() == struct.fields().size() ->
                Optional.of(NestedCast.ofStruct(fields(source, struct, nested)));
            default -> Optional.empty();
        };
    }

    private static List<ScalarFunction> fields(
            StructType from, StructType to, BiFunction<SqlType, SqlType, ScalarFunction> nested) {
        List<ScalarFunction> casts = new ArrayList<>();
        for (int i = 0; i < to.fields().size(); i++) {
            casts.add(
                    nested.apply(from.fields().get(i).type(), to.fields().get(i).type()));
        }
        return casts;
    }

    private static Optional<ScalarFunction> toPrimitive(SqlType from, PrimitiveType to) {
        return switch (to) {
            case TINYINT, SMALLINT, INT, BIGINT -> toInteger(from, to);
            case FLOAT, DOUBLE -> toReal(from, to == PrimitiveType.FLOAT);
            case STRING -> toString(from);
            case DATE -> from == PrimitiveType.TIMESTAMP ? Optional.of(new DateCasts.OfTimestamp()) : Optional.empty();
            case TIMESTAMP -> from == PrimitiveType.DATE ? Optional.of(new DateCasts.ToTimestamp()) : Optional.empty();
            case BOOLEAN -> isInteger(from) ? Optional.of(new NumberCasts.IntegerToBoolean()) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<ScalarFunction> toInteger(SqlType from, PrimitiveType to) {
        return switch (from) {
            case PrimitiveType.BOOLEAN -> Optional.of(IDENTITY);
            case PrimitiveType source
            when isInteger(source) -> Optional.of(source.compareTo(to) < 0 ? IDENTITY : new NumberCasts.Narrow(to));
            case PrimitiveType.FLOAT, PrimitiveType.DOUBLE -> Optional.of(new NumberCasts.RealToInteger(to));
            case DecimalType decimal -> Optional.of(new DecimalCasts.ToInteger(decimal, to));
            default -> Optional.empty();
        };
    }

    private static Optional<ScalarFunction> toReal(SqlType from, boolean floats) {
        return switch (from) {
            case PrimitiveType.FLOAT -> Optional.of(IDENTITY);
            case PrimitiveType.DOUBLE -> Optional.of(new NumberCasts.DoubleToFloat());
            case PrimitiveType source
            when isInteger(source) || source == PrimitiveType.BOOLEAN ->
                Optional.of(new NumberCasts.IntegerToReal(floats));
            case DecimalType decimal -> Optional.of(new DecimalCasts.ToReal(decimal, floats));
            default -> Optional.empty();
        };
    }

    private static Optional<ScalarFunction> toDecimal(SqlType from, DecimalType to) {
        return switch (from) {
            case DecimalType decimal -> Optional.of(new DecimalCasts.Rescale(decimal, to));
            case PrimitiveType source
            when isInteger(source) ->
                Optional.of(new DecimalCasts.Rescale(new DecimalType(DecimalType.MAX_SHORT_PRECISION, 0), to));
            default -> Optional.empty();
        };
    }

    private static Optional<ScalarFunction> toString(SqlType from) {
        return switch (from) {
            case VarcharType text -> Optional.of(IDENTITY);
            case CharType text -> Optional.of(IDENTITY);
            case PrimitiveType.BOOLEAN -> Optional.of(new TextCasts.OfBoolean());
            case PrimitiveType.DATE -> Optional.of(new TextCasts.OfDate());
            case PrimitiveType source when isInteger(source) -> Optional.of(new TextCasts.OfInteger());
            default -> Optional.empty();
        };
    }

    private static Optional<ScalarFunction> toText(SqlType from, int length, boolean padded) {
        boolean text = from == PrimitiveType.STRING || from instanceof VarcharType || from instanceof CharType;
        return text ? Optional.of(new TextCasts.Cut(length, padded)) : Optional.empty();
    }

    static boolean isInteger(SqlType type) {
        return type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT;
    }
}
