package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.reader.ReaderProto;

/** Encodes errors: code, message, position, hint and subject. The stack trace stays in the daemon's log. */
public final class FailureCodec {
    /** Longer messages are cut. */
    private static final int MAX_CHARACTERS = 100_000;

    private FailureCodec() {}

    public static byte[] encode(SkepException failure) {
        return write(failure).toByteArray();
    }

    public static SkepException decode(byte[] bytes) {
        return Messages.read(ReaderProto.Failure.parser(), bytes, FailureCodec::read);
    }

    static ReaderProto.Failure write(SkepException failure) {
        String message = String.valueOf(failure.getMessage());
        ReaderProto.Failure.Builder out = ReaderProto.Failure.newBuilder()
                .setCode(failure.code().name())
                .setNumber(failure.client().number())
                .setSqlState(failure.client().sqlState())
                .setMessage(
                        message.length() <= MAX_CHARACTERS ? message : message.substring(0, MAX_CHARACTERS) + "...");
        failure.position().ifPresent(position -> out.setLine(position.line()).setColumn(position.column()));
        failure.hint().ifPresent(out::setHint);
        failure.subject().ifPresent(out::setSubject);
        return out.build();
    }

    static SkepException read(ReaderProto.Failure message) {
        SkepException failure = new SkepException(code(message.getCode()), message.getMessage());
        int line = Messages.count(message.getLine());
        int column = Messages.count(message.getColumn());
        String hint = message.getHint();
        String subject = message.getSubject();
        SkepException placed = line == 0 ? failure : failure.at(new TextPosition(line, column));
        SkepException advised = hint.isEmpty() ? placed : placed.withHint(hint);
        return subject.isEmpty() ? advised : advised.about(subject);
    }

    private static StandardErrorCode code(String name) {
        try {
            return StandardErrorCode.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw Messages.damaged("there is no error " + name);
        }
    }
}
