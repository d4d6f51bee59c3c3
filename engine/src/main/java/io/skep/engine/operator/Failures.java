package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns whatever was thrown into the one exception of Skep, at the border of a task. */
public final class Failures {
    private Failures() {}

    public static SkepException asSkepException(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return switch (cause) {
            case SkepException e -> e;
            case OutOfMemoryError e ->
                new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        "the process has no memory left: " + e.getMessage(),
                        e);
            default -> new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + cause, cause);
        };
    }
}
