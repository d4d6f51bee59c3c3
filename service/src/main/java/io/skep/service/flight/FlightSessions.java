package io.skep.service.flight;

import com.google.common.util.concurrent.Striped;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.external.ExternalQuery;
import io.skep.service.authentication.Transport;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.SessionClient;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;

/**
 * The sessions of Flight SQL's clients. A client that shows the token of its login, or the cookie of its session, has
 * one session for all its calls from its first statement that may change something in it. All other calls have a
 * session of their own. Thread-safe.
 */
final class FlightSessions {
    /** Above this number, sessions that have ended are forgotten, without an error for their clients. */
    private static final int MAX_KNOWN = 50_000;

    private static final int OPENING = 64;

    /** Closing a session may take a moment, in which the thread of a call has other work. */
    static final Executor ENDS =
            work -> Thread.ofVirtual().name("flight-session-end").start(work);

    private final ClientSessions sessions;

    private final Map<UUID, Kept> kept = new ConcurrentHashMap<>();

    /** Held while a client's session is opened. */
    private final Striped<Lock> opening = Striped.lock(OPENING);

    private record Kept(UUID id, UUID secret) {}

    /**
     * A session for one call.
     *
     * @param kept whether it outlives the call
     */
    record Lease(ClientSession session, boolean kept, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    FlightSessions(ClientSessions sessions) {
        this.sessions = sessions;
    }

    static SessionClient client(String user, String address) {
        return new SessionClient(user, user, address, Transport.FLIGHT, false);
    }

    /**
     * Returns the session for a call that changes nothing in it.
     *
     * @throws SkepException SESSION_NOT_FOUND, once, when the client's session has ended in the meantime
     */
    Lease toRead(FlightLogin.Client client) {
        return open(client).map(FlightSessions::lease).orElseGet(() -> ownOf(client));
    }

    /** Returns the session for a statement that may change something in it, which a client with a token keeps. */
    Lease toChange(FlightLogin.Client client) {
        Optional<ClientSession> known = open(client);
        if (known.isPresent()) {
            return lease(known.get());
        }
        return client.session().isEmpty()
                ? ownOf(client)
                : lease(keep(client, client.session().get()));
    }

    private static Lease lease(ClientSession session) {
        return new Lease(session, true, () -> {});
    }

    private Lease ownOf(FlightLogin.Client client) {
        ClientSession session = sessions.open(client(client.user(), client.address()), Map.of());
        return new Lease(session, false, () -> ENDS.execute(() -> sessions.close(session.id())));
    }

    private Optional<ClientSession> open(FlightLogin.Client client) {
        Optional<Kept> known = client.session().flatMap(this::known);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(sessions.get(known.get().id(), known.get().secret(), Optional.of(client.user())));
        } catch (SkepException e) {
            kept.remove(client.session().get());
            throw new SkepException(
                            StandardErrorCode.SESSION_NOT_FOUND,
                            "the session of this client has ended, with its database, settings and temporary tables",
                            e)
                    .withHint("it was idle for hive.server2.idle.session.timeout, or was closed; the next call begins"
                            + " a new one");
        }
    }

    private Optional<Kept> known(UUID key) {
        return Optional.ofNullable(kept.get(key));
    }

    /** Of two calls of a client at the same time one opens the session. */
    private ClientSession keep(FlightLogin.Client client, UUID key) {
        Lock lock = opening.get(key);
        lock.lock();
        try {
            Kept other = kept.get(key);
            if (other != null) {
                return sessions.get(other.id(), other.secret(), Optional.of(client.user()));
            }
            ClientSession session = sessions.open(client(client.user(), client.address()), Map.of());
            if (kept.size() >= MAX_KNOWN) {
                kept.values().removeIf(one -> !sessions.isOpen(one.id()));
            }
            kept.put(key, new Kept(session.id(), session.secret()));
            return session;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a client's session, if it has one. */
    void end(FlightLogin.Client client) {
        Optional<Kept> known = client.session().flatMap(this::known);
        client.session().ifPresent(kept::remove);
        known.ifPresent(session -> sessions.close(session.id()));
    }

    /**
     * Refuses a statement that has changed only a session which ends with its call.
     *
     * @param before what the session was
     */
    static void checkNothingIsLost(Lease lease, ExternalQuery.Statement before) {
        if (!lease.kept()) {
            ExternalQuery.Statement after = lease.session().sql().external("");
            if (!after.equals(before) || !after.whole()) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "the statement changes its session, and the session of this call ends with it")
                        .withHint("log in by a handshake, whose token stands for a session, or accept cookies");
            }
        }
    }
}
