package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlEngine;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.execution.CompilePool;
import io.skep.ql.execution.RunningStatements;
import io.skep.service.audit.AuditLog;
import io.skep.service.authentication.Transport;
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
import java.util.stream.Stream;
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
     * @param audit takes a line for each statement before it runs
     * @param clock for times that are shown
     * @param steady measures how long something was unused or in progress; not affected by changes of the wall clock
     */
    public ClientSessions(
            SqlEngine engine,
            SessionConfig config,
            CompileConfig compiling,
            OperationHistory history,
            AuditLog audit,
            InstantSource clock,
            InstantSource steady) {
        this.engine = engine;
        this.limits = new SessionLimits(config);
        this.compilers = new CompilePool(compiling);
        this.parts = new SessionParts(
                config,
                new QueryIdGenerator(clock),
                history,
                timers,
                compilers,
                new ConcurrentHashMap<>(),
                new OperationLimits(config),
                new CommandThreads(config.maxCommands(), config.maxOperations()),
                new KeptRows(),
                new KeptRows(),
                audit,
                new AtomicInteger(),
                clock,
                steady);
        if (config.checkInterval().isPositive()) {
            timers.every(config.checkInterval(), new IdleReaper(this, config, steady)::run);
        }
    }

    /** Makes {@link #open} fail with SERVER_DRAINING. Open sessions stay open. */
    public void refuseNew() {
        refusing = true;
    }

    /** Whether {@link #refuseNew} was called. */
    public boolean isRefusing() {
        return refusing;
    }

    public ClientSession open(String user, String address, Map<String, String> settings) {
        return open(new SessionClient(user, user, address, Transport.BINARY, false), settings);
    }

    /** @throws SkepException QUEUE_FULL when a limit of sessions is reached, SERVER_DRAINING */
    public ClientSession open(SessionClient client, Map<String, String> settings) {
        limits.enter(client);
        ClientSession session;
        try {
            session = new ClientSession(
                    client, engine.openSession(client.user(), Optional.of(client.address()), settings), parts);
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
     * @param user the user that the caller has logged in as; absent when clients do not log in
     * @throws SkepException SESSION_NOT_FOUND, also when the secret is wrong or the session belongs to another user
     */
    public ClientSession get(UUID id, UUID secret, Optional<String> user) {
        ClientSession session = sessions.get(id);
        if (session == null || !session.belongsTo(secret, user)) {
            throw new SkepException(StandardErrorCode.SESSION_NOT_FOUND, "Invalid SessionHandle: " + id);
        }
        session.touch();
        return session;
    }

    /** Like {@link #get(UUID, UUID, Optional)}, when clients do not log in. */
    public ClientSession get(UUID id, UUID secret) {
        return get(id, secret, Optional.empty());
    }

    /**
     * @param user the user that the caller has logged in as; absent when clients do not log in
     * @throws SkepException INVALID_FETCH, also when the secret is not that of the operation's session, or the session
     *     belongs to another user
     */
    public Operation operation(UUID id, UUID secret, Optional<String> user) {
        return owner(id)
                .filter(session -> session.belongsTo(secret, user))
                .flatMap(session -> session.operation(id))
                .orElseThrow(
                        () -> new SkepException(StandardErrorCode.INVALID_FETCH, "Invalid OperationHandle: " + id));
    }

    /** Returns the session of an open operation. */
    public Optional<ClientSession> owner(UUID operation) {
        return Optional.ofNullable(parts.owners().get(operation));
    }

    /** Cancels all running statements of a session, if it is open. */
    public void cancelAll(UUID id, String why) {
        ClientSession session = sessions.get(id);
        if (session != null) {
            session.cancelAll(why);
        }
    }

    public Collection<ClientSession> all() {
        return List.copyOf(sessions.values());
    }

    /** Returns the statements that have not ended. */
    public Stream<RunningStatements.Running> running() {
        return sessions.values().stream().flatMap(ClientSession::running);
    }

    /** Returns the number of statements that are being compiled or run. */
    public int runningStatements() {
        return parts.atWork().get();
    }

    /** Returns the log of what clients ask for. */
    public AuditLog audit() {
        return parts.audit();
    }

    /** Returns the timers, which the protocol also uses. */
    public Timers timers() {
        return timers;
    }

    /** Calls {@link #end} and waits briefly for it. */
    public void close(UUID id) {
        ReleaseTasks.await(List.of(end(id)), ClientSession.MOMENT);
    }

    /** Closes a session immediately. The future completes when its resources are released. */
    CompletableFuture<@Nullable Void> end(UUID id) {
        ClientSession session = sessions.remove(id);
        if (session == null) {
            return CompletableFuture.completedFuture(null);
        }
        limits.leave(session.client());
        return session.end();
    }

    /** Returns the current state of the compile pool. */
    public CompilePool.Stats compiling() {
        return compilers.stats();
    }

    /** Closes all sessions concurrently. Waits a bounded time for their resources. */
    @Override
    public void close() {
        closed = true;
        List<CompletableFuture<@Nullable Void>> ending = new ArrayList<>();
        List.copyOf(sessions.keySet()).forEach(id -> ending.add(end(id)));
        if (!ReleaseTasks.await(ending, PATIENCE)) {
            LOG.warn("sessions still hold something {} s after they were closed", PATIENCE.toSeconds());
        }
        compilers.close();
        timers.close();
    }
}
