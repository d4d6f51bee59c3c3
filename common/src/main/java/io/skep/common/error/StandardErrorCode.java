package io.skep.common.error;

import static io.skep.common.error.ErrorKind.EXTERNAL;
import static io.skep.common.error.ErrorKind.INTERNAL;
import static io.skep.common.error.ErrorKind.RESOURCES;
import static io.skep.common.error.ErrorKind.USER;

/**
 * The stable error codes. The number and the SQLSTATE travel to clients and never change their meaning; numbers of user
 * errors follow Hive's ErrorMsg where Hive has the same error, SQLSTATEs follow the SQL standard.
 */
public enum StandardErrorCode {
    SYNTAX_ERROR(40000, "42000", USER),
    SEMANTIC_ERROR(10000, "42000", USER),
    TABLE_NOT_FOUND(10001, "42S02", USER),
    COLUMN_NOT_FOUND(10002, "42S22", USER),
    COLUMN_AMBIGUOUS(10007, "42702", USER),
    TYPE_MISMATCH(10016, "42804", USER),
    FUNCTION_NOT_FOUND(10011, "42883", USER),
    INVALID_ARGUMENT(10014, "22023", USER),
    NOT_IN_GROUP_BY(10025, "42803", USER),
    DATABASE_NOT_FOUND(10072, "3F000", USER),
    DATABASE_EXISTS(10242, "42P04", USER),
    DATABASE_NOT_EMPTY(10243, "2BP01", USER),
    TABLE_EXISTS(10073, "42S01", USER),
    COLUMN_EXISTS(10035, "42701", USER),
    PARTITION_NOT_FOUND(10006, "42P01", USER),
    PARTITION_EXISTS(10074, "42710", USER),
    FUNCTION_EXISTS(10075, "42723", USER),
    NOT_A_VIEW(10076, "42809", USER),
    NOT_A_TABLE(10077, "42809", USER),
    INVALID_PARTITION(10098, "42000", USER),
    INVALID_CONFIGURATION(10300, "22023", USER),
    INVALID_CAST(10301, "22018", USER),
    DIVISION_BY_ZERO(10302, "22012", USER),
    NUMERIC_OVERFLOW(10303, "22003", USER),
    ASSERTION_FAILED(10304, "22000", USER),
    SUBQUERY_NOT_SCALAR(10305, "21000", USER),
    UDF_FAILED(10306, "38000", USER),
    INVALID_FETCH(10307, "24000", USER),
    OPERATION_CANCELED(10308, "57014", USER),
    SESSION_NOT_FOUND(10309, "08003", USER),
    ACCESS_DENIED(10310, "42501", USER),
    NOT_SUPPORTED(10311, "0A000", USER),
    CONSTRAINT_VIOLATED(10312, "23000", USER),
    INVALID_CONSTRAINT(10326, "42000", USER),
    MISSING_FILE(20001, "58030", EXTERNAL),
    CORRUPT_FILE(20002, "58030", EXTERNAL),
    FILE_SYSTEM_ERROR(20003, "58030", EXTERNAL),
    METASTORE_ERROR(20004, "58000", EXTERNAL),
    TEZ_ERROR(20005, "58000", EXTERNAL),
    DAEMON_LOST(20006, "58000", EXTERNAL),
    YARN_ERROR(20008, "58000", EXTERNAL),
    ZOOKEEPER_ERROR(20010, "58000", EXTERNAL),
    TEZ_MASTER_LOST(20011, "58000", EXTERNAL),
    OUTPUT_LOST(20012, "58000", EXTERNAL),
    MEMORY_LIMIT_EXCEEDED(30001, "53200", RESOURCES),
    DISK_FULL(30002, "53100", RESOURCES),
    TOO_MANY_RESULTS(30003, "54000", RESOURCES),
    QUEUE_FULL(30004, "53300", RESOURCES),
    TIME_LIMIT_EXCEEDED(30005, "57014", RESOURCES),
    DATA_DIRECTORY_IN_USE(30006, "55006", RESOURCES),
    SERVER_DRAINING(30010, "08004", RESOURCES),
    COMMIT_UNDER_WAY(30021, "55P03", RESOURCES),
    INTERNAL_ERROR(50000, "XX000", INTERNAL);

    private final int code;
    private final String sqlState;
    private final ErrorKind kind;

    StandardErrorCode(int code, String sqlState, ErrorKind kind) {
        this.code = code;
        this.sqlState = sqlState;
        this.kind = kind;
    }

    public int code() {
        return code;
    }

    public String sqlState() {
        return sqlState;
    }

    public ErrorKind kind() {
        return kind;
    }
}
