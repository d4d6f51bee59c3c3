package io.skep.llap.client.external;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.reader.ReadException;
import java.util.Arrays;

/** Converts failures of the reader, which does not know the errors of servers. */
public final class ReadFailures {
    private ReadFailures() {}

    /** Returns the same error. One with a code of another release becomes INTERNAL_ERROR with the same text. */
    public static SkepException asSkepException(ReadException failure) {
        StandardErrorCode code = Arrays.stream(StandardErrorCode.values())
                .filter(known -> known.name().equals(failure.code()))
                .findFirst()
                .orElse(StandardErrorCode.INTERNAL_ERROR);
        SkepException error = new SkepException(code, failure.reason(), failure);
        SkepException placed =
                failure.line() > 0 ? error.at(new TextPosition(failure.line(), failure.column())) : error;
        return failure.hint().isEmpty() ? placed : placed.withHint(failure.hint());
    }
}
