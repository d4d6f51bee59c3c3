package io.skep.storage.serde.value;

import io.skep.common.vector.VectorAppender;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveIntervalDayTime;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.common.type.TimestampTZ;
import org.apache.hadoop.hive.serde2.objectinspector.ListObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.MapObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.UnionObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.BinaryObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.BooleanObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.ByteObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.DateObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.DoubleObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.FloatObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.HiveCharObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.HiveDecimalObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.HiveIntervalDayTimeObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.HiveIntervalYearMonthObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.HiveVarcharObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.IntObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.LongObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.ShortObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.StringObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.TimestampLocalTZObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.TimestampObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.VoidObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.DecimalTypeInfo;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.jspecify.annotations.Nullable;

/** Appends Hive's objects, read through their inspector, to vectors of the inspector's type. */
public interface HiveValueWriter {
    /** Appends a non-null value. */
    void value(Object value, VectorAppender out);

    default void write(@Nullable Object value, VectorAppender out) {
        if (value == null) {
            out.appendNull();
        } else {
            value(value, out);
        }
    }

    static HiveValueWriter of(ObjectInspector inspector) {
        return switch (inspector.getCategory()) {
            case PRIMITIVE -> primitive((PrimitiveObjectInspector) inspector);
            case LIST -> list((ListObjectInspector) inspector);
            case MAP -> map((MapObjectInspector) inspector);
            case STRUCT -> struct((StructObjectInspector) inspector);
            case UNION -> union((UnionObjectInspector) inspector);
            default -> throw new IllegalStateException("Hive gives a value of category " + inspector.getCategory());
        };
    }

    private static HiveValueWriter primitive(PrimitiveObjectInspector inspector) {
        return switch (inspector) {
            case BooleanObjectInspector i -> (value, out) -> out.appendLong(i.get(value) ? 1 : 0);
            case ByteObjectInspector i -> (value, out) -> out.appendLong(i.get(value));
            case ShortObjectInspector i -> (value, out) -> out.appendLong(i.get(value));
            case IntObjectInspector i -> (value, out) -> out.appendLong(i.get(value));
            case LongObjectInspector i -> (value, out) -> out.appendLong(i.get(value));
            case FloatObjectInspector i -> (value, out) -> out.appendDouble(i.get(value));
            case DoubleObjectInspector i -> (value, out) -> out.appendDouble(i.get(value));
            case StringObjectInspector i -> (value, out) -> text(i.getPrimitiveWritableObject(value), out);
            case HiveVarcharObjectInspector i ->
                (value, out) -> text(i.getPrimitiveJavaObject(value).getValue(), out);
            case HiveCharObjectInspector i ->
                (value, out) -> text(i.getPrimitiveJavaObject(value).getStrippedValue(), out);
            case BinaryObjectInspector i -> (value, out) -> binary(i.getPrimitiveWritableObject(value), out);
            case DateObjectInspector i ->
                (value, out) ->
                        out.appendLong(i.getPrimitiveWritableObject(value).getDays());
            case TimestampObjectInspector i -> (value, out) -> timestamp(i.getPrimitiveJavaObject(value), out);
            case TimestampLocalTZObjectInspector i -> (value, out) -> instant(i.getPrimitiveJavaObject(value), out);
            case HiveIntervalYearMonthObjectInspector i ->
                (value, out) -> out.appendLong(i.getPrimitiveJavaObject(value).getTotalMonths());
            case HiveIntervalDayTimeObjectInspector i -> (value, out) -> interval(i.getPrimitiveJavaObject(value), out);
            case HiveDecimalObjectInspector i -> decimal(i);
            case VoidObjectInspector i -> (value, out) -> out.appendNull();
            default -> throw new IllegalStateException("Hive gives a value of type " + inspector.getTypeName());
        };
    }

    private static HiveValueWriter decimal(HiveDecimalObjectInspector inspector) {
        DecimalTypeInfo type = (DecimalTypeInfo) inspector.getTypeInfo();
        int precision = type.precision();
        int scale = type.scale();
        return (value, out) -> {
            HiveDecimal decimal = inspector.getPrimitiveJavaObject(value);
            decimal(decimal == null ? null : HiveDecimal.enforcePrecisionScale(decimal, precision, scale), type, out);
        };
    }

    private static void decimal(@Nullable HiveDecimal decimal, DecimalTypeInfo type, VectorAppender out) {
        if (decimal == null) {
            out.appendNull();
            return;
        }
        BigInteger unscaled = decimal.bigDecimalValue().setScale(type.scale()).unscaledValue();
        if (type.precision() <= io.skep.common.type.DecimalType.MAX_SHORT_PRECISION) {
            out.appendLong(unscaled.longValue());
        } else {
            out.appendDecimal128(unscaled.shiftRight(64).longValue(), unscaled.longValue());
        }
    }

    private static void text(Text text, VectorAppender out) {
        out.appendBytes(text.getBytes(), 0, text.getLength());
    }

    private static void text(String text, VectorAppender out) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.appendBytes(bytes, 0, bytes.length);
    }

    private static void binary(BytesWritable bytes, VectorAppender out) {
        out.appendBytes(bytes.getBytes(), 0, bytes.getLength());
    }

    private static void timestamp(Timestamp timestamp, VectorAppender out) {
        out.appendTimestamp(timestamp.toEpochSecond(), timestamp.getNanos());
    }

    private static void instant(TimestampTZ timestamp, VectorAppender out) {
        out.appendTimestamp(timestamp.getEpochSecond(), timestamp.getNanos());
    }

    private static void interval(HiveIntervalDayTime interval, VectorAppender out) {
        long seconds = interval.getTotalSeconds();
        int nanos = interval.getNanos();
        if (nanos < 0) {
            out.appendTimestamp(seconds - 1, nanos + 1_000_000_000);
        } else {
            out.appendTimestamp(seconds, nanos);
        }
    }

    private static HiveValueWriter list(ListObjectInspector inspector) {
        HiveValueWriter element = of(inspector.getListElementObjectInspector());
        return (value, out) -> {
            int length = inspector.getListLength(value);
            for (int i = 0; i < length; i++) {
                element.write(inspector.getListElement(value, i), out.child(0));
            }
            out.endRow();
        };
    }

    private static HiveValueWriter map(MapObjectInspector inspector) {
        HiveValueWriter key = of(inspector.getMapKeyObjectInspector());
        HiveValueWriter element = of(inspector.getMapValueObjectInspector());
        return (value, out) -> {
            for (Map.Entry<?, ?> entry : inspector.getMap(value).entrySet()) {
                key.write(entry.getKey(), out.child(0));
                element.write(entry.getValue(), out.child(1));
            }
            out.endRow();
        };
    }

    private static HiveValueWriter struct(StructObjectInspector inspector) {
        List<? extends StructField> fields = inspector.getAllStructFieldRefs();
        List<HiveValueWriter> writers = fields.stream()
                .map(field -> of(field.getFieldObjectInspector()))
                .toList();
        return (value, out) -> {
            for (int i = 0; i < writers.size(); i++) {
                writers.get(i).write(inspector.getStructFieldData(value, fields.get(i)), out.child(i));
            }
            out.endRow();
        };
    }

    private static HiveValueWriter union(UnionObjectInspector inspector) {
        List<HiveValueWriter> writers = inspector.getObjectInspectors().stream()
                .map(HiveValueWriter::of)
                .toList();
        return (value, out) -> {
            int tag = inspector.getTag(value);
            writers.get(tag).write(inspector.getField(value), out.child(tag));
            out.endRow(tag);
        };
    }
}
