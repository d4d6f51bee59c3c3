package io.skep.common.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only exception type of Skep. It contains a stable code, the error message, the position in the statement, and a
 * hint. Its texts are free of the passwords in URLs that errors of libraries may contain.
 */
public final class SkepException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StandardErrorCode code;
    private final @Nullable TextPosition position;
    private final @Nullable String hint;
    private final @Nullable String subject;

    public SkepException(StandardErrorCode code, String message) {
        this(code, message, null, null, null, null);
    }

    public SkepException(StandardErrorCode code, String message, Throwable cause) {
        this(code, message, null, null, null, cause);
    }

    private SkepException(
            StandardErrorCode code,
            String message,
            @Nullable TextPosition position,
            @Nullable String hint,
            @Nullable String subject,
            @Nullable Throwable cause) {
        super(SecretText.redact(message), cause);
        this.code = code;
        this.position = position;
        this.hint = hint == null ? null : SecretText.redact(hint);
        this.subject = subject;
    }

    /** Returns the same error with a position in the statement. An existing position is kept. */
    public SkepException at(TextPosition where) {
        return position == null ? copy(where, hint, subject) : this;
    }

    /** Returns the same error with a hint. An existing hint is kept. */
    public SkepException withHint(String advice) {
        return hint == null ? copy(position, advice, subject) : this;
    }

    /**
     * Returns the same error with the name of the one thing that has failed, for programs that can do without it, such
     * as the address of a lost daemon. An existing subject is kept.
     */
    public SkepException about(String thing) {
        return subject == null ? copy(position, hint, thing) : this;
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

    public Optional<String> subject() {
        return Optional.ofNullable(subject);
    }

    /** Returns the text that clients display: position, message, hint. */
    public String fullMessage() {
        String where = position == null ? "" : position + ": ";
        String advice = hint == null ? "" : " (hint: " + hint + ")";
        return where + getMessage() + advice;
    }

    private SkepException copy(@Nullable TextPosition where, @Nullable String advice, @Nullable String thing) {
        String message = getMessage() == null ? code.name() : getMessage();
        SkepException copy = new SkepException(code, message, where, advice, thing, getCause());
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
