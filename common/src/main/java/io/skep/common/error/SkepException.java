package io.skep.common.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one exception of Skep: a stable code, what went wrong, where in the statement, and what to do about it. Its words are free of
 * the passwords in URLs that errors of libraries may tell.
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
        super(SecretText.redacted(message), cause);
        this.code = code;
        this.position = position;
        this.hint = hint == null ? null : SecretText.redacted(hint);
        this.subject = subject;
    }

    /** The same error at a place of the statement; a position that is already there is kept. */
    public SkepException at(TextPosition where) {
        return position == null ? copy(where, hint, subject) : this;
    }

    /** The same error with advice; advice that is already there is kept. */
    public SkepException withHint(String advice) {
        return hint == null ? copy(position, advice, subject) : this;
    }

    /**
     * The same error with the name of the one thing that has failed, for programs that can do without it: the place of a daemon
     * that is lost. A subject that is already there is kept.
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

    /** The text that clients show: position, message, hint. */
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
