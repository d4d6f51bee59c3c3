package io.skep.storage.parquet;

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
import io.skep.storage.table.Column;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Converts SQL types to the layout that Hive uses in Parquet files. */
final class ParquetTypes {
    private ParquetTypes() {}

    /** @param timestamps present when timestamps are stored as INT64 */
    static MessageType message(List<Column> columns, Optional<TimestampUnits> timestamps) {
        Types.MessageTypeBuilder message = Types.buildMessage();
        for (Column column : columns) {
            message.addField(type(column.name(), column.type(), Type.Repetition.OPTIONAL, timestamps));
        }
        return message.named("hive_schema");
    }

    private static Type type(
            String name, SqlType type, Type.Repetition repetition, Optional<TimestampUnits> timestamps) {
        return switch (type) {
            case PrimitiveType primitive
            when primitive == PrimitiveType.TIMESTAMP && timestamps.isPresent() ->
                leaf(PrimitiveTypeName.INT64, timestamps.get().annotation(), repetition, name);
            case PrimitiveType primitive -> primitive(name, primitive, repetition);
            case CharType text -> leaf(PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType(), repetition, name);
            case VarcharType text ->
                leaf(PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType(), repetition, name);
            case DecimalType decimal ->
                Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
                        .length(decimalBytes(decimal.precision()))
                        .as(LogicalTypeAnnotation.decimalType(decimal.scale(), decimal.precision()))
                        .named(name);
            case ArrayType array ->
                Types.buildGroup(repetition)
                        .as(LogicalTypeAnnotation.listType())
                        .addField(Types.buildGroup(Type.Repetition.REPEATED)
                                .addField(type("array_element", array.element(), Type.Repetition.OPTIONAL, timestamps))
                                .named("bag"))
                        .named(name);
            case MapType map ->
                Types.buildGroup(repetition)
                        .as(LogicalTypeAnnotation.mapType())
                        .addField(Types.buildGroup(Type.Repetition.REPEATED)
                                .addField(type("key", map.key(), Type.Repetition.REQUIRED, timestamps))
                                .addField(type("value", map.value(), Type.Repetition.OPTIONAL, timestamps))
                                .named("key_value"))
                        .named(name);
            case StructType struct -> {
                Types.GroupBuilder<GroupType> group = Types.buildGroup(repetition);
                struct.fields()
                        .forEach(field ->
                                group.addField(type(field.name(), field.type(), Type.Repetition.OPTIONAL, timestamps)));
                yield group.named(name);
            }
            case UnionType union -> throw unsupported(union);
        };
    }

    private static Type primitive(String name, PrimitiveType type, Type.Repetition repetition) {
        return switch (type) {
            case BOOLEAN -> leaf(PrimitiveTypeName.BOOLEAN, null, repetition, name);
            case TINYINT -> leaf(PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(8, true), repetition, name);
            case SMALLINT -> leaf(PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(16, true), repetition, name);
            case INT -> leaf(PrimitiveTypeName.INT32, null, repetition, name);
            case BIGINT -> leaf(PrimitiveTypeName.INT64, null, repetition, name);
            case FLOAT -> leaf(PrimitiveTypeName.FLOAT, null, repetition, name);
            case DOUBLE -> leaf(PrimitiveTypeName.DOUBLE, null, repetition, name);
            case STRING -> leaf(PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType(), repetition, name);
            case BINARY -> leaf(PrimitiveTypeName.BINARY, null, repetition, name);
            case DATE -> leaf(PrimitiveTypeName.INT32, LogicalTypeAnnotation.dateType(), repetition, name);
            case TIMESTAMP -> leaf(PrimitiveTypeName.INT96, null, repetition, name);
            case TIMESTAMP_LOCAL_TZ ->
                leaf(
                        PrimitiveTypeName.INT64,
                        LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS),
                        repetition,
                        name);
            case VOID, INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME -> throw unsupported(type);
        };
    }

    private static Type leaf(
            PrimitiveTypeName physical,
            @Nullable LogicalTypeAnnotation logical,
            Type.Repetition repetition,
            String name) {
        return Types.primitive(physical, repetition).as(logical).named(name);
    }

    /** Returns the smallest number of bytes that holds every decimal of a precision. */
    static int decimalBytes(int precision) {
        return BigInteger.TEN.pow(precision).bitLength() / 8 + 1;
    }

    private static SkepException unsupported(SqlType type) {
        return new SkepException(StandardErrorCode.NOT_SUPPORTED, "Parquet files cannot hold type " + type);
    }
}
