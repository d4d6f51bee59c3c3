package io.skep.service.wire;

import io.skep.common.error.ErrorKind;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.List;
import org.apache.hive.service.rpc.thrift.TStatus;
import org.apache.hive.service.rpc.thrift.TStatusCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Outcomes of calls as the protocol tells them. */
final class Statuses {
    private static final Logger LOG = LoggerFactory.getLogger(Statuses.class);

    private Statuses() {}

    static TStatus ok() {
        return new TStatus(TStatusCode.SUCCESS_STATUS);
    }

    static TStatus notSupported(String what) {
        return failed(new SkepException(StandardErrorCode.NOT_SUPPORTED, what + " are not supported yet"));
    }

    /** Does what a call asks for; every failure becomes a status. */
    static TStatus attempt(Runnable call) {
        try {
            call.run();
            return ok();
        } catch (SkepException e) {
            return failed(e);
        } catch (RuntimeException | Error e) {
            LOG.error("internal error in a call", e);
            return failed(new SkepException(StandardErrorCode.INTERNAL_ERROR, String.valueOf(e), e));
        }
    }

    private static TStatus failed(SkepException failure) {
        TStatus status = new TStatus(TStatusCode.ERROR_STATUS);
        status.setErrorMessage("Error while compiling statement: FAILED: " + message(failure));
        status.setSqlState(failure.code().sqlState());
        status.setErrorCode(failure.code().code());
        status.setInfoMessages(List.of("*" + failure.getClass().getName() + ":" + failure.fullMessage()));
        return status;
    }

    /** As Hive words it: what kind of error, then the error. */
    static String message(SkepException failure) {
        String kind = switch (failure.code()) {
            case SYNTAX_ERROR -> "ParseException ";
            case INTERNAL_ERROR -> "Internal error: ";
            default -> failure.code().kind() == ErrorKind.USER ? "SemanticException " : "";
        };
        return kind + failure.fullMessage();
    }
}
