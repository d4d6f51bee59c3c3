package io.skep.engine.spill;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Decimal128Vector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.DoubleVector;
import io.skep.common.vector.ListVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.MapVector;
import io.skep.common.vector.NullMask;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.TimestampVector;
import io.skep.common.vector.UnionVector;
import io.skep.common.vector.Vector;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reading half of {@link BatchCodec}. Lengths are checked against the available bytes before arrays are allocated.
 */
final class VectorReader {
    /**
     * The maximum number of values that use no bytes. Without the limit, a few bytes could claim any amount of memory.
     */
    static final int MAX_WITHOUT_BYTES = 1 << 16;

    /**
     * The maximum memory of such values for all columns of one batch, about 60 times that of a batch of a hundred
     * columns.
     */
    private static final long MAX_IMPLIED_BYTES = 128L << 20;

    private final ByteBuffer buffer;
    private long impliedBytes;

    VectorReader(byte[] bytes, int offset, int length) {
        buffer = ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    byte getByte() {
        return buffer.get();
    }

    int getInt() {
        return buffer.getInt();
    }

    Vector vector() {
        byte tag = buffer.get();
        int rows = buffer.getInt();
        if (rows < 0) {
            throw new IllegalArgumentException("negative length");
        }
        if (tag == VectorWriter.CONSTANT) {
            return new ConstantVector(vector(), rows);
        }
        long[] nulls = buffer.get() == 0 ? null : longs(NullMask.words(rows));
        return switch (tag) {
            case VectorWriter.LONG -> new LongVector(integers(rows), nulls, rows);
            case VectorWriter.DOUBLE -> new DoubleVector(doubles(rows), nulls, rows);
            case VectorWriter.BYTES -> bytes(nulls, rows);
            case VectorWriter.DECIMAL128 -> new Decimal128Vector(integers(rows), longs(rows), nulls, rows);
            case VectorWriter.TIMESTAMP -> new TimestampVector(integers(rows), narrow(integers(rows)), nulls, rows);
            case VectorWriter.LIST -> list(nulls, rows);
            case VectorWriter.MAP -> map(nulls, rows);
            case VectorWriter.STRUCT -> new StructVector(vectors(buffer.getInt()), nulls, rows);
            case VectorWriter.UNION -> union(nulls, rows);
            case VectorWriter.DICTIONARY -> new DictionaryVector(narrow(integers(rows)), vector(), nulls, rows);
            default -> throw new IllegalArgumentException("unknown vector tag " + tag);
        };
    }

    private Vector bytes(long @Nullable [] nulls, int rows) {
        int[] lengths = narrow(integers(rows));
        int[] offsets = offsets(lengths);
        int size = checked(end(offsets, lengths));
        ScratchMemory.count(size);
        byte[] data = new byte[size];
        buffer.get(data);
        return new BytesVector(data, offsets, lengths, nulls, rows);
    }

    private Vector list(long @Nullable [] nulls, int rows) {
        int[] lengths = narrow(integers(rows));
        return new ListVector(vector(), offsets(lengths), lengths, nulls, rows);
    }

    private Vector map(long @Nullable [] nulls, int rows) {
        int[] lengths = narrow(integers(rows));
        return new MapVector(vector(), vector(), offsets(lengths), lengths, nulls, rows);
    }

    private Vector union(long @Nullable [] nulls, int rows) {
        int count = buffer.getInt();
        byte[] tags = new byte[checked(rows)];
        buffer.get(tags);
        return new UnionVector(tags, vectors(count), nulls, rows);
    }

    private List<Vector> vectors(int count) {
        List<Vector> vectors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            vectors.add(vector());
        }
        return vectors;
    }

    private static int[] offsets(int[] lengths) {
        int[] offsets = new int[lengths.length];
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            offsets[i] = at;
            at = Math.addExact(at, lengths[i]);
        }
        return offsets;
    }

    private static int end(int[] offsets, int[] lengths) {
        return offsets.length == 0 ? 0 : offsets[offsets.length - 1] + lengths[lengths.length - 1];
    }

    private long[] longs(int count) {
        checked(8L * count);
        long[] values = new long[count];
        buffer.asLongBuffer().get(values);
        buffer.position(buffer.position() + 8 * count);
        return values;
    }

    private double[] doubles(int count) {
        checked(8L * count);
        double[] values = new double[count];
        buffer.asDoubleBuffer().get(values);
        buffer.position(buffer.position() + 8 * count);
        return values;
    }

    private long[] integers(int count) {
        int width = buffer.get();
        long base = buffer.getLong();
        checked((long) width * count);
        if (width == 0 && count > MAX_WITHOUT_BYTES) {
            throw new IllegalArgumentException(count + " values without a byte");
        }
        impliedBytes += width == 0 ? 8L * count : 0;
        if (impliedBytes > MAX_IMPLIED_BYTES) {
            throw new IllegalArgumentException("values without bytes that would take " + impliedBytes + " bytes");
        }
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = base
                    + switch (width) {
                        case 0 -> 0;
                        case 1 -> buffer.get() & 0xFFL;
                        case 2 -> buffer.getShort() & 0xFFFFL;
                        case 4 -> buffer.getInt() & 0xFFFFFFFFL;
                        case 8 -> buffer.getLong();
                        default -> throw new IllegalArgumentException("integers of " + width + " bytes");
                    };
        }
        return values;
    }

    private static int[] narrow(long[] values) {
        int[] narrow = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            narrow[i] = Math.toIntExact(values[i]);
        }
        return narrow;
    }

    private int checked(long bytes) {
        if (bytes < 0 || bytes > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        return (int) bytes;
    }
}
