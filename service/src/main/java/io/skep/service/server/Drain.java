package io.skep.service.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A graceful shutdown of a server. The server leaves the list where clients find it, and opens no sessions. The drain
 * is complete when the last session is closed. Thread-safe.
 */
final class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);

    private final ClientSessions sessions;
    private final InstantSource clock;
    private final Runnable leaveList;
    private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

    @GuardedBy("this")
    private boolean begun;

    @GuardedBy("this")
    private Instant limit = Instant.MAX;

    /** @param leaveList removes the server from the list where clients find it; called once */
    Drain(ClientSessions sessions, InstantSource clock, Runnable leaveList) {
        this.sessions = sessions;
        this.clock = clock;
        this.leaveList = leaveList;
    }

    /**
     * Begins a drain, or changes the time limit of one that is in progress.
     *
     * @param why the reason, for the log
     * @param within the time after which open sessions are not waited for; absent: no limit
     */
    synchronized void begin(String why, Optional<Duration> within) {
        limit = within.map(clock.instant()::plus).orElse(Instant.MAX);
        if (!begun) {
            begun = true;
            sessions.refuseNew();
            leaveList.run();
            Timers timers = sessions.timers();
            timers.every(LOOK_INTERVAL, this::look);
        }
        String end = within.map(time -> " or after " + time.toSeconds() + " s").orElse("");
        LOG.info(
                "Draining, {}: ends with the last of {} sessions{}",
                why,
                sessions.all().size(),
                end);
        look();
    }

    private synchronized void look() {
        int open = sessions.all().size();
        boolean late = !clock.instant().isBefore(limit);
        if ((open == 0 || late) && !done.isDone()) {
            LOG.info("Drained, {} sessions are open", open);
            done.complete(null);
        }
    }

    /** Returns a future that completes when the server may stop. */
    CompletableFuture<@Nullable Void> done() {
        return done;
    }
}
