package io.skep.llap.client.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What the codecs share: reading bytes that may be damaged, and checks that protobuf does not make. */
final class Messages {
    /** Converts a parsed message. Throws what parsers and constructors of records throw when its content is damaged. */
    interface Conversion<M, T> {
        T apply(M parsed) throws IOException;
    }

    private Messages() {}

    /** @throws SkepException DAMAGED_MESSAGE when the bytes do not have the expected form */
    static <M, T> T read(Parser<M> parser, byte[] bytes, Conversion<M, T> convert) {
        return read(bytes, in -> convert.apply(rest(parser, in)));
    }

    /** @throws SkepException DAMAGED_MESSAGE when the bytes do not have the expected form */
    static <T> T read(byte[] bytes, Conversion<CodedInputStream, T> convert) {
        // Fields of bytes are parts of the message until they are converted. So they are copied once.
        CodedInputStream in = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
        in.enableAliasing(true);
        try {
            return convert.apply(in);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            throw damaged(String.valueOf(e.getMessage()));
        }
    }

    /** Parses a message up to the end of the bytes. */
    static <M> M rest(Parser<M> parser, CodedInputStream in) throws IOException {
        M message = parser.parseFrom(in);
        in.checkLastTagWas(0);
        return message;
    }

    static SkepException damaged(String how) {
        return new SkepException(
                StandardErrorCode.DAMAGED_MESSAGE, "a message between server and daemon is damaged: " + how);
    }

    static SkepException unknownFrame() {
        return damaged("it has a frame of unknown kind");
    }

    /** Returns a number that must not be negative. */
    static int count(int value) {
        if (value < 0) {
            throw damaged("a count is " + value);
        }
        return value;
    }

    static List<Integer> counts(List<Integer> values) {
        values.forEach(Messages::count);
        return values;
    }

    /** Returns the part of a message that a frame refers to. */
    static <T> T part(List<T> parts, int index) {
        if (index < 0 || index >= parts.size()) {
            throw damaged("it refers to a part that it does not have");
        }
        return parts.get(index);
    }

    /** Wraps bytes that do not change until the message has been written. */
    static ByteString wrap(byte[] bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    static <A, B> List<B> convert(List<? extends A> values, Function<A, B> convert) {
        List<B> converted = new ArrayList<>(values.size());
        for (A value : values) {
            converted.add(convert.apply(value));
        }
        return converted;
    }
}
