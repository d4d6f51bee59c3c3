package io.skep.service.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes sessions and operations that their clients appear to have abandoned. */
final class IdleReaper {
    private static final Logger LOG = LoggerFactory.getLogger(IdleReaper.class);
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final ClientSessions sessions;
    private final SessionConfig config;
    private final InstantSource clock;

    /** @param clock the clock of the {@code lastUsed} times of sessions and operations */
    IdleReaper(ClientSessions sessions, SessionConfig config, InstantSource clock) {
        this.sessions = sessions;
        this.config = config;
        this.clock = clock;
    }

    /**
     * Closes everything that is idle, concurrently. Waits briefly for the resources. Resources that take longer are
     * released in the background.
     */
    void run() {
        Instant now = clock.instant();
        List<CompletableFuture<@Nullable Void>> ending = new ArrayList<>();
        for (ClientSession session : sessions.all()) {
            try {
                run(session, now, ending);
            } catch (RuntimeException | Error e) {
                // A failure to close one session does not keep the others open.
                LOG.warn("closing what is idle of {} failed", session.user(), e);
            }
        }
        ReleaseTasks.await(ending, MOMENT);
    }

    private void run(ClientSession session, Instant now, List<CompletableFuture<@Nullable Void>> ending) {
        session.operations().stream()
                .filter(operation -> isIdle(operation, now))
                .forEach(operation -> ending.add(end(session, operation)));
        if (isIdle(session, now)) {
            LOG.info("closing the session of {}, not used since {}", session.user(), session.lastUsed());
            ending.add(sessions.end(session.id()));
        }
    }

    private static CompletableFuture<@Nullable Void> end(ClientSession session, Operation operation) {
        LOG.info("closing operation {}, not used since {}", operation.queryId(), operation.lastUsed());
        return session.end(operation.id());
    }

    private boolean isIdle(Operation operation, Instant now) {
        Duration limit = config.idleOperation();
        boolean judged = limit.isNegative() || operation.state().isAnswered();
        return !limit.isZero() && judged && isPast(operation.lastUsed(), limit.abs(), now);
    }

    private boolean isIdle(ClientSession session, Instant now) {
        boolean busy = config.keepBusySessions() && !session.operations().isEmpty();
        return config.idleSession().isPositive() && !busy && isPast(session.lastUsed(), config.idleSession(), now);
    }

    private static boolean isPast(Instant used, Duration limit, Instant now) {
        return Duration.between(used, now).compareTo(limit) >= 0;
    }
}
