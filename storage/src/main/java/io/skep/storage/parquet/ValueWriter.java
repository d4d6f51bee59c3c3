package io.skep.storage.parquet;

import io.skep.common.type.ArrayType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;

/** Writes rows of flat vectors of one type as Parquet values. */
interface ValueWriter {
    /** Writes a value that is not null. */
    void write(Vector vector, int row, RecordConsumer out);

    /** Whether a value is null, or becomes null in the file. */
    default boolean isNull(Vector vector, int row) {
        return vector.isNull(row);
    }

    /** @param timestamps present when timestamps are stored as INT64 */
    static ValueWriter of(SqlType type, Optional<TimestampUnits> timestamps) {
        return switch (type) {
            case ArrayType array -> list(of(array.element(), timestamps));
            case MapType map -> map(of(map.key(), timestamps), of(map.value(), timestamps));
            case StructType struct -> struct(struct, timestamps);
            case DecimalType decimal -> decimal(ParquetTypes.decimalBytes(decimal.precision()));
            case PrimitiveType primitive
            when primitive == PrimitiveType.TIMESTAMP && timestamps.isPresent() -> timestamps.get();
            case PrimitiveType primitive -> primitive(primitive);
            default -> ValueWriter::bytes;
        };
    }

    private static ValueWriter primitive(PrimitiveType type) {
        return switch (type) {
            case BOOLEAN -> (vector, row, out) -> out.addBoolean(((LongVector) vector).values()[row] != 0);
            case TINYINT, SMALLINT, INT, DATE, INTERVAL_YEAR_MONTH ->
                (vector, row, out) -> out.addInteger((int) ((LongVector) vector).values()[row]);
            case BIGINT, VOID -> (vector, row, out) -> out.addLong(((LongVector) vector).values()[row]);
            case FLOAT -> (vector, row, out) -> out.addFloat((float) ((DoubleVector) vector).values()[row]);
            case DOUBLE -> (vector, row, out) -> out.addDouble(((DoubleVector) vector).values()[row]);
            case STRING, BINARY -> ValueWriter::bytes;
            case TIMESTAMP, INTERVAL_DAY_TIME -> ValueWriter::int96;
            case TIMESTAMP_LOCAL_TZ ->
                (vector, row, out) -> {
                    TimestampVector v = (TimestampVector) vector;
                    out.addLong(Math.addExact(Math.multiplyExact(v.seconds()[row], 1_000_000L), v.nanos()[row] / 1000));
                };
        };
    }

    private static void bytes(Vector vector, int row, RecordConsumer out) {
        BytesVector v = (BytesVector) vector;
        out.addBinary(Binary.fromReusedByteArray(v.data(), v.offsets()[row], v.lengths()[row]));
    }

    private static void int96(Vector vector, int row, RecordConsumer out) {
        TimestampVector v = (TimestampVector) vector;
        long day = Math.floorDiv(v.seconds()[row], 86_400L);
        long nanos = Math.floorMod(v.seconds()[row], 86_400L) * 1_000_000_000L + v.nanos()[row];
        long julian = day + 2_440_588;
        byte[] bytes = new byte[12];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (nanos >> 8 * i);
        }
        for (int i = 0; i < 4; i++) {
            bytes[8 + i] = (byte) (julian >> 8 * i);
        }
        out.addBinary(Binary.fromConstantByteArray(bytes));
    }

    private static ValueWriter decimal(int size) {
        return (vector, row, out) -> {
            long high;
            long low;
            if (vector instanceof Decimal128Vector v) {
                high = v.high()[row];
                low = v.low()[row];
            } else {
                low = ((LongVector) vector).values()[row];
                high = low >> 63;
            }
            byte[] bytes = new byte[size];
            for (int i = 0; i < size; i++) {
                bytes[size - 1 - i] = (byte) (i < 8 ? low >> 8 * i : high >> 8 * (i - 8));
            }
            out.addBinary(Binary.fromConstantByteArray(bytes));
        };
    }

    private static ValueWriter list(ValueWriter element) {
        return (vector, row, out) -> {
            ListVector v = (ListVector) vector;
            int from = v.offsets()[row];
            int count = v.lengths()[row];
            out.startGroup();
            if (count > 0) {
                out.startField("bag", 0);
                for (int i = from; i < from + count; i++) {
                    out.startGroup();
                    field("array_element", 0, element, v.elements(), i, out);
                    out.endGroup();
                }
                out.endField("bag", 0);
            }
            out.endGroup();
        };
    }

    private static ValueWriter map(ValueWriter key, ValueWriter value) {
        return (vector, row, out) -> {
            MapVector v = (MapVector) vector;
            int from = v.offsets()[row];
            int count = v.lengths()[row];
            out.startGroup();
            if (count > 0) {
                out.startField("key_value", 0);
                for (int i = from; i < from + count; i++) {
                    out.startGroup();
                    field("key", 0, key, v.keys(), i, out);
                    field("value", 1, value, v.values(), i, out);
                    out.endGroup();
                }
                out.endField("key_value", 0);
            }
            out.endGroup();
        };
    }

    private static ValueWriter struct(StructType type, Optional<TimestampUnits> timestamps) {
        List<ValueWriter> writers = type.fields().stream()
                .map(field -> of(field.type(), timestamps))
                .toList();
        return (vector, row, out) -> {
            out.startGroup();
            for (int i = 0; i < writers.size(); i++) {
                Vector field = ((StructVector) vector).fields().get(i);
                field(type.fields().get(i).name(), i, writers.get(i), field, row, out);
            }
            out.endGroup();
        };
    }

    /** Writes a field, or leaves it out when it is null. */
    static void field(String name, int index, ValueWriter writer, Vector vector, int row, RecordConsumer out) {
        if (!writer.isNull(vector, row)) {
            out.startField(name, index);
            writer.write(vector, row, out);
            out.endField(name, index);
        }
    }
}
