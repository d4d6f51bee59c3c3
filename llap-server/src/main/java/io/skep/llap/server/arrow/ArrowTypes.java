package io.skep.llap.server.arrow;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Hive's types as Arrow's. Timestamps have microseconds, as in Hive's own Arrow format: nanoseconds in 64 bits begin in
 * 1677, and Hive's timestamps in the year 1.
 */
public final class ArrowTypes {
    /** The key of a field's metadata with the Hive type of texts that have a length. */
    public static final String HIVE_TYPE = "HIVE:type";

    private static final int DECIMAL_BITS = 128;

    private ArrowTypes() {}

    /** @throws SkepException NOT_SUPPORTED when Arrow has no such type */
    public static Schema schema(List<String> names, List<SqlType> types) {
        List<Field> fields = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i++) {
            fields.add(field(names.get(i), types.get(i)));
        }
        return new Schema(fields);
    }

    private static Field field(String name, SqlType type) {
        return new Field(name, new FieldType(true, arrow(type), null, metadata(type)), children(type));
    }

    /** Returns what the Arrow type does not tell: readers compare values of CHAR in another way than texts. */
    private static Map<String, String> metadata(SqlType type) {
        return type instanceof CharType || type instanceof VarcharType
                ? Map.of(HIVE_TYPE, type.displayName())
                : Map.of();
    }

    private static List<Field> children(SqlType type) {
        return switch (type) {
            case ArrayType list -> List.of(field("item", list.element()));
            case StructType struct ->
                struct.fields().stream()
                        .map(field -> field(field.name(), field.type()))
                        .toList();
            case MapType map ->
                List.of(new Field(
                        MapVector.DATA_VECTOR_NAME,
                        FieldType.notNullable(ArrowType.Struct.INSTANCE),
                        List.of(
                                new Field(
                                        MapVector.KEY_NAME,
                                        new FieldType(false, arrow(map.key()), null, metadata(map.key())),
                                        children(map.key())),
                                field(MapVector.VALUE_NAME, map.value()))));
            case PrimitiveType _, DecimalType _, CharType _, VarcharType _, UnionType _ -> List.of();
        };
    }

    private static ArrowType arrow(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive -> arrow(primitive);
            case DecimalType decimal -> new ArrowType.Decimal(decimal.precision(), decimal.scale(), DECIMAL_BITS);
            case CharType _, VarcharType _ -> ArrowType.Utf8.INSTANCE;
            case ArrayType _ -> ArrowType.List.INSTANCE;
            case StructType _ -> ArrowType.Struct.INSTANCE;
            case MapType _ -> new ArrowType.Map(false);
            case UnionType _ -> throw unsupported(type);
        };
    }

    private static ArrowType arrow(PrimitiveType type) {
        return switch (type) {
            case VOID -> ArrowType.Null.INSTANCE;
            case BOOLEAN -> ArrowType.Bool.INSTANCE;
            case TINYINT -> new ArrowType.Int(8, true);
            case SMALLINT -> new ArrowType.Int(16, true);
            case INT -> new ArrowType.Int(32, true);
            case BIGINT -> new ArrowType.Int(64, true);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case STRING -> ArrowType.Utf8.INSTANCE;
            case BINARY -> ArrowType.Binary.INSTANCE;
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
            case TIMESTAMP_LOCAL_TZ -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC");
            case INTERVAL_YEAR_MONTH -> new ArrowType.Interval(IntervalUnit.YEAR_MONTH);
            case INTERVAL_DAY_TIME -> throw unsupported(type);
        };
    }

    private static SkepException unsupported(SqlType type) {
        return new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "columns of type " + type.displayName() + " cannot be read as Arrow")
                .withHint("cast the column to string");
    }
}
