package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Converts any exception to Skep's exception type, at the boundary of a task. */
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
            // An exhausted heap ends the process before this point (-XX:+ExitOnOutOfMemoryError). An error that arrives
            // here was raised although the heap has room: memory of direct buffers, or an array that exceeds the
            // maximum length.
            case OutOfMemoryError e ->
                new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        "the process has no memory left: " + e.getMessage(),
                        e);
            case StackOverflowError e ->
                new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "an expression of the query nests too deeply to be run",
                                e)
                        .withHint("split it into several, in subqueries or statements of their own");
            default -> new SkepException(StandardErrorCode.INTERNAL_ERROR, "unexpected failure: " + cause, cause);
        };
    }
}
