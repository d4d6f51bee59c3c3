package io.skep.service.session;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles internal errors of the server. They are logged in full. The client gets a code and the id under which the log
 * contains the error.
 */
final class InternalErrors {
    private static final Logger LOG = LoggerFactory.getLogger(InternalErrors.class);

    private InternalErrors() {}

    /** Returns the error for the client. Any error that is not internal is returned unchanged. */
    static SkepException toClientError(QueryId query, Throwable failure) {
        if (failure instanceof SkepException known && known.code().kind() != ErrorKind.INTERNAL) {
            return known;
        }
        if (failure instanceof StackOverflowError) {
            LOG.info("query {} is nested too deeply", query.value());
            return new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "the statement is nested too deeply, in query " + query.value())
                    .withHint("split it, for example with a temporary table, or use IN instead of many ORs");
        }
        LOG.error("internal error in query {}", query.value(), failure);
        if (failure instanceof OutOfMemoryError) {
            return new SkepException(
                    StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                    "the process has no memory left: " + failure.getMessage() + ", in query " + query.value(),
                    failure);
        }
        String what = failure instanceof SkepException ? failure.getMessage() : failure.toString();
        return new SkepException(StandardErrorCode.INTERNAL_ERROR, what + ", in query " + query.value(), failure)
                .withHint("the server's log has its stack trace under the query's name");
    }
}
