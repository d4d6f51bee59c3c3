package io.skep.spark;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a server or its JDBC driver has refused. The message has no secrets. */
final class ServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int NO_SUCH_TABLE = 10001;
    private static final int NO_SUCH_DATABASE = 10072;

    private final int code;

    private ServerException(String message, int code, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /**
     * Returns the error of a driver.
     *
     * @param options with the secrets that its text may repeat
     */
    static ServerException of(SQLException error, SkepOptions options) {
        String text = String.valueOf(error.getMessage());
        String message = Secrets.without(text, options);
        // Causes repeat the text.
        return new ServerException("Skep: " + message, error.getErrorCode(), message.equals(text) ? error : null);
    }

    boolean isNoSuchTable() {
        return code == NO_SUCH_TABLE;
    }

    boolean isNoSuchDatabase() {
        return code == NO_SUCH_DATABASE;
    }
}
