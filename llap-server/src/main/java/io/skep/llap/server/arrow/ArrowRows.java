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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/** Writes batches to Arrow's vectors. Values at null positions become zero, since nobody has defined them. */
public final class ArrowRows {
    private static final int OFFSET_BYTES = 4;
    private static final long DECIMAL_BYTES = 16;
    /** Values that are written through one array, which stays in the processor's first cache. */
    private static final int PIECE = 512;

    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1000;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

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
        int bytes = (rows + 7) >> 3;
        MemorySegment bits = segment(validity, bytes);
        if (nulls == null) {
            bits.fill((byte) -1);
            return;
        }
        for (int at = 0; at < bytes; at++) {
            bits.set(BYTE, at, (byte) ~(nulls[at >> 3] >>> ((at & 7) << 3)));
        }
    }

    private static MemorySegment segment(ArrowBuf buffer, long bytes) {
        return MemorySegment.ofBuffer(buffer.nioBuffer(0, Math.toIntExact(bytes)));
    }

    private static void longs(LongVector from, SqlType type, FieldVector to, int rows) {
        if (type == PrimitiveType.VOID) {
            to.setValueCount(rows);
            return;
        }
        BaseFixedWidthVector fixed = (BaseFixedWidthVector) to;
        fixed.allocateNew(rows);
        long[] values = defined(from.values(), from.nulls(), rows);
        if (type == PrimitiveType.BOOLEAN) {
            bits(values, segment(fixed.getDataBuffer(), (rows + 7) >> 3), rows);
        } else {
            integers(values, type, segment(fixed.getDataBuffer(), (long) rows * fixed.getTypeWidth()), rows);
        }
        finish(from.nulls(), fixed, rows);
    }

    private static void bits(long[] values, MemorySegment to, int rows) {
        for (int at = 0; at < (rows + 7) >> 3; at++) {
            int bits = 0;
            for (int row = at << 3; row < Math.min(rows, (at + 1) << 3); row++) {
                bits |= ((int) values[row] & 1) << (row & 7);
            }
            to.set(BYTE, at, (byte) bits);
        }
    }

    private static void integers(long[] values, SqlType type, MemorySegment to, int rows) {
        switch (type) {
            case PrimitiveType.TINYINT -> {
                for (int row = 0; row < rows; row++) {
                    to.set(BYTE, row, (byte) values[row]);
                }
            }
            case PrimitiveType.SMALLINT -> {
                for (int row = 0; row < rows; row++) {
                    to.setAtIndex(SHORT, row, (short) values[row]);
                }
            }
            case PrimitiveType.BIGINT -> MemorySegment.copy(values, 0, to, LONG, 0, rows);
            case DecimalType _ -> decimals(values, to, rows);
            default -> {
                int[] narrow = new int[rows];
                for (int row = 0; row < rows; row++) {
                    narrow[row] = (int) values[row];
                }
                MemorySegment.copy(narrow, 0, to, INT, 0, rows);
            }
        }
    }

    /** Returns the values with zeros where they are null. */
    private static long[] defined(long[] values, long @Nullable [] nulls, int rows) {
        if (nulls == null) {
            return values;
        }
        long[] copy = Arrays.copyOf(values, rows);
        for (int row = 0; row < rows; row++) {
            if (NullMask.isNull(nulls, row)) {
                copy[row] = 0;
            }
        }
        return copy;
    }

    private static void finish(long @Nullable [] nulls, BaseFixedWidthVector to, int rows) {
        validity(nulls, to.getValidityBuffer(), rows);
        to.setValueCount(rows);
    }

    /**
     * Writes decimals of 64 bits. Loops write to arrays, which are copied at once: each access to memory outside the
     * heap has checks of its own.
     */
    private static void decimals(long[] values, MemorySegment to, int rows) {
        long[] halves = new long[2 * Math.min(rows, PIECE)];
        for (int start = 0; start < rows; start += PIECE) {
            int count = Math.min(PIECE, rows - start);
            for (int i = 0; i < count; i++) {
                long value = values[start + i];
                halves[2 * i] = value;
                halves[2 * i + 1] = value >> 63;
            }
            MemorySegment.copy(halves, 0, to, LONG, DECIMAL_BYTES * start, 2 * count);
        }
    }

    private static void decimals(Decimal128Vector from, BaseFixedWidthVector to, int rows) {
        to.allocateNew(rows);
        MemorySegment data = segment(to.getDataBuffer(), (long) rows * to.getTypeWidth());
        long[] high = defined(from.high(), from.nulls(), rows);
        long[] low = defined(from.low(), from.nulls(), rows);
        for (int row = 0; row < rows; row++) {
            data.setAtIndex(LONG, 2L * row, low[row]);
            data.setAtIndex(LONG, 2L * row + 1, high[row]);
        }
        finish(from.nulls(), to, rows);
    }

    private static void doubles(DoubleVector from, BaseFixedWidthVector to, int rows) {
        to.allocateNew(rows);
        MemorySegment data = segment(to.getDataBuffer(), (long) rows * to.getTypeWidth());
        boolean single = to.getTypeWidth() == Float.BYTES;
        double[] values = from.values();
        if (!single && from.nulls() == null) {
            MemorySegment.copy(values, 0, data, DOUBLE, 0, rows);
            finish(null, to, rows);
            return;
        }
        for (int row = 0; row < rows; row++) {
            double value = from.isNull(row) ? 0 : values[row];
            if (single) {
                data.setAtIndex(FLOAT, row, (float) value);
            } else {
                data.setAtIndex(DOUBLE, row, value);
            }
        }
        finish(from.nulls(), to, rows);
    }

    /** Digits below the microsecond are cut. */
    private static void times(TimestampVector from, BaseFixedWidthVector to, int rows) {
        to.allocateNew(rows);
        MemorySegment data = segment(to.getDataBuffer(), (long) rows * to.getTypeWidth());
        for (int row = 0; row < rows; row++) {
            data.setAtIndex(
                    LONG,
                    row,
                    from.isNull(row) ? 0 : from.seconds()[row] * MICROS + from.nanos()[row] / NANOS_OF_MICRO);
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
        int[] ends = new int[rows + 1];
        boolean contiguous = true;
        for (int row = 0; row < rows; row++) {
            int length = from.isNull(row) ? 0 : from.lengths()[row];
            contiguous &= length == 0 || from.offsets()[row] == from.offsets()[0] + ends[row];
            ends[row + 1] = Math.addExact(ends[row], length);
        }
        int total = ends[rows];
        to.allocateNew(total, rows);
        MemorySegment data = segment(to.getDataBuffer(), total);
        if (total > 0) {
            byte[] bytes = contiguous ? from.data() : joined(from, ends, rows);
            MemorySegment.copy(bytes, contiguous ? from.offsets()[0] : 0, data, BYTE, 0, total);
        }
        MemorySegment.copy(ends, 0, segment(to.getOffsetBuffer(), OFFSET_BYTES * (rows + 1L)), INT, 0, rows + 1);
        validity(from.nulls(), to.getValidityBuffer(), rows);
        to.setLastSet(rows - 1);
        to.setValueCount(rows);
    }

    /** Returns the values one after another. */
    private static byte[] joined(BytesVector from, int[] ends, int rows) {
        byte[] joined = new byte[ends[rows]];
        for (int row = 0; row < rows; row++) {
            if (ends[row + 1] > ends[row]) {
                System.arraycopy(from.data(), from.offsets()[row], joined, ends[row], ends[row + 1] - ends[row]);
            }
        }
        return joined;
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
