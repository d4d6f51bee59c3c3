package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlEngine;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** All open sessions of a server. */
public final class ClientSessions implements AutoCloseable {
    private final SqlEngine engine;
    private final Timers timers = new Timers();
    private final SessionParts parts;
    private final Map<UUID, ClientSession> sessions = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile boolean refusing;

    public ClientSessions(SqlEngine engine, SessionTerms terms, OperationHistory history, InstantSource clock) {
        this.engine = engine;
        this.parts = new SessionParts(
                terms, new QueryNames(clock), history, timers, new ConcurrentHashMap<>(), new AtomicInteger(), clock);
        if (terms.checkInterval().isPositive()) {
            timers.every(terms.checkInterval(), new IdleCheck(this, terms, clock)::run);
        }
    }

    /** From now on {@link #open} fails with SERVER_DRAINING; sessions that are open go on. */
    public void refuseNew() {
        refusing = true;
    }

    public ClientSession open(String user, String address, Map<String, String> settings) {
        ClientSession session = new ClientSession(user, address, engine.openSession(user, settings), parts);
        sessions.put(session.id(), session);
        if (closed) {
            close(session.id());
            throw new SkepException(StandardErrorCode.SESSION_NOT_FOUND, "the server is stopping");
        }
        if (refusing) {
            close(session.id());
            throw new SkepException(
                            StandardErrorCode.SERVER_DRAINING, "this server is about to end and takes no new sessions")
                    .withHint("connect again through ZooKeeper, or to another server");
        }
        return session;
    }

    /** @throws SkepException SESSION_NOT_FOUND, also when the secret is not the session's */
    public ClientSession get(UUID id, UUID secret) {
        ClientSession session = sessions.get(id);
        if (session == null || !session.secret().equals(secret)) {
            throw new SkepException(StandardErrorCode.SESSION_NOT_FOUND, "Invalid SessionHandle: " + id);
        }
        session.touch();
        return session;
    }

    /** @throws SkepException INVALID_FETCH, also when the secret is not that of the operation's session */
    public Operation operation(UUID id, UUID secret) {
        return owner(id)
                .filter(session -> session.secret().equals(secret))
                .flatMap(session -> session.operation(id))
                .orElseThrow(
                        () -> new SkepException(StandardErrorCode.INVALID_FETCH, "Invalid OperationHandle: " + id));
    }

    /** The session of an open operation. */
    public Optional<ClientSession> owner(UUID operation) {
        return Optional.ofNullable(parts.owners().get(operation));
    }

    /** Ends what runs in a session, if it is open. */
    public void cancelAll(UUID id, String why) {
        ClientSession session = sessions.get(id);
        if (session != null) {
            session.cancelAll(why);
        }
    }

    public Collection<ClientSession> all() {
        return List.copyOf(sessions.values());
    }

    /** Statements that are compiled or run now. */
    public int runningStatements() {
        return parts.atWork().get();
    }

    /** Shared with the protocol, which has things to do later too. */
    public Timers timers() {
        return timers;
    }

    public void close(UUID id) {
        ClientSession session = sessions.remove(id);
        if (session != null) {
            session.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(sessions.keySet()).forEach(this::close);
        timers.close();
    }
}
