package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A client's session: the SQL session and the operations that are open in it. */
public final class ClientSession implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final UUID id = UUID.randomUUID();
    private final String user;
    private final String address;
    private final SqlSession session;
    private final QueryNames names;
    private final OperationHistory history;
    private final InstantSource clock;
    private final Instant created;
    private final Map<UUID, Operation> operations = new ConcurrentHashMap<>();
    private volatile Instant lastUsed;

    ClientSession(
            String user,
            String address,
            SqlSession session,
            QueryNames names,
            OperationHistory history,
            InstantSource clock) {
        this.user = user;
        this.address = address;
        this.session = session;
        this.names = names;
        this.history = history;
        this.clock = clock;
        this.created = clock.instant();
        this.lastUsed = created;
    }

    public UUID id() {
        return id;
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
        QueryId queryId = names.next();
        Instant begun = clock.instant();
        SqlStatement statement;
        try {
            statement = session.compile(queryId, text);
        } catch (SkepException e) {
            history.refused(queryId, user, text, begun, e);
            throw e;
        }
        return start(new Operation(queryId, text, user, statement, begun, clock), asynchronous);
    }

    /** Runs a statement that the server made itself: a metadata call. */
    public Operation execute(SqlStatement statement) {
        return start(
                new Operation(names.next(), statement.operationName(), user, statement, clock.instant(), clock), false);
    }

    private Operation start(Operation operation, boolean asynchronous) {
        lastUsed = clock.instant();
        operations.put(operation.id(), operation);
        history.started(operation);
        Thread thread = Thread.ofVirtual().name(operation.queryId().value()).start(operation::run);
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

    /** @throws SkepException INVALID_FETCH when there is no such operation */
    public Operation operation(UUID operationId) {
        lastUsed = clock.instant();
        Operation operation = operations.get(operationId);
        if (operation == null) {
            throw new SkepException(StandardErrorCode.INVALID_FETCH, "there is no operation " + operationId);
        }
        return operation;
    }

    public boolean has(UUID operationId) {
        return operations.containsKey(operationId);
    }

    public void close(UUID operationId) {
        Operation operation = operations.remove(operationId);
        if (operation != null) {
            operation.close();
            history.ended(operation);
        }
    }

    @Override
    public void close() {
        operations.values().forEach(operation -> operation.cancel("the session was closed"));
        operations.values().forEach(operation -> operation.await(PATIENCE));
        List.copyOf(operations.keySet()).forEach(this::close);
        session.close();
    }
}
