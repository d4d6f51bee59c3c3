package io.skep.service.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes sessions and operations that their clients seem to have forgotten. */
final class IdleCheck {
    private static final Logger LOG = LoggerFactory.getLogger(IdleCheck.class);

    private final ClientSessions sessions;
    private final SessionTerms terms;
    private final InstantSource clock;

    IdleCheck(ClientSessions sessions, SessionTerms terms, InstantSource clock) {
        this.sessions = sessions;
        this.terms = terms;
        this.clock = clock;
    }

    void run() {
        Instant now = clock.instant();
        for (ClientSession session : sessions.all()) {
            session.operations().stream()
                    .filter(operation -> isIdle(operation, now))
                    .forEach(operation -> close(session, operation));
            if (isIdle(session, now)) {
                LOG.info("closing the session of {}, not used since {}", session.user(), session.lastUsed());
                sessions.close(session.id());
            }
        }
    }

    private static void close(ClientSession session, Operation operation) {
        LOG.info("closing operation {}, not used since {}", operation.queryId(), operation.lastUsed());
        session.close(operation.id());
    }

    private boolean isIdle(Operation operation, Instant now) {
        Duration limit = terms.idleOperation();
        boolean judged = limit.isNegative() || operation.state().isTerminal();
        return !limit.isZero() && judged && isPast(operation.lastUsed(), limit.abs(), now);
    }

    private boolean isIdle(ClientSession session, Instant now) {
        boolean busy = terms.keepBusySessions() && !session.operations().isEmpty();
        return terms.idleSession().isPositive() && !busy && isPast(session.lastUsed(), terms.idleSession(), now);
    }

    private static boolean isPast(Instant used, Duration limit, Instant now) {
        return Duration.between(used, now).compareTo(limit) >= 0;
    }
}
