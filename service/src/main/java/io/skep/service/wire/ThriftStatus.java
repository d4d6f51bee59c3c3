package io.skep.service.wire;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.List;
import org.apache.hive.service.rpc.thrift.TStatus;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts the outcomes of calls to the protocol's statuses. */
final class ThriftStatus {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftStatus.class);
    /** What precedes errors of statements. Hive says so for running ones, too. */
    static final String COMPILING = "Error while compiling statement: FAILED: ";

    private static final String OPENING = "Failed to open new session: ";

    private ThriftStatus() {}

    static TStatus ok() {
        return new TStatus(TStatusCode.SUCCESS_STATUS);
    }

    static TStatus notSupported(String what) {
        return failed(new SkepException(StandardErrorCode.NOT_SUPPORTED, what + " are not supported yet"), COMPILING);
    }

    /** Runs a call. Every failure becomes a status. */
    static TStatus attempt(Runnable call) {
        return attempt(call, COMPILING);
    }

    /** Like {@link #attempt}, for the call that opens a session. Nothing is compiled there. */
    static TStatus attemptToOpen(Runnable call) {
        return attempt(call, OPENING);
    }

    /** Handles all failures of a call except a lack of memory, which stops the connection or the process. */
    private static TStatus attempt(Runnable call, String doing) {
        try {
            call.run();
            return ok();
        } catch (SkepException e) {
            return failed(e, doing);
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LOG.error("internal error in a call", e);
            return failed(new SkepException(StandardErrorCode.INTERNAL_ERROR, String.valueOf(e), e), doing);
        }
    }

    private static TStatus failed(SkepException failure, String doing) {
        TStatus status = new TStatus(TStatusCode.ERROR_STATUS);
        status.setErrorMessage(ErrorText.of(failure, doing));
        status.setSqlState(failure.client().sqlState());
        status.setErrorCode(failure.client().number());
        status.setInfoMessages(List.of(stackHeader(failure)));
        return status;
    }

    /**
     * Returns the failure without its stack in Hive's form, {@code *class:message:frames:frames-in-common}. Drivers up
     * to version 3 parse the two numbers at the end. An error without them reaches their users as a
     * NumberFormatException with SQLSTATE 08S01, on which pools close the connection.
     */
    private static String stackHeader(SkepException failure) {
        return "*" + failure.getClass().getName() + ":" + failure.fullMessage() + ":0:-1";
    }
}
