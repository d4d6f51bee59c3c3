package io.skep.metastore.hive;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.apache.hadoop.hive.metastore.api.NoSuchLockException;
import org.apache.hadoop.hive.metastore.api.NoSuchTxnException;
import org.apache.hadoop.hive.metastore.api.TxnAbortedException;
import org.apache.hadoop.hive.metastore.api.TxnOpenException;
import org.jspecify.annotations.NullUnmarked;

/** The errors of the library's transactions, with the numbers and words of Hive's compiler. */
@NullUnmarked
final class TransactionErrors {
    private TransactionErrors() {}

    /** @param what what the metastore was to do, such as "commit transaction txnid:5" */
    static SkepException of(String what, Exception failure) {
        return switch (failure) {
            case SkepException known -> known;
            case NoSuchTxnException missing ->
                new SkepException(
                        StandardErrorCode.TRANSACTION_NOT_FOUND,
                        "No record of the transaction could be found, may have timed out: failed to " + what + ": "
                                + missing.getMessage(),
                        missing);
            case TxnAbortedException aborted ->
                new SkepException(
                        StandardErrorCode.TRANSACTION_ABORTED,
                        "Transaction manager has aborted the transaction: failed to " + what + ".  Reason: "
                                + aborted.getMessage(),
                        aborted);
            case NoSuchLockException missing ->
                new SkepException(
                        StandardErrorCode.LOCK_NOT_FOUND,
                        "No record of the lock could be found, may have timed out: failed to " + what + ": "
                                + missing.getMessage(),
                        missing);
            case TxnOpenException held ->
                new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT, "failed to " + what + ": " + held.getMessage(), held);
            default ->
                new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "the metastore failed to " + what + ": " + reason(failure),
                        failure);
        };
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
