package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.service.session.Timers.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A client's session: the SQL session and the operations that are open in it. */
public final class ClientSession implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final UUID id = UUID.randomUUID();
    private final UUID secret = UUID.randomUUID();
    private final String user;
    private final String address;
    private final SqlSession session;
    private final SessionParts parts;
    private final Instant created;
    private final Map<UUID, Operation> operations = new ConcurrentHashMap<>();
    private volatile Instant lastUsed;
    private volatile boolean closed;

    ClientSession(String user, String address, SqlSession session, SessionParts parts) {
        this.user = user;
        this.address = address;
        this.session = session;
        this.parts = parts;
        this.created = parts.clock().instant();
        this.lastUsed = created;
    }

    public UUID id() {
        return id;
    }

    /** Who shows it may use the session. */
    public UUID secret() {
        return secret;
    }

    public String user() {
        return user;
    }

    public String address() {
        return address;
    }

    public Instant created() {
        return created;
    }

    public Instant lastUsed() {
        return lastUsed;
    }

    public SqlSession sql() {
        return session;
    }

    public Collection<Operation> operations() {
        return List.copyOf(operations.values());
    }

    /** Compiles a statement and starts it; when not {@code asynchronous}, waits until it has ended. */
    public Operation execute(String text, boolean asynchronous) {
        return execute(text, asynchronous, Duration.ZERO);
    }

    /** @param timeout ends a query that runs longer; zero leaves it to the settings */
    public Operation execute(String text, boolean asynchronous, Duration timeout) {
        checkRoom();
        Duration limit = QueryTimeout.of(session, timeout);
        QueryId queryId = parts.names().next();
        Instant begun = parts.clock().instant();
        SqlStatement statement;
        parts.atWork().incrementAndGet();
        try {
            statement = session.compile(queryId, text);
        } catch (RuntimeException | Error e) {
            SkepException told = InternalErrors.told(queryId, e);
            parts.history().refused(queryId, user, text, begun, told);
            throw told;
        } finally {
            parts.atWork().decrementAndGet();
        }
        Operation operation = new Operation(queryId, text, user, statement, begun, parts.clock());
        return start(operation, asynchronous, limit);
    }

    /** Runs a statement that the server made itself: a metadata call. */
    public Operation execute(SqlStatement statement) {
        checkRoom();
        Instant now = parts.clock().instant();
        QueryId queryId = parts.names().next();
        Operation operation = new Operation(queryId, statement.operationName(), user, statement, now, parts.clock());
        return start(operation, false, Duration.ZERO);
    }

    private void checkRoom() {
        int most = parts.terms().maxOpenOperations();
        if (operations.size() >= most) {
            throw new SkepException(
                            StandardErrorCode.TOO_MANY_RESULTS,
                            "the session keeps " + most + " statements open, as many as it may")
                    .withHint("close statements that are no longer needed, or raise skep.session.max-open-operations");
        }
    }

    private Operation start(Operation operation, boolean asynchronous, Duration timeout) {
        touch();
        operations.put(operation.id(), operation);
        parts.owners().put(operation.id(), this);
        parts.history().started(operation);
        Timer timer = timeout.isZero() ? () -> {} : parts.timers().after(timeout, () -> operation.timeOut(timeout));
        Thread thread = Thread.ofVirtual().name(operation.queryId().value()).start(() -> run(operation, timer));
        if (closed) {
            // The session was closed while the statement was compiled.
            close(operation.id());
        }
        if (!asynchronous) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                operation.cancel("the connection was closed");
            }
            operation.failure().ifPresent(failure -> {
                close(operation.id());
                throw failure;
            });
        }
        return operation;
    }

    private void run(Operation operation, Timer timer) {
        parts.atWork().incrementAndGet();
        try (timer) {
            operation.run();
        } finally {
            parts.atWork().decrementAndGet();
        }
    }

    void touch() {
        lastUsed = parts.clock().instant();
    }

    /** One of this session's open operations; being asked for, it is in use. */
    public Optional<Operation> operation(UUID operationId) {
        Operation operation = operations.get(operationId);
        if (operation != null) {
            touch();
            operation.touch();
        }
        return Optional.ofNullable(operation);
    }

    /** Whether there was such an operation. */
    public boolean close(UUID operationId) {
        Operation operation = operations.remove(operationId);
        parts.owners().remove(operationId);
        if (operation != null) {
            touch();
            operation.close();
            parts.history().ended(operation);
        }
        return operation != null;
    }

    /** Ends what runs; the session goes on. */
    void cancelAll(String why) {
        operations.values().forEach(operation -> operation.cancel(why));
    }

    @Override
    public void close() {
        closed = true;
        cancelAll("the session was closed");
        operations.values().forEach(operation -> operation.await(PATIENCE));
        List.copyOf(operations.keySet()).forEach(this::close);
        session.close();
    }
}
