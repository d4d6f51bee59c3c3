package io.skep.engine.plan.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/** Reads the fields of one protobuf message by number. Absent fields are read as zero, false or empty. */
final class MessageReader {
    private final UnknownFieldSet fields;

    private MessageReader(UnknownFieldSet fields) {
        this.fields = fields;
    }

    /**
     * @throws SkepException DAMAGED_MESSAGE if the bytes are not a valid message, NOT_SUPPORTED if messages are nested
     *     too deeply
     */
    static <T> T read(byte[] bytes, Function<MessageReader, T> read) {
        try {
            return read.apply(of(ByteString.copyFrom(bytes)));
        } catch (IllegalArgumentException
                | IndexOutOfBoundsException
                | ArithmeticException
                | NoSuchElementException e) {
            throw damaged(e);
        } catch (StackOverflowError e) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, "the plan of the query nests too deeply to be read", e)
                    .withHint("split the statement, or the expression that nests, into several");
        }
    }

    private static MessageReader of(ByteString bytes) {
        try {
            return new MessageReader(UnknownFieldSet.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw damaged(e);
        }
    }

    private static SkepException damaged(Throwable cause) {
        return new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "the bytes of a plan or split are damaged", cause);
    }

    boolean has(int field) {
        return fields.hasField(field);
    }

    long integer(int field) {
        List<Long> values = fields.getField(field).getVarintList();
        return values.isEmpty() ? 0 : values.getLast();
    }

    int number(int field) {
        return Math.toIntExact(integer(field));
    }

    long signed(int field) {
        return CodedInputStream.decodeZigZag64(integer(field));
    }

    boolean bool(int field) {
        return integer(field) != 0;
    }

    double real(int field) {
        List<Long> values = fields.getField(field).getFixed64List();
        return values.isEmpty() ? 0 : Double.longBitsToDouble(values.getLast());
    }

    String text(int field) {
        return bytes(field).toStringUtf8();
    }

    List<String> texts(int field) {
        return delimited(field).stream().map(ByteString::toStringUtf8).toList();
    }

    ByteString bytes(int field) {
        List<ByteString> values = delimited(field);
        return values.isEmpty() ? ByteString.EMPTY : values.getLast();
    }

    List<Integer> integers(int field) {
        List<Integer> values = new ArrayList<>();
        try {
            for (ByteString packed : delimited(field)) {
                CodedInputStream in = packed.newCodedInput();
                while (!in.isAtEnd()) {
                    values.add(in.readInt32());
                }
            }
        } catch (IOException e) {
            throw damaged(e);
        }
        return values;
    }

    <T> T message(int field, Function<MessageReader, T> read) {
        return read.apply(of(bytes(field)));
    }

    <T> Optional<T> optionalMessage(int field, Function<MessageReader, T> read) {
        return has(field) ? Optional.of(message(field, read)) : Optional.empty();
    }

    <T> List<T> messages(int field, Function<MessageReader, T> read) {
        return delimited(field).stream().map(bytes -> read.apply(of(bytes))).toList();
    }

    private List<ByteString> delimited(int field) {
        return fields.getField(field).getLengthDelimitedList();
    }
}
