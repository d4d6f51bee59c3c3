package io.skep.reader;

import com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a read: one that the server or a daemon has sent, or one of the reader itself. The message has the
 * position in the statement and the hint too, in one line.
 */
public final class ReadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final int number;
    private final String sqlState;
    private final String reason;
    private final int line;
    private final int column;
    private final String hint;

    public ReadException(ReadErrorCode code, String reason) {
        this(code, reason, "", null);
    }

    public ReadException(ReadErrorCode code, String reason, @Nullable Throwable cause) {
        this(code, reason, "", cause);
    }

    /** @param hint what to do; empty when there is nothing to say */
    public ReadException(ReadErrorCode code, String reason, String hint, @Nullable Throwable cause) {
        super(text(reason, 0, 0, hint), cause);
        this.code = code.name();
        this.number = code.number();
        this.sqlState = code.sqlState();
        this.reason = reason;
        this.line = 0;
        this.column = 0;
        this.hint = hint;
    }

    private ReadException(ReaderProto.Failure failure, @Nullable Throwable cause) {
        super(text(failure.getMessage(), failure.getLine(), failure.getColumn(), failure.getHint()), cause);
        this.code = failure.getCode();
        this.number = failure.getNumber();
        this.sqlState = failure.getSqlState();
        this.reason = failure.getMessage();
        this.line = failure.getLine();
        this.column = failure.getColumn();
        this.hint = failure.getHint();
    }

    /** Returns the error that a server or daemon has sent, or that its bytes are damaged. */
    static ReadException decode(byte[] bytes, @Nullable Throwable cause) {
        try {
            return new ReadException(ReaderProto.Failure.parseFrom(bytes), cause);
        } catch (InvalidProtocolBufferException e) {
            return new ReadException(ReadErrorCode.DAMAGED_MESSAGE, "an error is damaged: " + e.getMessage(), e);
        }
    }

    private static String text(String reason, int line, int column, String hint) {
        String where = line == 0 ? "" : "Line " + line + ":" + column + " ";
        return where + reason + (hint.isEmpty() ? "" : " (hint: " + hint + ")");
    }

    /** The stable name of the error, such as {@code ACCESS_DENIED}. */
    public String code() {
        return code;
    }

    /** The vendor's code, as JDBC has it for the same error. */
    public int number() {
        return number;
    }

    public String sqlState() {
        return sqlState;
    }

    /** The text without position and hint. */
    public String reason() {
        return reason;
    }

    /** The line of the statement, from 1; 0 if the error has no position. */
    public int line() {
        return line;
    }

    /** The column of the statement, from 0. */
    public int column() {
        return column;
    }

    /** What to do; empty when there is nothing to say. */
    public String hint() {
        return hint;
    }
}
