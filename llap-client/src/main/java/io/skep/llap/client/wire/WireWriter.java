package io.skep.llap.client.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Writes the fields of a message. A value that repeats in a message, such as a query's settings with each of its tasks,
 * is written once and then referenced by number. Used by one thread.
 */
final class WireWriter {
    private static final int FIRST_BYTES = 512;

    private byte[] bytes;
    private int length;
    private final Map<Object, Integer> shared = new HashMap<>();

    WireWriter() {
        this(FIRST_BYTES);
    }

    /** @param expected the approximate number of bytes that will be written */
    WireWriter(int expected) {
        bytes = new byte[expected];
    }

    /** Writes a variable-length number: seven bits a byte, the low ones first. */
    WireWriter number(long value) {
        reserve(bytesOf(value));
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return this;
    }

    WireWriter flag(boolean value) {
        return number(value ? 1 : 0);
    }

    WireWriter bytes(byte[] value) {
        number(value.length);
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    WireWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    <T> WireWriter all(Collection<T> values, Consumer<T> write) {
        number(values.size());
        values.forEach(write);
        return this;
    }

    /** Writes a value that may repeat in the message. {@code write} writes it the first time. */
    <T> WireWriter shared(T value, Consumer<T> write) {
        Integer number = shared.get(value);
        if (number != null) {
            return number(number + 1L);
        }
        number(0);
        write.accept(value);
        // Numbered after the shared values inside it, in the reader's order.
        shared.put(value, shared.size());
        return this;
    }

    /** Returns how many bytes a number takes. */
    static int bytesOf(long value) {
        return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, more)));
        }
    }

    /** Returns the written bytes. The writer must not be used afterwards. */
    byte[] toByteArray() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
