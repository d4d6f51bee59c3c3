package io.skep.service.flight;

import io.grpc.Context;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.external.ExternalQuery;
import io.skep.service.session.ClientSession;
import io.skep.service.session.Operation;

/** Runs statements that change something and have no rows, each within its call. Thread-safe. */
final class FlightUpdates {
    private final FlightSessions sessions;

    FlightUpdates(FlightSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Runs a statement to its end. A client that ends its call cancels it.
     *
     * @return the number of rows that it has written; 0 for definitions
     * @throws SkepException the error of the statement; INVALID_ARGUMENT when it has rows
     */
    long run(FlightLogin.Client client, String text) {
        try (FlightSessions.Lease lease = sessions.toChange(client)) {
            ClientSession session = lease.session();
            ExternalQuery.Statement before = session.sql().external("");
            Operation operation = session.execute(text, true);
            try {
                long rows = end(operation);
                FlightSessions.checkNothingIsLost(lease, before);
                return rows;
            } finally {
                session.close(operation.id());
            }
        }
    }

    private static long end(Operation operation) {
        Context.CancellationListener cancel = _ -> operation.cancel("the client has ended its call");
        Context call = Context.current();
        call.addListener(cancel, Runnable::run);
        try {
            operation.await(OperationRows.FOREVER);
        } finally {
            call.removeListener(cancel);
        }
        operation.failure().ifPresent(failure -> {
            throw failure;
        });
        if (operation.schema().isPresent()) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the statement has rows, so it is no update")
                    .withHint("ask for it as a query");
        }
        return operation.modifiedRows().orElse(0L);
    }
}
