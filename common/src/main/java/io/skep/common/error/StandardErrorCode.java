package io.skep.common.error;

import static io.skep.common.error.ClientError.Form.COMMAND;
import static io.skep.common.error.ClientError.Form.OTHER;
import static io.skep.common.error.ClientError.Form.PLAIN;
import static io.skep.common.error.ClientError.Form.POSITIONED;
import static io.skep.common.error.ClientError.Form.SYNTAX;
import static io.skep.common.error.ClientError.Form.TASK;
import static io.skep.common.error.ErrorKind.EXTERNAL;
import static io.skep.common.error.ErrorKind.INTERNAL;
import static io.skep.common.error.ErrorKind.RESOURCES;
import static io.skep.common.error.ErrorKind.USER;

/**
 * The stable error codes. Errors that Hive has too have the number and the SQLSTATE of Hive's ErrorMsg. A place that
 * knows a more exact one sets it ({@link SkepException#as}). Hive numbers no error from 60000 on, where Skep's own are;
 * their SQLSTATEs follow the SQL standard. A number never changes its meaning.
 */
public enum StandardErrorCode {
    SYNTAX_ERROR(40000, "42000", SYNTAX, USER),
    SEMANTIC_ERROR(40000, "42000", POSITIONED, USER),
    TABLE_NOT_FOUND(10001, "42S02", POSITIONED, USER),
    COLUMN_NOT_FOUND(10004, "42000", POSITIONED, USER),
    COLUMN_AMBIGUOUS(10007, "42000", POSITIONED, USER),
    TYPE_MISMATCH(10016, "42000", POSITIONED, USER),
    FUNCTION_NOT_FOUND(10011, "42000", POSITIONED, USER),
    INVALID_ARGUMENT(10014, "42000", POSITIONED, USER),
    INVALID_PATH(40000, "42000", POSITIONED, USER),
    NOT_IN_GROUP_BY(10025, "42000", POSITIONED, USER),
    DATABASE_NOT_FOUND(10072, "42000", PLAIN, USER),
    DATABASE_EXISTS(10242, "42000", TASK, USER),
    DATABASE_NOT_EMPTY(40000, "08S01", TASK, USER),
    TABLE_EXISTS(40000, "08S01", TASK, USER),
    COLUMN_EXISTS(10036, "42000", PLAIN, USER),
    PARTITION_NOT_FOUND(10006, "42000", PLAIN, USER),
    PARTITION_EXISTS(40000, "08S01", TASK, USER),
    FUNCTION_EXISTS(40000, "08S01", TASK, USER),
    SCHEDULED_QUERY_EXISTS(40000, "08S01", TASK, USER),
    SCHEDULED_QUERY_NOT_FOUND(40000, "42000", PLAIN, USER),
    ROLE_EXISTS(40000, "08S01", TASK, USER),
    ROLE_NOT_FOUND(40000, "08S01", TASK, USER),
    INVALID_GRANT(40000, "08S01", TASK, USER),
    NOT_A_VIEW(40000, "08S01", TASK, USER),
    NOT_A_TABLE(40000, "08S01", TASK, USER),
    INVALID_PARTITION(40000, "42000", PLAIN, USER),
    OUTPUT_SPECIFIED_MULTIPLE_TIMES(10087, "42000", PLAIN, USER),
    TRANSACTION_NOT_FOUND(10262, "42000", PLAIN, USER),
    TRANSACTION_ABORTED(10263, "42000", PLAIN, USER),
    LOCK_NOT_FOUND(10270, "42000", PLAIN, USER),
    LOCK_TIMED_OUT(10307, "42000", PLAIN, RESOURCES),
    INVALID_CONFIGURATION(1, "42000", COMMAND, USER),
    INVALID_CAST(60301, "22018", OTHER, USER),
    DIVISION_BY_ZERO(60302, "22012", OTHER, USER),
    NUMERIC_OVERFLOW(60303, "22003", OTHER, USER),
    ASSERTION_FAILED(60304, "22000", OTHER, USER),
    SUBQUERY_NOT_SCALAR(60305, "21000", OTHER, USER),
    UDF_FAILED(60306, "38000", OTHER, USER),
    /** A script of TRANSFORM failed. A more exact number says how. */
    SCRIPT_FAILED(20003, "08S01", OTHER, USER),
    INVALID_FETCH(60307, "24000", OTHER, USER),
    OPERATION_CANCELED(60308, "57014", OTHER, USER),
    SESSION_NOT_FOUND(60309, "08003", OTHER, USER),
    ACCESS_DENIED(60310, "42501", POSITIONED, USER),
    NOT_SUPPORTED(60311, "0A000", POSITIONED, USER),
    CONSTRAINT_VIOLATED(60312, "23000", OTHER, USER),
    MERGE_CARDINALITY_VIOLATION(60328, "21000", OTHER, USER),
    INVALID_CONSTRAINT(40000, "08S01", TASK, USER),
    TABLE_CHANGED(60327, "40001", OTHER, USER),
    RECURSIVE_VIEW(40000, "42000", PLAIN, USER),
    MISSING_FILE(70001, "58030", OTHER, EXTERNAL),
    CORRUPT_FILE(70002, "58030", OTHER, EXTERNAL),
    FILE_SYSTEM_ERROR(70003, "58030", OTHER, EXTERNAL),
    METASTORE_ERROR(70004, "58000", OTHER, EXTERNAL),
    TEZ_ERROR(70005, "58000", OTHER, EXTERNAL),
    DAEMON_LOST(70006, "58000", OTHER, EXTERNAL),
    YARN_ERROR(70008, "58000", OTHER, EXTERNAL),
    ZOOKEEPER_ERROR(70010, "58000", OTHER, EXTERNAL),
    TEZ_MASTER_LOST(70011, "58000", OTHER, EXTERNAL),
    OUTPUT_LOST(70012, "58000", OTHER, EXTERNAL),
    DAMAGED_MESSAGE(70013, "08P01", OTHER, EXTERNAL),
    AUTHORIZER_FAILED(70014, "58000", OTHER, EXTERNAL),
    KERBEROS_ERROR(70015, "58000", OTHER, EXTERNAL),
    MEMORY_LIMIT_EXCEEDED(80001, "53200", OTHER, RESOURCES),
    DISK_FULL(80002, "53100", OTHER, RESOURCES),
    TOO_MANY_RESULTS(80003, "54000", OTHER, RESOURCES),
    QUEUE_FULL(80004, "53300", OTHER, RESOURCES),
    TIME_LIMIT_EXCEEDED(80005, "57014", OTHER, RESOURCES),
    DATA_DIRECTORY_IN_USE(80006, "55006", OTHER, RESOURCES),
    SERVER_DRAINING(80010, "08004", OTHER, RESOURCES),
    COMMIT_UNDER_WAY(80021, "55P03", OTHER, RESOURCES),
    COMMIT_UNFINISHED(80022, "55000", OTHER, RESOURCES),
    AUDIT_LOG_FAILED(80030, "58030", OTHER, RESOURCES),
    INTERNAL_ERROR(50000, "XX000", OTHER, INTERNAL);

    private final ClientError client;
    private final ErrorKind kind;

    StandardErrorCode(int number, String sqlState, ClientError.Form form, ErrorKind kind) {
        this.client = new ClientError(number, sqlState, form);
        this.kind = kind;
    }

    /** Returns how clients see errors of this code that are not more exact. */
    public ClientError client() {
        return client;
    }

    public int code() {
        return client.number();
    }

    public String sqlState() {
        return client.sqlState();
    }

    public ErrorKind kind() {
        return kind;
    }
}
