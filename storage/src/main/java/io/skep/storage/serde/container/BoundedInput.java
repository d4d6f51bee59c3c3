package io.skep.storage.serde.container;

import io.skep.storage.file.FileInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.io.WritableUtils;
import org.jspecify.annotations.Nullable;

/**
 * A sequential input over a file or an array. A length that exceeds the remaining bytes fails before memory is
 * allocated for it. Owned by one thread.
 */
final class BoundedInput implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 << 10;

    private final @Nullable FileInput file;
    private final long length;
    private final byte[] buffer;
    /** The buffer's start position in the file. */
    private long begin;

    private int next;
    private int end;

    private BoundedInput(@Nullable FileInput file, long length, byte[] buffer, int end) {
        this.file = file;
        this.length = length;
        this.buffer = buffer;
        this.end = end;
    }

    /** Returns an input that closes the file when it is closed. */
    static BoundedInput of(FileInput file) {
        return new BoundedInput(file, file.length(), new byte[(int) Math.min(BUFFER_BYTES, file.length())], 0);
    }

    /** @param bytes must not change while they are read */
    static BoundedInput of(byte[] bytes) {
        return new BoundedInput(null, bytes.length, bytes, bytes.length);
    }

    long position() {
        return begin + next;
    }

    long left() {
        return length - position();
    }

    /** Returns the fraction of the input that was read, from 0 to 1. */
    float progress() {
        return length == 0 ? 1 : (float) position() / length;
    }

    byte readByte() throws IOException {
        if (next == end) {
            fill();
        }
        return buffer[next++];
    }

    boolean readBoolean() throws IOException {
        return readByte() != 0;
    }

    /** Reads a big-endian integer. */
    int readInt() throws IOException {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << Byte.SIZE | readByte() & 0xFF;
        }
        return value;
    }

    /** Reads a number in Hadoop's variable-length encoding. */
    long readVLong() throws IOException {
        byte first = readByte();
        int size = WritableUtils.decodeVIntSize(first);
        if (size == 1) {
            return first;
        }
        long value = 0;
        for (int i = 1; i < size; i++) {
            value = value << Byte.SIZE | readByte() & 0xFF;
        }
        return WritableUtils.isNegativeVInt(first) ? ~value : value;
    }

    /** Reads a number in the variable-length encoding of Avro and Protobuf, with the sign in the lowest bit. */
    long readZigZag() throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE - 1) {
            byte part = readByte();
            value |= (part & 0x7FL) << shift;
            if (part >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw new IOException("number of more than " + Long.SIZE + " bits at " + position());
    }

    /** Reads a count in Hadoop's variable-length encoding. Each counted item uses at least one byte. */
    int readCount(String what) throws IOException {
        return count(readVLong(), what);
    }

    /** Checks a claimed number of bytes against the remaining bytes. */
    int count(long claimed, String what) throws IOException {
        if (claimed < 0 || claimed > left() || claimed > Integer.MAX_VALUE) {
            throw new IOException(
                    what + " of " + claimed + " at " + position() + ", but " + left() + " bytes are left");
        }
        return (int) claimed;
    }

    /** @param what the name for the error when fewer bytes remain */
    byte[] readBytes(long claimed, String what) throws IOException {
        byte[] bytes = new byte[count(claimed, what)];
        readFully(bytes, 0, bytes.length);
        return bytes;
    }

    void readFully(byte[] into, int from, int count) throws IOException {
        int done = Math.min(count, end - next);
        System.arraycopy(buffer, next, into, from, done);
        next += done;
        if (done < count) {
            FileInput source = source(count - done);
            source.readFully(begin + next, into, from + done, count - done);
            moveTo(begin + next + count - done);
        }
    }

    void skip(long claimed, String what) throws IOException {
        int count = count(claimed, what);
        if (count <= end - next) {
            next += count;
        } else {
            moveTo(position() + count);
        }
    }

    /** Reads UTF-8 text after its length. */
    String readText(String what) throws IOException {
        return new String(readBytes(readVLong(), what), StandardCharsets.UTF_8);
    }

    private void fill() throws IOException {
        FileInput source = source(1);
        moveTo(begin + next);
        int ready = (int) Math.min(buffer.length, length - begin);
        source.readFully(begin, buffer, 0, ready);
        end = ready;
    }

    private void moveTo(long position) {
        begin = position;
        next = 0;
        end = 0;
    }

    private FileInput source(int count) throws EOFException {
        if (file == null || count > left()) {
            throw new EOFException("the end is at " + length);
        }
        return file;
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
