package io.skep.storage.serde.value;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.common.type.HiveChar;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveIntervalDayTime;
import org.apache.hadoop.hive.common.type.HiveIntervalYearMonth;
import org.apache.hadoop.hive.common.type.HiveVarchar;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.common.type.TimestampTZ;
import org.apache.hadoop.hive.serde2.io.ByteWritable;
import org.apache.hadoop.hive.serde2.io.DateWritableV2;
import org.apache.hadoop.hive.serde2.io.DoubleWritable;
import org.apache.hadoop.hive.serde2.io.HiveCharWritable;
import org.apache.hadoop.hive.serde2.io.HiveDecimalWritable;
import org.apache.hadoop.hive.serde2.io.HiveIntervalDayTimeWritable;
import org.apache.hadoop.hive.serde2.io.HiveIntervalYearMonthWritable;
import org.apache.hadoop.hive.serde2.io.HiveVarcharWritable;
import org.apache.hadoop.hive.serde2.io.ShortWritable;
import org.apache.hadoop.hive.serde2.io.TimestampLocalTZWritable;
import org.apache.hadoop.hive.serde2.io.TimestampWritableV2;
import org.apache.hadoop.hive.serde2.objectinspector.StandardUnionObjectInspector.StandardUnion;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.jspecify.annotations.Nullable;

/** Reads rows of flat vectors of one type as objects for Hive's standard writable inspectors. */
public abstract sealed class HiveValueReader {
    /** Returns a new object for a non-null row. */
    public abstract Object value(Vector vector, int row);

    public final @Nullable Object read(Vector vector, int row) {
        return vector.isNull(row) ? null : value(vector, row);
    }

    public static HiveValueReader of(SqlType type, ZoneId zone) {
        return switch (type) {
            case PrimitiveType primitive -> new Primitive(primitive, zone);
            case DecimalType decimal -> new Decimal(decimal.scale(), decimal.isShort());
            case CharType text -> new Char(text.length());
            case VarcharType text -> new Varchar(text.length());
            case ArrayType array -> new Array(of(array.element(), zone));
            case MapType map -> new Entries(of(map.key(), zone), of(map.value(), zone));
            case StructType struct ->
                new Struct(struct.fields().stream()
                        .map(field -> of(field.type(), zone))
                        .toList());
            case UnionType union ->
                new Union(union.alternatives().stream()
                        .map(alternative -> of(alternative, zone))
                        .toList());
        };
    }

    /**
     * In Hive, the seconds and nanoseconds of an interval have the same sign. In Skep, nanoseconds are always positive.
     */
    static HiveIntervalDayTime interval(long seconds, int nanos) {
        return seconds < 0 && nanos > 0
                ? new HiveIntervalDayTime(seconds + 1, nanos - 1_000_000_000)
                : new HiveIntervalDayTime(seconds, nanos);
    }

    private static final class Primitive extends HiveValueReader {
        private final PrimitiveType type;
        private final ZoneId zone;

        private Primitive(PrimitiveType type, ZoneId zone) {
            this.type = type;
            this.zone = zone;
        }

        @Override
        public Object value(Vector vector, int row) {
            return switch (vector) {
                case LongVector v -> ofLong(v.values()[row]);
                case DoubleVector v -> ofDouble(v.values()[row]);
                case BytesVector v -> ofBytes(v, row);
                case TimestampVector v -> ofTimestamp(v.seconds()[row], v.nanos()[row]);
                default ->
                    throw new IllegalStateException(
                            type + " in " + vector.getClass().getSimpleName());
            };
        }

        private Object ofLong(long value) {
            return switch (type) {
                case BOOLEAN -> new BooleanWritable(value != 0);
                case TINYINT -> new ByteWritable((byte) value);
                case SMALLINT -> new ShortWritable((short) value);
                case INT -> new IntWritable((int) value);
                case BIGINT -> new LongWritable(value);
                case DATE -> new DateWritableV2((int) value);
                case INTERVAL_YEAR_MONTH -> new HiveIntervalYearMonthWritable(new HiveIntervalYearMonth((int) value));
                default -> throw new IllegalStateException(type + " as a long");
            };
        }

