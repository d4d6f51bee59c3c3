package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads what {@link WireWriter} has written. One thread. */
final class WireReader {
    private final byte[] bytes;
    private int position;
    private final List<Object> shared = new ArrayList<>();

    private WireReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws SkepException DAMAGED_MESSAGE when the bytes do not have the expected form */
    static <T> T read(byte[] bytes, Function<WireReader, T> read) {
        try {
            return read.apply(new WireReader(bytes));
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            throw damaged(String.valueOf(e.getMessage()));
        }
    }

    /** Reads values up to the end of the bytes. */
    static <T> List<T> readAll(byte[] bytes, Function<WireReader, T> read) {
        return read(bytes, in -> {
            List<T> values = new ArrayList<>();
            while (!in.atEnd()) {
                values.add(read.apply(in));
            }
            return values;
        });
    }

    boolean atEnd() {
        return position == bytes.length;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (position == bytes.length) {
                throw damaged("it ends within a field");
            }
            byte next = bytes[position++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw damaged("a number has too many digits");
    }

    int count() {
        long value = number();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw damaged("a count is " + value);
        }
        return (int) value;
    }

    boolean flag() {
        return number() != 0;
    }

    byte[] bytes() {
        int length = count();
        if (length > bytes.length - position) {
            throw damaged("a field of " + length + " bytes goes beyond its end");
        }
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    <T> List<T> all(Supplier<T> read) {
        int count = count();
        // Allocates no more room than the message can fill.
        List<T> values = new ArrayList<>(Math.min(count, bytes.length - position));
        for (int i = 0; i < count; i++) {
            values.add(read.get());
        }
        return values;
    }

    <T> T shared(Class<T> type, Supplier<T> read) {
        int number = count();
        if (number == 0) {
            T value = read.get();
            shared.add(value);
            return value;
        }
        if (number > shared.size() || !type.isInstance(shared.get(number - 1))) {
            throw damaged("it refers to a part that it does not have");
        }
        return type.cast(shared.get(number - 1));
    }

    static SkepException damaged(String how) {
        return new SkepException(
                StandardErrorCode.DAMAGED_MESSAGE, "a message between server and daemon is damaged: " + how);
    }
}
