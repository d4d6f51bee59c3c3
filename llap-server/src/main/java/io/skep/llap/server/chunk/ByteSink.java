package io.skep.llap.server.chunk;

import io.skep.common.memory.ScratchMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A growing buffer of little-endian bytes. Owned by one thread. */
final class ByteSink {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final long maxBytes;
    private byte[] bytes;
    private int length;

    /** @param maxBytes size above which it fails with a {@link ChunkTooLargeException} */
    ByteSink(int initialBytes, long maxBytes) {
        this.maxBytes = Math.min(maxBytes, Integer.MAX_VALUE - 64);
        bytes = new byte[Math.max(64, initialBytes)];
    }

    int length() {
        return length;
    }

    void putByte(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    void putInt(int value) {
        reserve(4);
        INT.set(bytes, length, value);
        length += 4;
    }

    void putLong(long value) {
        reserve(8);
        LONG.set(bytes, length, value);
        length += 8;
    }

    void setInt(int at, int value) {
        INT.set(bytes, at, value);
    }

    /** Appends zero bytes, which {@link #setLong} may overwrite. */
    int skip(long count) {
        reserve(count);
        int start = length;
        length += (int) count;
        return start;
    }

    void setLong(int at, long value) {
        LONG.set(bytes, at, value);
    }

    void putBytes(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    /** Appends zero bytes up to the next multiple of 8. */
    void align() {
        skip(-length & 7);
    }

    byte[] toByteArray() {
        return bytes.length == length ? bytes : ScratchMemory.copyOf(bytes, length);
    }

    private void reserve(long count) {
        long needed = length + count;
        if (needed > bytes.length) {
            if (needed > maxBytes) {
                throw new ChunkTooLargeException();
            }
            bytes = ScratchMemory.copyOf(bytes, (int) Math.max(needed, Math.min(2L * bytes.length, maxBytes)));
        }
    }
}
