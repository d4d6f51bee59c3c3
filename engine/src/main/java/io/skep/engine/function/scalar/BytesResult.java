package io.skep.engine.function.scalar;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.TextLimit;
import io.skep.common.vector.Vector;
import org.jspecify.annotations.Nullable;

/** Builds a vector of text, row by row in order. */
final class BytesResult {
    private final int[] offsets;
    private final int[] lengths;
    private byte[] data;
    private int used;

    BytesResult(int rows, int expectedBytes) {
        this.offsets = new int[rows];
        this.lengths = new int[rows];
        ScratchMemory.count(expectedBytes);
        this.data = new byte[Math.max(16, expectedBytes)];
    }

    /** Starts the row's value. Bytes are appended to it. */
    void start(int row) {
        offsets[row] = used;
    }

    void add(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, data, used, count);
        used += count;
    }

    void add(byte value) {
        reserve(1);
        data[used++] = value;
    }

    /** Appends ASCII in upper case or in lower case, eight bytes at a time. */
    void addAscii(byte[] source, int from, int count, boolean capitals) {
        reserve(count + Long.BYTES);
        System.arraycopy(source, from, data, used, count);
        for (int at = used; at < used + count; at += Long.BYTES) {
            Bytes.convertCase(data, at, capitals);
        }
        used += count;
    }

    void end(int row) {
        lengths[row] = used - offsets[row];
    }

    private void reserve(int count) {
        if (data.length - used < count) {
            data = TextLimit.grow(data, (long) used + count);
        }
    }

    Vector vector(long @Nullable [] nulls) {
        return new BytesVector(data, offsets, lengths, nulls, offsets.length);
    }
}
