package io.skep.llap.server.arrow;

import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.scalar.Utf8;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/** Writes batches to Arrow's vectors. Values at null positions become zero, since nobody has defined them. */
public final class ArrowRows {
    private static final int OFFSET_BYTES = 4;
    private static final int DECIMAL_BYTES = 16;
    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;

    private ArrowRows() {}

    /** Replaces the rows of a root, which has the schema of these types. */
    public static void write(Batch batch, List<SqlType> types, VectorSchemaRoot root) {
        int rows = batch.rowCount();
        for (int i = 0; i < types.size(); i++) {
            write(batch.column(i).flatten(), types.get(i), root.getVector(i), rows);
        }
        root.setRowCount(rows);
    }

    private static void write(Vector from, SqlType type, FieldVector to, int rows) {
        switch (from) {
            case LongVector longs -> longs(longs, type, to, rows);
            case DoubleVector doubles -> doubles(doubles, (BaseFixedWidthVector) to, rows);
            case BytesVector bytes ->
                bytes(
                        type instanceof CharType padded ? padded(bytes, padded.length(), rows) : bytes,
                        (BaseVariableWidthVector) to,
                        rows);
            case Decimal128Vector decimals -> decimals(decimals, (BaseFixedWidthVector) to, rows);
            case TimestampVector times -> times(times, (BaseFixedWidthVector) to, rows);
            case ListVector lists ->
                lists(lists, ((ArrayType) type).element(), (org.apache.arrow.vector.complex.ListVector) to, rows);
            case MapVector maps -> maps(maps, (MapType) type, (org.apache.arrow.vector.complex.MapVector) to, rows);
            case StructVector structs ->
                structs(
                        structs.fields(),
                        structs.nulls(),
                        ((StructType) type)
                                .fields().stream().map(StructType.Field::type).toList(),
                        (org.apache.arrow.vector.complex.StructVector) to,
                        rows);
            default -> throw new IllegalStateException("a vector of " + from.getClass() + " for " + type);
        }
    }

    /** Sets the validity bits, which are the opposite of a null mask. */
    private static void validity(long @Nullable [] nulls, ArrowBuf validity, int rows) {
        for (int at = 0; at < (rows + 7) >> 3; at++) {
            long mask = nulls == null ? 0 : nulls[at >> 3] >>> ((at & 7) << 3);
            validity.setByte(at, (byte) ~mask);
        }
    }

    private static void longs(LongVector from, SqlType type, FieldVector to, int rows) {
        if (type == PrimitiveType.VOID) {
            to.setValueCount(rows);
            return;
        }
        BaseFixedWidthVector fixed = (BaseFixedWidthVector) to;
        fixed.allocateNew(rows);
        ArrowBuf data = fixed.getDataBuffer();
        switch (type) {
            case PrimitiveType.BOOLEAN -> {
                for (int row = 0; row < rows; row++) {
                    BitVectorHelper.setValidityBit(data, row, (int) value(from, row) & 1);
                }
            }
            case PrimitiveType.TINYINT -> {
                for (int row = 0; row < rows; row++) {
                    data.setByte(row, (byte) value(from, row));
                }
            }
            case PrimitiveType.SMALLINT -> {
                for (int row = 0; row < rows; row++) {
                    data.setShort(2L * row, (short) value(from, row));
                }
            }
            case PrimitiveType.BIGINT -> {
                for (int row = 0; row < rows; row++) {
                    data.setLong(8L * row, value(from, row));
                }
            }
            case DecimalType _ -> {
                for (int row = 0; row < rows; row++) {
                    decimal(data, row, value(from, row) >> 63, value(from, row));
                }
            }
            default -> {
                for (int row = 0; row < rows; row++) {
                    data.setInt(4L * row, (int) value(from, row));
                }
            }
        }
        finish(from.nulls(), fixed, rows);
    }

    private static long value(LongVector from, int row) {
        return from.isNull(row) ? 0 : from.values()[row];
    }

    private static void finish(long @Nullable [] nulls, BaseFixedWidthVector to, int rows) {
        validity(nulls, to.getValidityBuffer(), rows);
        to.setValueCount(rows);
    }

    private static void decimal(ArrowBuf data, int row, long high, long low) {
        data.setLong((long) DECIMAL_BYTES * row, low);
        data.setLong((long) DECIMAL_BYTES * row + 8, high);
    }

    private static void decimals(Decimal128Vector from, BaseFixedWidthVector to, int rows) {
        to.allocateNew(rows);
        ArrowBuf data = to.getDataBuffer();
        for (int row = 0; row < rows; row++) {
            boolean absent = from.isNull(row);
            decimal(data, row, absent ? 0 : from.high()[row], absent ? 0 : from.low()[row]);
        }
        finish(from.nulls(), to, rows);
    }

    private static void doubles(DoubleVector from, BaseFixedWidthVector to, int rows) {
        to.allocateNew(rows);
        ArrowBuf data = to.getDataBuffer();
        boolean single = to.getTypeWidth() == 4;
        double[] values = from.values();
        for (int row = 0; row < rows; row++) {
            double value = from.isNull(row) ? 0 : values[row];
            if (single) {
                data.setFloat(4L * row, (float) value);
            } else {
                data.setDouble(8L * row, value);
            }
        }
        finish(from.nulls(), to, rows);
    }

