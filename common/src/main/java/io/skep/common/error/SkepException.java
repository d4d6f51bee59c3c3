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
    private final ClientError client;

    public SkepException(StandardErrorCode code, String message) {
        this(code, message, null, null, null, null, code.client());
    }

    public SkepException(StandardErrorCode code, String message, Throwable cause) {
        this(code, message, cause, null, null, null, code.client());
    }

    private SkepException(
            StandardErrorCode code,
            String message,
            @Nullable Throwable cause,
            @Nullable TextPosition position,
            @Nullable String hint,
            @Nullable String subject,
            ClientError client) {
        super(SecretText.redact(message), cause);
        this.code = code;
        this.position = position;
        this.hint = hint == null ? null : SecretText.redact(hint);
        this.subject = subject;
        this.client = client;
    }

    /** Returns the same error with a position in the statement. An existing position is kept. */
    public SkepException at(TextPosition where) {
        return position == null ? copy(where, hint, subject, client) : this;
    }

    /** Returns the same error with a hint. An existing hint is kept. */
    public SkepException withHint(String advice) {
        return hint == null ? copy(position, advice, subject, client) : this;
    }

    /**
     * Returns the same error with the name of the one thing that has failed, for programs that can do without it, such
     * as the address of a lost daemon. An existing subject is kept.
     */
    public SkepException about(String thing) {
        return subject == null ? copy(position, hint, thing, client) : this;
    }

    /** Returns the same error with another number, SQLSTATE and form for clients than those of its code. */
    public SkepException as(ClientError other) {
        return copy(position, hint, subject, other);
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

    /** Returns what clients see beside the text. */
    public ClientError client() {
        return client;
    }

    /** Returns the text for logs and consoles, in one line: position, message, hint. */
    public String fullMessage() {
        String where = position == null ? "" : "Line " + position + " ";
        String advice = hint == null ? "" : " (hint: " + hint + ")";
        return where + getMessage() + advice;
    }

    private SkepException copy(
            @Nullable TextPosition where, @Nullable String advice, @Nullable String thing, ClientError seen) {
        String message = getMessage() == null ? code.name() : getMessage();
        SkepException copy = new SkepException(code, message, getCause(), where, advice, thing, seen);
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
