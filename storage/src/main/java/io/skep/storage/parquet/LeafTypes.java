package io.skep.storage.parquet;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.type.VectorKind;
import java.math.BigInteger;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;

/** Defines which leaf types of a file can be read as which SQL types. */
final class LeafTypes {
    private LeafTypes() {}

    /** @throws SkepException (TYPE_MISMATCH) when there is no conversion */
    static void check(org.apache.parquet.schema.PrimitiveType leaf, SqlType wanted) {
        if (!readable(leaf, wanted)) {
            throw new SkepException(
                            StandardErrorCode.TYPE_MISMATCH, "Parquet's '" + leaf + "' cannot be read as " + wanted)
                    .withHint("declare the column with a type that fits the files");
        }
    }

    private static boolean readable(org.apache.parquet.schema.PrimitiveType leaf, SqlType wanted) {
        boolean text = wanted == PrimitiveType.STRING || wanted instanceof CharType || wanted instanceof VarcharType;
        boolean decimal = leaf.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation;
        boolean timestamp = wanted == PrimitiveType.TIMESTAMP || wanted == PrimitiveType.TIMESTAMP_LOCAL_TZ;
        boolean floating = wanted.vectorKind() == VectorKind.DOUBLE;
        boolean number = wanted instanceof DecimalType || floating || integer(wanted);
        return switch (leaf.getPrimitiveTypeName()) {
            case BOOLEAN -> wanted == PrimitiveType.BOOLEAN || text;
            case INT32 ->
                leaf.getLogicalTypeAnnotation() instanceof DateLogicalTypeAnnotation
                        ? wanted == PrimitiveType.DATE || wanted == PrimitiveType.TIMESTAMP || text
                        : number || text || wanted == PrimitiveType.DATE;
            case INT64 ->
                leaf.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation
                        ? timestamp || wanted == PrimitiveType.DATE || text
                        : number || text;
            case FLOAT, DOUBLE -> number || text;
            case INT96 -> timestamp || wanted == PrimitiveType.DATE || text;
            case BINARY, FIXED_LEN_BYTE_ARRAY -> decimal ? number || text : wanted == PrimitiveType.BINARY || text;
        };
    }

    /** Whether the requested type can represent each value of a leaf. Otherwise some values are read as null. */
    static boolean keepsAll(org.apache.parquet.schema.PrimitiveType leaf, SqlType wanted) {
        return switch (leaf.getLogicalTypeAnnotation()) {
            case DecimalLogicalTypeAnnotation decimal ->
                keepsDecimals(decimal.getPrecision(), decimal.getScale(), wanted);
            case IntLogicalTypeAnnotation integer -> keepsIntegers(integer.getBitWidth(), integer.isSigned(), wanted);
            case null, default ->
                switch (leaf.getPrimitiveTypeName()) {
                    case INT32 -> keepsIntegers(Integer.SIZE, true, wanted);
                    case INT64 -> keepsIntegers(Long.SIZE, true, wanted);
                    case FLOAT, DOUBLE -> !integer(wanted) && !(wanted instanceof DecimalType);
                    case BOOLEAN, INT96, BINARY, FIXED_LEN_BYTE_ARRAY -> true;
                };
        };
    }

    private static boolean keepsDecimals(int precision, int scale, SqlType wanted) {
        int whole = precision - scale;
        return switch (wanted) {
            // Rounding may carry into one more digit.
            case DecimalType decimal -> whole + (decimal.scale() < scale ? 1 : 0) <= digits(decimal);
            default -> !integer(wanted) || scale == 0 && whole <= digits(wanted);
        };
    }

    private static boolean keepsIntegers(int bits, boolean signed, SqlType wanted) {
        return switch (wanted) {
            case PrimitiveType t when t == PrimitiveType.TINYINT -> signed && bits <= Byte.SIZE;
            case PrimitiveType t when t == PrimitiveType.SMALLINT -> signed && bits <= Short.SIZE;
            case PrimitiveType t
            when t == PrimitiveType.INT || t == PrimitiveType.DATE -> signed && bits <= Integer.SIZE;
            case DecimalType decimal -> BigInteger.TWO.pow(bits).toString().length() <= digits(decimal);
            default -> true;
        };
    }

    /** Returns the largest number of digits before the decimal point that every number of a type can hold. */
    private static int digits(SqlType type) {
        return switch (type) {
            case DecimalType decimal -> decimal.precision() - decimal.scale();
            case PrimitiveType t when t == PrimitiveType.TINYINT -> 2;
            case PrimitiveType t when t == PrimitiveType.SMALLINT -> 4;
            case PrimitiveType t when t == PrimitiveType.INT -> 9;
            case PrimitiveType t when t == PrimitiveType.BIGINT -> 18;
            default -> Integer.MAX_VALUE;
        };
    }

    private static boolean integer(SqlType type) {
        return type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT;
    }
}