    /** Digits below the microsecond are cut. */
    private static void times(TimestampVector from, BaseFixedWidthVector to, int rows) {
        to.allocateNew(rows);
        ArrowBuf data = to.getDataBuffer();
        for (int row = 0; row < rows; row++) {
            data.setLong(
                    8L * row, from.isNull(row) ? 0 : from.seconds()[row] * MICROS + from.nanos()[row] / NANOS_OF_MICRO);
        }
        finish(from.nulls(), to, rows);
    }

    /** Returns values of CHAR with the spaces that belong to them and that vectors leave out. */
    private static BytesVector padded(BytesVector from, int length, int rows) {
        int[] offsets = new int[rows];
        int[] lengths = new int[rows];
        int total = 0;
        for (int row = 0; row < rows; row++) {
            if (!from.isNull(row)) {
                offsets[row] = total;
                lengths[row] = from.lengths()[row]
                        + Math.max(
                                0,
                                length
                                        - Utf8.length(
                                                from.data(),
                                                from.offsets()[row],
                                                from.offsets()[row] + from.lengths()[row]));
                total = Math.addExact(total, lengths[row]);
            }
        }
        byte[] data = new byte[total];
        Arrays.fill(data, (byte) ' ');
        for (int row = 0; row < rows; row++) {
            if (!from.isNull(row)) {
                System.arraycopy(from.data(), from.offsets()[row], data, offsets[row], from.lengths()[row]);
            }
        }
        return new BytesVector(data, offsets, lengths, from.nulls(), rows);
    }

    private static void bytes(BytesVector from, BaseVariableWidthVector to, int rows) {
        long total = 0;
        for (int row = 0; row < rows; row++) {
            total += from.isNull(row) ? 0 : from.lengths()[row];
        }
        to.allocateNew(total, rows);
        ArrowBuf data = to.getDataBuffer();
        ArrowBuf offsets = to.getOffsetBuffer();
        int at = 0;
        offsets.setInt(0, 0);
        for (int row = 0; row < rows; row++) {
            if (!from.isNull(row)) {
                data.setBytes(at, from.data(), from.offsets()[row], from.lengths()[row]);
                at += from.lengths()[row];
            }
            offsets.setInt((long) OFFSET_BYTES * (row + 1), at);
        }
        validity(from.nulls(), to.getValidityBuffer(), rows);
        to.setLastSet(rows - 1);
        to.setValueCount(rows);
    }

    private static void lists(
            ListVector from, SqlType element, org.apache.arrow.vector.complex.ListVector to, int rows) {
        int[] positions = offsets(from.offsets(), from.lengths(), from.nulls(), to, rows);
        Vector elements = from.elements().select(positions, positions.length).flatten();
        write(elements, element, to.getDataVector(), positions.length);
        validity(from.nulls(), to.getValidityBuffer(), rows);
        to.setLastSet(rows - 1);
        to.setValueCount(rows);
    }

    private static void maps(MapVector from, MapType type, org.apache.arrow.vector.complex.MapVector to, int rows) {
        int[] positions = offsets(from.offsets(), from.lengths(), from.nulls(), to, rows);
        int count = positions.length;
        structs(
                List.of(from.keys().select(positions, count), from.values().select(positions, count)),
                null,
                List.of(type.key(), type.value()),
                (org.apache.arrow.vector.complex.StructVector) to.getDataVector(),
                count);
        validity(from.nulls(), to.getValidityBuffer(), rows);
        to.setLastSet(rows - 1);
        to.setValueCount(rows);
    }

    /** Writes the offsets of lists that follow each other. Returns the positions of their elements, in order. */
    private static int[] offsets(
            int[] offsets,
            int[] lengths,
            long @Nullable [] nulls,
            org.apache.arrow.vector.complex.ListVector to,
            int rows) {
        int total = 0;
        for (int row = 0; row < rows; row++) {
            total = Math.addExact(total, NullMask.isNull(nulls, row) ? 0 : lengths[row]);
        }
        to.setInitialCapacity(rows);
        to.allocateNew();
        ArrowBuf ends = to.getOffsetBuffer();
        int[] positions = new int[total];
        int at = 0;
        ends.setInt(0, 0);
        for (int row = 0; row < rows; row++) {
            int length = NullMask.isNull(nulls, row) ? 0 : lengths[row];
            for (int i = 0; i < length; i++) {
                positions[at++] = offsets[row] + i;
            }
            ends.setInt((long) OFFSET_BYTES * (row + 1), at);
        }
        return positions;
    }

    private static void structs(
            List<Vector> fields,
            long @Nullable [] nulls,
            List<SqlType> types,
            org.apache.arrow.vector.complex.StructVector to,
            int rows) {
        to.setInitialCapacity(Math.max(1, rows));
        to.allocateNew();
        for (int i = 0; i < types.size(); i++) {
            write(fields.get(i).flatten(), types.get(i), (FieldVector) to.getChildByOrdinal(i), rows);
        }
        validity(nulls, to.getValidityBuffer(), rows);
        to.setValueCount(rows);
    }
}
