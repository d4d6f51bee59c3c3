package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.Map;
import java.util.Optional;

/** The actions of Flight and Flight SQL that this port does not have, with what to do in their place. */
final class UnsupportedActions {
    private static final String NO_TRANSACTIONS = "each statement is a transaction of its own";
    private static final String NO_CANCEL = "end the call or the read, which cancels what runs for it";

    private static final Map<String, String> HINTS = Map.of(
            "BeginTransaction", NO_TRANSACTIONS,
            "EndTransaction", NO_TRANSACTIONS,
            "BeginSavepoint", NO_TRANSACTIONS,
            "EndSavepoint", NO_TRANSACTIONS,
            "CreatePreparedSubstraitPlan", "send the statement as SQL",
            "CancelQuery", NO_CANCEL,
            "CancelFlightInfo", NO_CANCEL,
            "RenewFlightEndpoint",
                    "ask for the query again; skep.llap.external.ticket-lifetime is how long it is read");

    private UnsupportedActions() {}

    /** Returns the error for an action; empty for one that is there, or that nobody knows. */
    static Optional<SkepException> of(String type) {
        return Optional.ofNullable(HINTS.get(type)).map(hint -> error(type).withHint(hint));
    }

    static SkepException transaction() {
        return error("a transaction").withHint(NO_TRANSACTIONS);
    }

    static SkepException parameters() {
        return error("a parameter of a prepared statement").withHint("write its value into the statement");
    }

    /** Returns the error for something that is not there. */
    static SkepException error(String what) {
        return new SkepException(StandardErrorCode.NOT_SUPPORTED, what + " of Flight SQL is not supported");
    }
}