        private Object ofDouble(double value) {
            return type == PrimitiveType.FLOAT ? new FloatWritable((float) value) : new DoubleWritable(value);
        }

        private Object ofBytes(BytesVector vector, int row) {
            if (type == PrimitiveType.BINARY) {
                return new BytesWritable(vector.bytes(row));
            }
            Text text = new Text();
            text.set(vector.data(), vector.offsets()[row], vector.lengths()[row]);
            return text;
        }

        private Object ofTimestamp(long seconds, int nanos) {
            return switch (type) {
                case TIMESTAMP -> new TimestampWritableV2(Timestamp.ofEpochSecond(seconds, nanos));
                case TIMESTAMP_LOCAL_TZ -> new TimestampLocalTZWritable(new TimestampTZ(seconds, nanos, zone));
                case INTERVAL_DAY_TIME -> new HiveIntervalDayTimeWritable(interval(seconds, nanos));
                default -> throw new IllegalStateException(type + " as a timestamp");
            };
        }
    }

    private static final class Decimal extends HiveValueReader {
        private final int scale;
        private final boolean isShort;

        private Decimal(int scale, boolean isShort) {
            this.scale = scale;
            this.isShort = isShort;
        }

        @Override
        public Object value(Vector vector, int row) {
            HiveDecimal decimal = isShort
                    ? HiveDecimal.create(((LongVector) vector).values()[row], scale)
                    : HiveDecimal.create(((Decimal128Vector) vector).unscaled(row), scale);
            return new HiveDecimalWritable(decimal);
        }
    }

    private static final class Char extends HiveValueReader {
        private final int length;

        private Char(int length) {
            this.length = length;
        }

        @Override
        public Object value(Vector vector, int row) {
            return new HiveCharWritable(new HiveChar(((BytesVector) vector).string(row), length));
        }
    }

    private static final class Varchar extends HiveValueReader {
        private final int length;

        private Varchar(int length) {
            this.length = length;
        }

        @Override
        public Object value(Vector vector, int row) {
            return new HiveVarcharWritable(new HiveVarchar(((BytesVector) vector).string(row), length));
        }
    }

    private static final class Array extends HiveValueReader {
        private final HiveValueReader element;

        private Array(HiveValueReader element) {
            this.element = element;
        }

        @Override
        public Object value(Vector vector, int row) {
            ListVector lists = (ListVector) vector;
            int start = lists.offsets()[row];
            int length = lists.lengths()[row];
            Vector elements = lists.elements();
            List<@Nullable Object> list = new ArrayList<>(length);
            for (int i = start; i < start + length; i++) {
                list.add(element.read(elements, i));
            }
            return list;
        }
    }

    private static final class Entries extends HiveValueReader {
        private final HiveValueReader key;
        private final HiveValueReader value;

        private Entries(HiveValueReader key, HiveValueReader value) {
            this.key = key;
            this.value = value;
        }

        @Override
        public Object value(Vector vector, int row) {
            MapVector maps = (MapVector) vector;
            int start = maps.offsets()[row];
            int length = maps.lengths()[row];
            Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
            for (int i = start; i < start + length; i++) {
                map.put(key.read(maps.keys(), i), value.read(maps.values(), i));
            }
            return map;
        }
    }

    private static final class Struct extends HiveValueReader {
        private final List<HiveValueReader> fields;

        private Struct(List<HiveValueReader> fields) {
            this.fields = fields;
        }

        @Override
        public Object value(Vector vector, int row) {
            StructVector structs = (StructVector) vector;
            List<@Nullable Object> values = new ArrayList<>(fields.size());
            for (int i = 0; i < fields.size(); i++) {
                values.add(fields.get(i).read(structs.fields().get(i), row));
            }
            return values;
        }
    }

    private static final class Union extends HiveValueReader {
        private final List<HiveValueReader> alternatives;

        private Union(List<HiveValueReader> alternatives) {
            this.alternatives = alternatives;
        }

        @Override
        public Object value(Vector vector, int row) {
            UnionVector unions = (UnionVector) vector;
            byte tag = unions.tags()[row];
            return new StandardUnion(
                    tag, alternatives.get(tag).read(unions.alternatives().get(tag), row));
        }
    }
}
