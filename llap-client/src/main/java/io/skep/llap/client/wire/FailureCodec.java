package io.skep.llap.client.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;

/** Encodes errors: code, message, position, hint and subject. The stack trace stays in the daemon's log. */
public final class FailureCodec {
    /** Longer messages are cut. */
    private static final int MAX_CHARACTERS = 100_000;

    private FailureCodec() {}

    public static byte[] encode(SkepException failure) {
        WireWriter out = new WireWriter();
        write(out, failure);
        return out.toByteArray();
    }

    public static SkepException decode(byte[] bytes) {
        return WireReader.read(bytes, FailureCodec::read);
    }

    static void write(WireWriter out, SkepException failure) {
        TextPosition position = failure.position().orElse(new TextPosition(0, 0));
        String message = String.valueOf(failure.getMessage());
        out.text(failure.code().name())
                .text(message.length() <= MAX_CHARACTERS ? message : message.substring(0, MAX_CHARACTERS) + "...")
                .number(position.line())
                .number(position.column())
                .text(failure.hint().orElse(""))
                .text(failure.subject().orElse(""));
    }

    static SkepException read(WireReader in) {
        SkepException failure = new SkepException(code(in.text()), in.text());
        int line = in.count();
        int column = in.count();
        String hint = in.text();
        String subject = in.text();
        SkepException placed = line == 0 ? failure : failure.at(new TextPosition(line, column));
        SkepException advised = hint.isEmpty() ? placed : placed.withHint(hint);
        return subject.isEmpty() ? advised : advised.about(subject);
    }

    private static StandardErrorCode code(String name) {
        try {
            return StandardErrorCode.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw WireReader.damaged("there is no error " + name);
        }
    }
}
