package io.skep.storage.parquet;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.storage.table.Column;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * The SQL types of the columns of files, for tables that get their columns from a file: {@link ParquetTypes} reversed,
 * also for other writers than Hive's.
 */
final class ParquetSchema {
    private ParquetSchema() {}

    /** @throws SkepException NOT_SUPPORTED, with the type that no SQL type holds */
    static List<Column> columns(MessageType schema) {
        return schema.getFields().stream()
                .map(field -> new Column(field.getName().toLowerCase(Locale.ROOT), column(field)))
                .toList();
    }

    /** A repeated field without a list around it is a list. */
    private static SqlType column(Type field) {
        SqlType type = of(field);
        return field.isRepetition(Type.Repetition.REPEATED) ? new ArrayType(type) : type;
    }

    private static SqlType of(Type field) {
        if (field.isPrimitive()) {
            return leaf(field.asPrimitiveType());
        }
        GroupType group = field.asGroupType();
        return switch (group.getLogicalTypeAnnotation()) {
            case ListLogicalTypeAnnotation _ -> new ArrayType(element(group));
            case MapLogicalTypeAnnotation _, MapKeyValueTypeAnnotation _ -> map(group);
            case null -> struct(group);
            case LogicalTypeAnnotation other -> throw unsupported(field, other);
        };
    }

    private static SqlType struct(GroupType group) {
        return new StructType(group.getFields().stream()
                .map(field -> new StructType.Field(field.getName(), column(field)))
                .toList());
    }

    /**
     * Returns the type of a list's elements. By the rules of the format, the repeated field is the element itself if it
     * has several fields, or one of the names that old writers gave to elements.
     */
    private static SqlType element(GroupType list) {
        Type repeated = repeated(list);
        if (repeated.isPrimitive()) {
            return leaf(repeated.asPrimitiveType());
        }
        GroupType group = repeated.asGroupType();
        boolean isElement = group.getFieldCount() != 1
                || group.getName().equals("array")
                || group.getName().equals(list.getName() + "_tuple");
        return isElement ? struct(group) : of(group.getType(0));
    }

    private static SqlType map(GroupType map) {
        Type repeated = repeated(map);
        if (repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 2) {
            throw unsupported(map, map.getLogicalTypeAnnotation());
        }
        GroupType entry = repeated.asGroupType();
        return new MapType(of(entry.getType(0)), of(entry.getType(1)));
    }

    private static Type repeated(GroupType group) {
        if (group.getFieldCount() != 1 || !group.getType(0).isRepetition(Type.Repetition.REPEATED)) {
            throw unsupported(group, group.getLogicalTypeAnnotation());
        }
        return group.getType(0);
    }

    private static SqlType leaf(org.apache.parquet.schema.PrimitiveType leaf) {
        return switch (leaf.getLogicalTypeAnnotation()) {
            case null -> plain(leaf);
            case StringLogicalTypeAnnotation _, EnumLogicalTypeAnnotation _ -> PrimitiveType.STRING;
            case DateLogicalTypeAnnotation _ -> PrimitiveType.DATE;
            case DecimalLogicalTypeAnnotation decimal
            when decimal.getPrecision() <= DecimalType.MAX_PRECISION ->
                new DecimalType(decimal.getPrecision(), decimal.getScale());
            case TimestampLogicalTypeAnnotation timestamp ->
                timestamp.isAdjustedToUTC() ? PrimitiveType.TIMESTAMP_LOCAL_TZ : PrimitiveType.TIMESTAMP;
            case IntLogicalTypeAnnotation integer
            when integer.isSigned() ->
                switch (integer.getBitWidth()) {
                    case Byte.SIZE -> PrimitiveType.TINYINT;
                    case Short.SIZE -> PrimitiveType.SMALLINT;
                    case Integer.SIZE -> PrimitiveType.INT;
                    default -> PrimitiveType.BIGINT;
                };
            case LogicalTypeAnnotation other -> throw unsupported(leaf, other);
        };
    }

    private static SqlType plain(org.apache.parquet.schema.PrimitiveType leaf) {
        return switch (leaf.getPrimitiveTypeName()) {
            case BOOLEAN -> PrimitiveType.BOOLEAN;
            case INT32 -> PrimitiveType.INT;
            case INT64 -> PrimitiveType.BIGINT;
            case FLOAT -> PrimitiveType.FLOAT;
            case DOUBLE -> PrimitiveType.DOUBLE;
            case INT96 -> PrimitiveType.TIMESTAMP;
            case BINARY, FIXED_LEN_BYTE_ARRAY -> PrimitiveType.BINARY;
        };
    }

    private static SkepException unsupported(Type field, @Nullable LogicalTypeAnnotation annotation) {
        return new SkepException(
                StandardErrorCode.NOT_SUPPORTED,
                "Unhandled type " + (annotation == null ? field : annotation) + " of field '" + field.getName() + "'");
    }
}
