package io.skep.engine.function.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.exec.UDFArgumentException;
import org.apache.hadoop.hive.ql.exec.UDFArgumentTypeException;

/** Converts exceptions of Hive's classes to Skep's errors. */
final class HiveErrors {
    private HiveErrors() {}

    /** Returns the error for a class that rejects argument types or constants. */
    static SkepException refused(String function, Throwable cause) {
        if (cause instanceof SkepException known) {
            return known;
        }
        StandardErrorCode code = cause instanceof UDFArgumentTypeException
                ? StandardErrorCode.TYPE_MISMATCH
                : StandardErrorCode.INVALID_ARGUMENT;
        if (!(cause instanceof UDFArgumentException)
                && (cause instanceof RuntimeException || cause instanceof LinkageError)) {
            code = StandardErrorCode.UDF_FAILED;
        }
        return new SkepException(code, function + ": " + text(cause), cause);
    }

    /** Returns the error for a class that casts its arguments to wrong types before it has seen a row. */
    static SkepException wrongTypes(String function, List<SqlType> types, ClassCastException cause) {
        String given = types.stream().map(SqlType::displayName).collect(Collectors.joining(", ", "(", ")"));
        return new SkepException(
                        StandardErrorCode.TYPE_MISMATCH,
                        function + ": does not take arguments of types " + given,
                        cause)
                .withHint("CAST them, or take an element out of what is no single value");
    }

    /** Returns the error for a class that fails on a row. */
    static SkepException failed(String function, Throwable cause) {
        if (cause instanceof SkepException known) {
            return known;
        }
        return new SkepException(StandardErrorCode.UDF_FAILED, function + ": " + text(cause), cause);
    }

    private static String text(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
