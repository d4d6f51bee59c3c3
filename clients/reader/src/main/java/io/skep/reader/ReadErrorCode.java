package io.skep.reader;

/** The errors that a reader raises itself. Names, numbers and SQLSTATEs are those of the server's errors. */
public enum ReadErrorCode {
    INVALID_ARGUMENT(10014, "42000"),
    INVALID_CONFIGURATION(1, "42000"),
    OPERATION_CANCELED(60308, "57014"),
    ACCESS_DENIED(60310, "42501"),
    NOT_SUPPORTED(60311, "0A000"),
    TABLE_CHANGED(60327, "40001"),
    DAEMON_LOST(70006, "58000"),
    DAMAGED_MESSAGE(70013, "08P01"),
    QUEUE_FULL(80004, "53300");

    private final int number;
    private final String sqlState;

    ReadErrorCode(int number, String sqlState) {
        this.number = number;
        this.sqlState = sqlState;
    }

    public int number() {
        return number;
    }

    public String sqlState() {
        return sqlState;
    }
}
