package io.skep.storage.text;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueWriter;
import java.time.ZoneId;
import java.util.Arrays;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.lazy.ByteArrayRef;
import org.apache.hadoop.hive.serde2.lazy.LazyByte;
import org.apache.hadoop.hive.serde2.lazy.LazyFactory;
import org.apache.hadoop.hive.serde2.lazy.LazyInteger;
import org.apache.hadoop.hive.serde2.lazy.LazyLong;
import org.apache.hadoop.hive.serde2.lazy.LazyObject;
import org.apache.hadoop.hive.serde2.lazy.LazyShort;
import org.apache.hadoop.hive.serde2.lazy.LazyUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory.ObjectInspectorOptions;
import org.apache.hadoop.io.Text;

/**
 * Appends one column's fields to a vector. A field that is not a valid value of the type becomes null. Owned by one
 * thread.
 */
interface FieldDecoder {
    /** @param count the number of bytes of a field that is not the null text */
    void decode(byte[] data, int from, int count, VectorAppender target);

    static FieldDecoder of(SqlType type, TextFormat format, ZoneId zone) {
        if (type == PrimitiveType.STRING) {
            return format.parameters().isEscaped()
                    ? new EscapedText(format.parameters().getEscapeChar())
                    : (data, from, count, target) -> target.appendBytes(data, from, count);
        }
        if (type instanceof DecimalType decimal && decimal.isShort()) {
            return new PlainDecimals(decimal, new LazyField(type, format, zone));
        }
        if (type instanceof PrimitiveType primitive) {
            return switch (primitive) {
                case TINYINT -> integers(LazyByte::parseByte);
                case SMALLINT -> integers(LazyShort::parseShort);
                case INT -> integers(LazyInteger::parseInt);
                case BIGINT -> integers(LazyLong::parseLong);
                default -> new LazyField(type, format, zone);
            };
        }
        return new LazyField(type, format, zone);
    }

    /** Hive's parsers of whole numbers; they throw NumberFormatException. */
    interface IntegerParser {
        long parse(byte[] data, int from, int count);
    }

    private static FieldDecoder integers(IntegerParser parser) {
        return (data, from, count, target) -> {
            if (!LazyUtils.isNumberMaybe(data, from, count)) {
                target.appendNull();
                return;
            }
            long value;
            try {
                value = parser.parse(data, from, count);
            } catch (NumberFormatException e) {
                target.appendNull();
                return;
            }
            target.appendLong(value);
        };
    }

    /** Decodes strings that contain escaped delimiters. */
    final class EscapedText implements FieldDecoder {
        private final byte escape;
        private final Text text = new Text();

        EscapedText(byte escape) {
            this.escape = escape;
        }

        @Override
        public void decode(byte[] data, int from, int count, VectorAppender target) {
            LazyUtils.copyAndEscapeStringDataToText(data, from, count, escape, text);
            target.appendBytes(text.getBytes(), 0, text.getLength());
        }
    }

    /** Decodes any type through Hive's lazy object for it. */
    final class LazyField implements FieldDecoder {
        private final LazyObject<? extends ObjectInspector> object;
        private final ObjectInspector inspector;
        private final HiveValueWriter writer;
        private final ByteArrayRef reference = new ByteArrayRef();

        LazyField(SqlType type, TextFormat format, ZoneId zone) {
            try {
                inspector = LazyFactory.createLazyObjectInspector(
                        HiveTypes.typeInfo(type, zone), 1, format.parameters(), ObjectInspectorOptions.JAVA);
            } catch (SerDeException e) {
                throw new SkepException(
                        StandardErrorCode.INTERNAL_ERROR, "Hive has no text form of " + type.displayName(), e);
            }
            object = LazyFactory.createLazyObject(inspector);
            writer = HiveValueWriter.of(inspector);
        }

        @Override
        public void decode(byte[] data, int from, int count, VectorAppender target) {
            reference.setData(Arrays.copyOfRange(data, from, from + count));
            object.init(reference, 0, count);
            writer.write(object.getObject(), target);
        }
    }
}
