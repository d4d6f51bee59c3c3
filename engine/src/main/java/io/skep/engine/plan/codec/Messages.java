package io.skep.engine.plan.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Parser;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** What the codecs share: reading bytes that may be damaged, and converting lists. */
final class Messages {
    private Messages() {}

    /**
     * Parses a message and converts it.
     *
     * @throws SkepException DAMAGED_MESSAGE if the bytes are not a valid message, NOT_SUPPORTED if messages are nested
     *     too deeply for the stack of this thread
     */
    static <M, T> T read(Parser<M> parser, byte[] bytes, Function<M, T> convert) {
        try {
            return convert.apply(parse(parser, bytes));
        } catch (IOException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | ArithmeticException
                | NoSuchElementException e) {
            throw new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "the bytes of a plan or split are damaged", e);
        } catch (StackOverflowError e) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, "the plan of the query nests too deeply to be read", e)
                    .withHint("split the statement, or the expression that nests, into several");
        }
    }

    /** Plans nest as deeply as statements, which is more than protobuf's limit of 100. The stack is the limit here. */
    private static <M> M parse(Parser<M> parser, byte[] bytes) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        in.setRecursionLimit(Integer.MAX_VALUE);
        M message = parser.parseFrom(in);
        in.checkLastTagWas(0);
        return message;
    }

    static SkepException unknown(String what) {
        return new SkepException(StandardErrorCode.DAMAGED_MESSAGE, "a plan holds " + what + " of unknown kind");
    }

    static <A, B> List<B> convert(List<? extends A> values, Function<A, B> convert) {
        List<B> converted = new ArrayList<>(values.size());
        for (A value : values) {
            converted.add(convert.apply(value));
        }
        return converted;
    }
}
