package io.skep.pig;

import io.skep.mapred.RowSchema;
import java.io.IOException;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.pig.ResourceSchema;
import org.apache.pig.ResourceSchema.ResourceFieldSchema;
import org.apache.pig.data.BagFactory;
import org.apache.pig.data.DataBag;
import org.apache.pig.data.DataByteArray;
import org.apache.pig.data.DataType;
import org.apache.pig.data.Tuple;
import org.apache.pig.data.TupleFactory;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;
import org.jspecify.annotations.Nullable;

/**
 * Types and values as Pig has them. Arrays are bags of tuples with one field, structs are tuples, and maps need text as
 * keys. Dates and timestamps are datetimes in UTC, which have milliseconds.
 */
final class PigTypes {
    private PigTypes() {}

    /** @throws IOException when a column has a type that Pig does not have */
    static ResourceSchema schema(RowSchema columns) throws IOException {
        return schema(columns.arrow().getFields());
    }

    private static ResourceSchema schema(List<Field> fields) throws IOException {
        List<ResourceFieldSchema> converted = new ArrayList<>();
        for (Field field : fields) {
            converted.add(field(field.getName(), field));
        }
        return new ResourceSchema().setFields(converted.toArray(ResourceFieldSchema[]::new));
    }

    private static ResourceFieldSchema field(String name, Field field) throws IOException {
        ResourceFieldSchema converted = new ResourceFieldSchema().setName(name).setType(type(name, field));
        return switch (converted.getType()) {
            case DataType.TUPLE -> converted.setSchema(schema(field.getChildren()));
            case DataType.BAG ->
                converted.setSchema(elements(field.getChildren().get(0)));
            case DataType.MAP -> converted.setSchema(mapValues(name, field));
            default -> converted;
        };
    }

    /** A bag has tuples. */
    private static ResourceSchema elements(Field element) throws IOException {
        ResourceFieldSchema tuple = new ResourceFieldSchema()
                .setName("element")
                .setType(DataType.TUPLE)
                .setSchema(new ResourceSchema().setFields(new ResourceFieldSchema[] {field("item", element)}));
        return new ResourceSchema().setFields(new ResourceFieldSchema[] {tuple});
    }

    private static ResourceSchema mapValues(String name, Field map) throws IOException {
        List<Field> entry = map.getChildren().get(0).getChildren();
        if (!(entry.get(0).getType() instanceof ArrowType.Utf8)) {
            throw new IOException("column " + name + ": Pig's maps have texts as keys; select map_keys and map_values");
        }
        return new ResourceSchema().setFields(new ResourceFieldSchema[] {field("value", entry.get(1))});
    }

    private static byte type(String name, Field field) throws IOException {
        ArrowType type = field.getType();
        return switch (type.getTypeID()) {
            case Bool -> DataType.BOOLEAN;
            case Int -> ((ArrowType.Int) type).getBitWidth() > 32 ? DataType.LONG : DataType.INTEGER;
            case FloatingPoint ->
                ((ArrowType.FloatingPoint) type).getPrecision() == FloatingPointPrecision.SINGLE
                        ? DataType.FLOAT
                        : DataType.DOUBLE;
            case Decimal -> DataType.BIGDECIMAL;
            case Utf8 -> DataType.CHARARRAY;
            case Binary, Null -> DataType.BYTEARRAY;
            case Date, Timestamp -> DataType.DATETIME;
            case List -> DataType.BAG;
            case Struct -> DataType.TUPLE;
            case Map -> DataType.MAP;
            default ->
                throw new IOException("column " + name + ": Pig has no type for " + type + "; cast it to string");
        };
    }

    /** Converts a value of {@link io.skep.mapred.LlapRow}. */
    static @Nullable Object value(Field field, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        List<Field> children = field.getChildren();
        return switch (field.getType().getTypeID()) {
            case Int -> value instanceof Long ? value : (Object) ((Number) value).intValue();
            case Binary -> new DataByteArray((byte[]) value);
            case Date -> utc(TimeUnit.DAYS.toMillis(((Date) value).toLocalDate().toEpochDay()));
            case Timestamp ->
                utc(
                        value instanceof Instant instant
                                ? instant.toEpochMilli()
                                : ((Timestamp) value)
                                        .toLocalDateTime()
                                        .toInstant(ZoneOffset.UTC)
                                        .toEpochMilli());
            case List -> bag(children.get(0), (List<?>) value);
            case Struct -> tuple(children, (List<?>) value);
            case Map -> map(children.get(0).getChildren().get(1), (Map<?, ?>) value);
            default -> value;
        };
    }

    private static DateTime utc(long millis) {
        return new DateTime(millis, DateTimeZone.UTC);
    }

    private static DataBag bag(Field element, List<?> values) {
        DataBag bag = BagFactory.getInstance().newDefaultBag();
        for (Object value : values) {
            bag.add(TupleFactory.getInstance().newTuple(value(element, value)));
        }
        return bag;
    }

    private static Tuple tuple(List<Field> fields, List<?> values) {
        List<@Nullable Object> converted = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            converted.add(value(fields.get(i), values.get(i)));
        }
        return TupleFactory.getInstance().newTupleNoCopy(converted);
    }

    private static Map<String, @Nullable Object> map(Field valueField, Map<?, ?> values) {
        Map<String, @Nullable Object> converted = new HashMap<>();
        values.forEach((key, value) -> converted.put((String) key, value(valueField, value)));
        return converted;
    }
}
