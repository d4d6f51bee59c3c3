package io.skep.service.wire;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.serde.value.HiveValueReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.serde2.SerDeUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hive.service.rpc.thrift.TBinaryColumn;
import org.apache.hive.service.rpc.thrift.TBoolColumn;
import org.apache.hive.service.rpc.thrift.TByteColumn;
import org.apache.hive.service.rpc.thrift.TColumn;
import org.apache.hive.service.rpc.thrift.TDoubleColumn;
import org.apache.hive.service.rpc.thrift.TI16Column;
import org.apache.hive.service.rpc.thrift.TI32Column;
import org.apache.hive.service.rpc.thrift.TI64Column;
import org.apache.hive.service.rpc.thrift.TStringColumn;

/** Encodes one column of a page as the protocol's column. Numbers stay numbers. All other values become Hive's text. */
final class ColumnEncoder {
    private final SqlType type;
    private final ZoneId zone;
    private final BitSet nulls = new BitSet();
    private int rows;

    private ColumnEncoder(SqlType type, ZoneId zone) {
        this.type = type;
        this.zone = zone;
    }

    /** @param zone the session's time zone, for instants */
    static TColumn encode(SqlType type, List<Vector> parts, ZoneId zone) {
        return new ColumnEncoder(type, zone).encode(parts);
    }

    private TColumn encode(List<Vector> parts) {
        return switch (type) {
            case PrimitiveType primitive -> primitive(primitive, parts);
            default -> texts(parts);
        };
    }

    private TColumn primitive(PrimitiveType primitive, List<Vector> parts) {
        return switch (primitive) {
            case BOOLEAN -> {
                List<Boolean> values = new ArrayList<>();
                longs(parts, value -> values.add(value != 0));
                yield TColumn.boolVal(new TBoolColumn(values, nulls()));
            }
            case TINYINT -> {
                List<Byte> values = new ArrayList<>();
                longs(parts, value -> values.add((byte) value));
                yield TColumn.byteVal(new TByteColumn(values, nulls()));
            }
            case SMALLINT -> {
                List<Short> values = new ArrayList<>();
                longs(parts, value -> values.add((short) value));
                yield TColumn.i16Val(new TI16Column(values, nulls()));
            }
            case INT -> {
                List<Integer> values = new ArrayList<>();
                longs(parts, value -> values.add((int) value));
                yield TColumn.i32Val(new TI32Column(values, nulls()));
            }
            case BIGINT -> {
                List<Long> values = new ArrayList<>();
                longs(parts, values::add);
                yield TColumn.i64Val(new TI64Column(values, nulls()));
            }
            case FLOAT, DOUBLE -> TColumn.doubleVal(doubles(parts, primitive == PrimitiveType.FLOAT));
            case BINARY -> TColumn.binaryVal(binaries(parts));
            default -> texts(parts);
        };
    }

    /** Accepts one value per row. Nulls are passed as zero. */
    private interface LongSink {
        void accept(long value);
    }

    private void longs(List<Vector> parts, LongSink sink) {
        for (Vector part : parts) {
            Vector flat = part.flatten();
            for (int row = 0; row < flat.length(); row++) {
                boolean isNull = isNull(flat, row);
                sink.accept(isNull ? 0 : ((LongVector) flat).values()[row]);
            }
        }
    }

    private TDoubleColumn doubles(List<Vector> parts, boolean single) {
        List<Double> values = new ArrayList<>();
        for (Vector part : parts) {
            Vector flat = part.flatten();
            for (int row = 0; row < flat.length(); row++) {
                double value = isNull(flat, row) ? 0 : ((DoubleVector) flat).values()[row];
                values.add(single ? Double.parseDouble(Float.toString((float) value)) : value);
            }
        }
        return new TDoubleColumn(values, nulls());
    }

    private TBinaryColumn binaries(List<Vector> parts) {
        List<ByteBuffer> values = new ArrayList<>();
        for (Vector part : parts) {
            Vector flat = part.flatten();
            for (int row = 0; row < flat.length(); row++) {
                values.add(ByteBuffer.wrap(isNull(flat, row) ? new byte[0] : ((BytesVector) flat).bytes(row)));
            }
        }
        return new TBinaryColumn(values, nulls());
    }

    private TColumn texts(List<Vector> parts) {
        List<String> values = new ArrayList<>();
        TextForm form = TextForm.of(type, zone);
        for (Vector part : parts) {
            Vector flat = part.flatten();
            for (int row = 0; row < flat.length(); row++) {
                values.add(isNull(flat, row) ? "" : form.text(flat, row));
            }
        }
        return TColumn.stringVal(new TStringColumn(values, nulls()));
    }

    private boolean isNull(Vector vector, int row) {
        boolean isNull = vector.isNull(row) || type == PrimitiveType.VOID;
        nulls.set(rows++, isNull);
        return isNull;
    }

    private ByteBuffer nulls() {
        return ByteBuffer.wrap(nulls.toByteArray());
    }

    /** Formats a non-null value as Hive's clients see it. */
    private interface TextForm {
        String text(Vector vector, int row);

        static TextForm of(SqlType type, ZoneId zone) {
            return switch (type) {
                case DecimalType decimal -> (vector, row) -> decimal(vector, row, decimal.scale());
                case CharType text -> (vector, row) -> padded(((BytesVector) vector).string(row), text.length());
                case PrimitiveType primitive -> of(primitive, zone);
                default ->
                    type.vectorKind() == io.skep.common.type.VectorKind.BYTES
                            ? (vector, row) -> ((BytesVector) vector).string(row)
                            : hive(type, zone);
            };
        }

        private static TextForm of(PrimitiveType type, ZoneId zone) {
            return switch (type) {
                case STRING -> (vector, row) -> ((BytesVector) vector).string(row);
                case DATE ->
                    (vector, row) -> Date.ofEpochDay(Math.toIntExact(((LongVector) vector).values()[row]))
                            .toString();
                case TIMESTAMP ->
                    (vector, row) -> {
                        TimestampVector timestamps = (TimestampVector) vector;
                        return Timestamp.ofEpochSecond(
                                        timestamps.seconds()[row], timestamps.nanos()[row])
                                .toString();
                    };
                default -> hive(type, zone);
            };
        }

        private static String decimal(Vector vector, int row, int scale) {
            BigInteger unscaled = vector instanceof Decimal128Vector wide
                    ? wide.unscaled(row)
                    : BigInteger.valueOf(((LongVector) vector).values()[row]);
            return new BigDecimal(unscaled, scale).toPlainString();
        }

        private static String padded(String text, int length) {
            int missing = length - text.codePointCount(0, text.length());
            return missing > 0 ? text + " ".repeat(missing) : text;
        }

        /** Formats through Hive's own objects: intervals, instants, and complex values as JSON. */
        private static TextForm hive(SqlType type, ZoneId zone) {
            HiveValueReader reader = HiveValueReader.of(type, zone);
            ObjectInspector inspector = HiveTypes.inspector(type, zone);
            if (inspector instanceof PrimitiveObjectInspector primitive) {
                return (vector, row) -> String.valueOf(primitive.getPrimitiveJavaObject(reader.value(vector, row)));
            }
            return (vector, row) -> SerDeUtils.getJSONString(reader.value(vector, row), inspector);
        }
    }
}
