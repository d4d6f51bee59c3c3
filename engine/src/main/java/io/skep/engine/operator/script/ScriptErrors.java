package io.skep.engine.operator.script;

import io.skep.common.error.ClientError;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.jspecify.annotations.Nullable;

/** The errors of scripts, with the numbers, words and SQLSTATE that Hive has for them. */
final class ScriptErrors {
    private static final int NOT_STARTED = 20000;
    private static final int NOT_READ_OR_WRITTEN = 20001;
    private static final int ENDED_WRONGLY = 20003;

    private ScriptErrors() {}

    /** The script cannot be started. */
    static SkepException start(String reason, @Nullable Throwable cause) {
        return of(NOT_STARTED, "Unable to initialize custom script. ", reason, cause);
    }

    /** The script did not read its input, or its output cannot be read. */
    static SkepException exchange(String reason, @Nullable Throwable cause) {
        return of(
                NOT_READ_OR_WRITTEN,
                "An error occurred while reading or writing to your custom script. "
                        + "It may have crashed with an error. ",
                reason,
                cause);
    }

    /** The script ended with a status other than 0. */
    static SkepException end(String reason) {
        return of(
                ENDED_WRONGLY,
                "An error occurred when trying to close the Operator running your custom script. ",
                reason,
                null);
    }

    private static SkepException of(int number, String words, String reason, @Nullable Throwable cause) {
        String text = "[Error " + number + "]: " + words + reason;
        SkepException error = cause == null
                ? new SkepException(StandardErrorCode.SCRIPT_FAILED, text)
                : new SkepException(StandardErrorCode.SCRIPT_FAILED, text, cause);
        return error.as(new ClientError(number, StandardErrorCode.SCRIPT_FAILED.sqlState(), ClientError.Form.OTHER));
    }
}
