package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlEngine;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.execution.CompilePool;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All open sessions of a server. */
public final class ClientSessions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSessions.class);
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final SqlEngine engine;
    private final Timers timers = new Timers();
    private final SessionLimits limits;
    private final CompilePool compilers;
    private final SessionParts parts;
    private final Map<UUID, ClientSession> sessions = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile boolean refusing;

    /**
     * @param clock for times that are shown
     * @param steady for how long something has been unused or under way; steps of the wall clock do not change it
     */
    public ClientSessions(
            SqlEngine engine,
            SessionConfig terms,
            CompileConfig compiling,
            OperationHistory history,
            InstantSource clock,
            InstantSource steady) {
        this.engine = engine;
        this.limits = new SessionLimits(terms);
        this.compilers = new CompilePool(compiling);
        this.parts = new SessionParts(
                terms,
                new QueryIdGenerator(clock),
                history,
                timers,
                compilers,
                new ConcurrentHashMap<>(),
                new OperationLimits(terms),
                new CommandThreads(terms.maxCommands(), terms.maxOperations()),
                new KeptRows(),
                new AtomicInteger(),
                clock,
                steady);
        if (terms.checkInterval().isPositive()) {
            timers.every(terms.checkInterval(), new IdleReaper(this, terms, steady)::run);
        }
    }

    /** From now on {@link #open} fails with SERVER_DRAINING; sessions that are open go on. */
    public void refuseNew() {
        refusing = true;
    }

    public ClientSession open(String user, String address, Map<String, String> settings) {
        return open(new SessionClient(user, address, false), settings);
    }

    /** @throws SkepException QUEUE_FULL when a limit of sessions is reached, SERVER_DRAINING */
    public ClientSession open(SessionClient client, Map<String, String> settings) {
        limits.enter(client);
        ClientSession session;
        try {
            session = new ClientSession(client, engine.openSession(client.user(), settings), parts);
            sessions.put(session.id(), session);
        } catch (RuntimeException | Error e) {
            limits.leave(client);
            throw e;
        }
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

    public boolean isOpen(UUID id) {
        return sessions.containsKey(id);
    }

    /**
     * @param user who asks; absent where clients do not log in
     * @throws SkepException SESSION_NOT_FOUND, also when the secret is not the session's or the session another user's
     */
    public ClientSession get(UUID id, UUID secret, Optional<String> user) {
        ClientSession session = sessions.get(id);
        if (session == null || !session.belongsTo(secret, user)) {
            throw new SkepException(StandardErrorCode.SESSION_NOT_FOUND, "Invalid SessionHandle: " + id);
        }
        session.touch();
        return session;
    }

    /** As {@link #get(UUID, UUID, Optional)}, where clients do not log in. */
    public ClientSession get(UUID id, UUID secret) {
        return get(id, secret, Optional.empty());
    }

    /**
     * @param user who asks; absent where clients do not log in
     * @throws SkepException INVALID_FETCH, also when the secret is not that of the operation's session, or that another
     *     user's
     */
    public Operation operation(UUID id, UUID secret, Optional<String> user) {
        return owner(id)
                .filter(session -> session.belongsTo(secret, user))
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

    /** {@link #end}, waiting a moment for it. */
    public void close(UUID id) {
        Released.await(List.of(end(id)), ClientSession.MOMENT);
    }

    /** Ends a session at once; what it held is freed when this is done. */
    CompletableFuture<@Nullable Void> end(UUID id) {
        ClientSession session = sessions.remove(id);
        if (session == null) {
            return CompletableFuture.completedFuture(null);
        }
        limits.leave(session.client());
        return session.end();
    }

    /** What compiles statements does now. */
    public CompilePool.Stats compiling() {
        return compilers.stats();
    }

    /** Ends all sessions together; waits for what they held, but not for ever. */
    @Override
    public void close() {
        closed = true;
        List<CompletableFuture<@Nullable Void>> ending = new ArrayList<>();
        List.copyOf(sessions.keySet()).forEach(id -> ending.add(end(id)));
        if (!Released.await(ending, PATIENCE)) {
            LOG.warn("sessions still hold something {} s after they were closed", PATIENCE.toSeconds());
        }
        compilers.close();
        timers.close();
    }
}
