package io.skep.common.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one exception of Skep: a stable code, what went wrong, where in the statement, and what to do about it. */
public final class SkepException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StandardErrorCode code;
    private final @Nullable TextPosition position;
    private final @Nullable String hint;

    public SkepException(StandardErrorCode code, String message) {
        this(code, message, null, null, null);
    }

    public SkepException(StandardErrorCode code, String message, Throwable cause) {
        this(code, message, null, null, cause);
    }

    private SkepException(
            StandardErrorCode code,
            String message,
            @Nullable TextPosition position,
            @Nullable String hint,
            @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.position = position;
        this.hint = hint;
    }

    /** The same error at a place of the statement; a position that is already there is kept. */
    public SkepException at(TextPosition where) {
        return position == null ? copy(where, hint) : this;
    }

    /** The same error with advice; advice that is already there is kept. */
    public SkepException withHint(String advice) {
        return hint == null ? copy(position, advice) : this;
    }

    public StandardErrorCode code() {
        return code;
    }

    public Optional<TextPosition> position() {
        return Optional.ofNullable(position);
    }

    public Optional<String> hint() {
        return Optional.ofNullable(hint);
    }

    /** The text that clients show: position, message, hint. */
    public String fullMessage() {
        String where = position == null ? "" : position + ": ";
        String advice = hint == null ? "" : " (hint: " + hint + ")";
        return where + getMessage() + advice;
    }

    private SkepException copy(@Nullable TextPosition where, @Nullable String advice) {
        String message = getMessage() == null ? code.name() : getMessage();
        SkepException copy = new SkepException(code, message, where, advice, getCause());
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
