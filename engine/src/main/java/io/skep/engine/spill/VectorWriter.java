package io.skep.engine.spill;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The writing half of {@link BatchCodec}. */
final class VectorWriter {
    static final byte LONG = 0;
    static final byte DOUBLE = 1;
    static final byte BYTES = 2;
    static final byte DECIMAL128 = 3;
    static final byte TIMESTAMP = 4;
    static final byte LIST = 5;
    static final byte MAP = 6;
    static final byte STRUCT = 7;
    static final byte UNION = 8;
    static final byte DICTIONARY = 9;
    static final byte CONSTANT = 10;

    /** The bytes of a list entry while it is selected: its position, offset and length. */
    private static final long ENTRY_BYTES = 12;

    private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

    /** The size up to which a buffer is doubled. A larger buffer grows exactly to the required size. */
    private static final long MAX_GROWTH = 16 << 20;

    private ByteBuffer buffer;

    VectorWriter(int expectedBytes) {
        ScratchMemory.count(expectedBytes);
        buffer = ByteBuffer.allocate(expectedBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    byte[] toByteArray() {
        byte[] bytes = buffer.array();
        return bytes.length == buffer.position() ? bytes : ScratchMemory.copyOf(bytes, buffer.position());
    }

    /** Returns the written bytes, starting at the first byte of the buffer's array. */
    ByteBuffer written() {
        return buffer.flip();
    }

    void putByte(int value) {
        room(1).put((byte) value);
    }

    void putInt(int value) {
        room(4).putInt(value);
    }

    void vector(Vector vector) {
        switch (vector) {
            case LongVector v -> {
                header(LONG, v);
                integers(v.values(), v.length());
            }
            case DoubleVector v -> {
                header(DOUBLE, v);
                room(8L * v.length()).asDoubleBuffer().put(v.values(), 0, v.length());
                advance(8 * v.length());
            }
            case BytesVector v -> bytes(v);
            case Decimal128Vector v -> {
                header(DECIMAL128, v);
                integers(v.high(), v.length());
                longs(v.low(), v.length());
            }
            case TimestampVector v -> {
                header(TIMESTAMP, v);
                integers(v.seconds(), v.length());
                integers(v.nanos(), v.length());
            }
            case ListVector v -> {
                header(LIST, v);
                entries(v, v.offsets(), v.lengths(), List.of(v.elements()));
            }
            case MapVector v -> {
                header(MAP, v);
                entries(v, v.offsets(), v.lengths(), List.of(v.keys(), v.values()));
            }
            case StructVector v -> {
                header(STRUCT, v);
                putInt(v.fields().size());
                v.fields().forEach(field -> vector(field.slice(0, v.length())));
            }
            case UnionVector v -> union(v);
            case DictionaryVector v -> dictionary(v);
            case ConstantVector v -> {
                putByte(CONSTANT);
                putInt(v.length());
                vector(v.value());
            }
        }
    }

    private void bytes(BytesVector v) {
        header(BYTES, v);
        int rows = v.length();
        long[] lengths = new long[rows];
        long total = 0;
        for (int i = 0; i < rows; i++) {
            lengths[i] = v.isNull(i) ? 0 : v.lengths()[i];
            total += lengths[i];
        }
        integers(lengths, rows);
        room(total);
        for (int i = 0; i < rows; i++) {
            buffer.put(v.data(), v.offsets()[i], (int) lengths[i]);
        }
    }

    /** Rows may share or skip entries. The entries of each row are written in turn. */
    private void entries(Vector nested, int[] offsets, int[] lengths, List<Vector> parts) {
        int rows = nested.length();
        long[] counts = new long[rows];
        long total = 0;
        for (int i = 0; i < rows; i++) {
            counts[i] = nested.isNull(i) ? 0 : lengths[i];
            total += counts[i];
        }
        if (total > MAX_BYTES) {
            throw tooLarge(total);
        }
        long selected = ENTRY_BYTES * total;
        ScratchMemory.count(selected);
        int[] positions = new int[(int) total];
        int at = 0;
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < counts[i]; j++) {
                positions[at++] = offsets[i] + j;
            }
        }
        integers(counts, rows);
        for (Vector part : parts) {
            vector(part.select(positions, at));
        }
        ScratchMemory.discount(selected);
    }

    private void union(UnionVector v) {
        header(UNION, v);
        putInt(v.alternatives().size());
        room(v.length()).put(v.tags(), 0, v.length());
        v.alternatives().forEach(alternative -> vector(alternative.slice(0, v.length())));
    }

    private void dictionary(DictionaryVector v) {
        if (v.dictionary().length() > v.length()) {
            vector(v.flatten());
            return;
        }
        header(DICTIONARY, v);
        integers(v.ids(), v.length());
        vector(v.dictionary());
    }

    private void header(byte tag, Vector vector) {
        putByte(tag);
        putInt(vector.length());
        long[] nulls = vector.nulls();
        putByte(nulls == null ? 0 : 1);
        if (nulls != null) {
            longs(nulls, NullMask.words(vector.length()));
        }
    }

    private void longs(long[] values, int count) {
        room(8L * count).asLongBuffer().put(values, 0, count);
        advance(8 * count);
    }

    private void integers(int[] values, int count) {
        long[] wide = new long[count];
        for (int i = 0; i < count; i++) {
            wide[i] = values[i];
        }
        integers(wide, count);
    }

    private void integers(long[] values, int count) {
        long min = count == 0 ? 0 : values[0];
        long max = min;
        for (int i = 1; i < count; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        // The reader accepts values without bytes only up to a maximum number.
        int width = count > VectorReader.MAX_WITHOUT_BYTES ? Math.max(1, width(max - min)) : width(max - min);
        putByte(width);
        room(8).putLong(min);
        room((long) width * count);
        switch (width) {
            case 0 -> {}
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    buffer.put((byte) (values[i] - min));
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    buffer.putShort((short) (values[i] - min));
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    buffer.putInt((int) (values[i] - min));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    buffer.putLong(values[i] - min);
                }
            }
        }
    }

    private static int width(long range) {
        if (range < 0 || range >= 1L << 32) {
            return 8;
        }
        if (range >= 1L << 16) {
            return 4;
        }
        if (range >= 1L << 8) {
            return 2;
        }
        return range == 0 ? 0 : 1;
    }

    private void advance(int bytes) {
        buffer.position(buffer.position() + bytes);
    }

    private static SkepException tooLarge(long bytes) {
        return new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        "a batch of rows takes at least " + bytes + " bytes, more than the " + MAX_BYTES
                                + " that one batch of rows may have")
                .withHint("make the values shorter");
    }

    private ByteBuffer room(long bytes) {
        if (buffer.remaining() < bytes) {
            long needed = buffer.position() + bytes;
            if (needed > MAX_BYTES) {
                throw tooLarge(needed);
            }
            long wanted = Math.clamp(2L * buffer.capacity(), needed, Math.max(needed, MAX_GROWTH));
            byte[] grown = ScratchMemory.copyOf(buffer.array(), (int) wanted);
            int position = buffer.position();
            buffer = ByteBuffer.wrap(grown).order(ByteOrder.LITTLE_ENDIAN).position(position);
        }
        return buffer;
    }
}
