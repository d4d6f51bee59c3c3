package io.skep.engine.plan.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes the fields of one protobuf message. Zero, false and empty values are omitted, as in proto3. */
final class MessageWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    /** A write to a stream in memory, which cannot fail. */
    private interface Write {
        void run() throws IOException;
    }

    private MessageWriter write(Write write) {
        try {
            write.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    MessageWriter integer(int field, long value) {
        return value == 0 ? this : presentInteger(field, value);
    }

    /** Writes the value even if it is zero, for fields whose presence matters. */
    MessageWriter presentInteger(int field, long value) {
        return write(() -> out.writeInt64(field, value));
    }

    MessageWriter signed(int field, long value) {
        return write(() -> out.writeSInt64(field, value));
    }

    MessageWriter bool(int field, boolean value) {
        return integer(field, value ? 1 : 0);
    }

    MessageWriter real(int field, double value) {
        return write(() -> out.writeDouble(field, value));
    }

    MessageWriter text(int field, String value) {
        return value.isEmpty() ? this : presentText(field, value);
    }

    MessageWriter presentText(int field, String value) {
        return write(() -> out.writeString(field, value));
    }

    MessageWriter texts(int field, List<String> values) {
        values.forEach(value -> presentText(field, value));
        return this;
    }

    MessageWriter bytes(int field, byte[] value) {
        return write(() -> out.writeByteArray(field, value));
    }

    MessageWriter integers(int field, List<Integer> values) {
        if (values.isEmpty()) {
            return this;
        }
        return write(() -> {
            int size = 0;
            for (int value : values) {
                size += CodedOutputStream.computeInt32SizeNoTag(value);
            }
            out.writeTag(field, com.google.protobuf.WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(size);
            for (int value : values) {
                out.writeInt32NoTag(value);
            }
        });
    }

    <T> MessageWriter message(int field, T value, BiConsumer<MessageWriter, T> fields) {
        MessageWriter inner = new MessageWriter();
        fields.accept(inner, value);
        return write(() -> out.writeBytes(field, ByteString.copyFrom(inner.toByteArray())));
    }

    <T> MessageWriter messages(int field, List<? extends T> values, BiConsumer<MessageWriter, T> fields) {
        for (T value : values) {
            message(field, value, fields);
        }
        return this;
    }

    byte[] toByteArray() {
        write(out::flush);
        return bytes.toByteArray();
    }
}
