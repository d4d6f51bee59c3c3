package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.Compilation;
import io.skep.ql.execution.QueryState;
import io.skep.service.session.Timers.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A client's session: the SQL session and the operations that are open in it. */
public final class ClientSession implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** So long does a client wait that closes something that does not end at once. */
    static final Duration MOMENT = Duration.ofMillis(500);

    private final UUID id = UUID.randomUUID();
    private final UUID secret = UUID.randomUUID();
    private final SessionClient client;
    private final SqlSession session;
    private final SessionParts parts;
    private final Instant created;
    private final Map<UUID, Operation> operations = new ConcurrentHashMap<>();
    private volatile Instant lastUsed;
    private volatile boolean closed;

    ClientSession(SessionClient client, SqlSession session, SessionParts parts) {
        this.client = client;
        this.session = session;
        this.parts = parts;
        this.created = parts.clock().instant();
        this.lastUsed = parts.steady().instant();
    }

    public UUID id() {
        return id;
    }

    /** Who shows it may use the session. */
    public UUID secret() {
        return secret;
    }

    public String user() {
        return client.user();
    }

    public String address() {
        return client.address();
    }

    public SessionClient client() {
        return client;
    }

    /** Whether who shows this secret may use the session; {@code asking} is absent where clients do not log in. */
    boolean belongsTo(UUID shown, Optional<String> asking) {
        return secret.equals(shown) && (asking.isEmpty() || asking.get().equals(client.user()));
    }

    public Instant created() {
        return created;
    }

    /** When a client last used it, by the steady clock. */
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

    /**
     * @param timeout ends a query whose first rows are not ready by then; zero leaves it to the settings
     * @throws SkepException what is wrong with the statement, or why it was not compiled to its end
     */
    public Operation execute(String text, boolean asynchronous, Duration timeout) {
        Duration limit = QueryTimeout.of(session, timeout);
        Operation operation = make(text);
        Timer timer = open(operation, limit);
        parts.atWork().incrementAndGet();
        try {
            compile(operation, text, timer);
        } catch (CompletionException e) {
            throw refused(operation, timer, e.getCause() == null ? e : e.getCause());
        } catch (RuntimeException e) {
            throw refused(operation, timer, e);
        } finally {
            parts.atWork().decrementAndGet();
        }
        return answered(operation, asynchronous);
    }

    /**
     * Waits until the statement is compiled, of its whole text; its run begins on the thread that compiled it, and goes
     * on in its own.
     */
    private void compile(Operation operation, String text, Timer timer) {
        Optional<SqlStatement> kept = compileByKeptPlan(operation, text);
        if (kept.isPresent()) {
            begin(operation, kept.get(), timer);
            return;
        }
        Compilation<SqlStatement> compilation =
                parts.compilers().submit(id, () -> session.compile(operation.queryId(), text), SqlStatement::close);
        operation.compiling(compilation);
        compilation
                .result()
                .thenAccept(statement -> begin(operation, statement, timer))
                .join();
    }

    /** On the calling thread: two more switches of threads would cost a report a tenth of its processor time. */
    private Optional<SqlStatement> compileByKeptPlan(Operation operation, String text) {
        Compilation<Optional<SqlStatement>> compilation = Compilation.here(
                () -> session.compileByKeptPlan(operation.queryId(), text),
                made -> made.ifPresent(SqlStatement::close));
        operation.compiling(compilation);
        compilation.run();
        return compilation.result().join();
    }

    private SkepException refused(Operation operation, Timer timer, Throwable error) {
        timer.close();
        SkepException told = InternalErrors.told(operation.queryId(), error);
        operation.refused(told);
        close(operation.id());
        return told;
    }

    /** Runs a statement that the server made itself: a metadata call. */
    public Operation execute(SqlStatement statement) {
        Operation operation = make(statement.operationName());
        Timer timer = open(operation, Duration.ZERO);
        try {
            begin(operation, statement, timer);
        } catch (RuntimeException e) {
            throw refused(operation, timer, e);
        }
        return answered(operation, false);
    }

    /** An operation that is counted until {@link #release}. */
    private Operation make(String text) {
        checkRoom();
        parts.limits().enter(client.user());
        return new Operation(parts.names().next(), text, client.user(), parts.clock(), parts.steady(), parts.kept());
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

    /** From here on the operation is seen, timed, and cancelled with its session. */
    private Timer open(Operation operation, Duration limit) {
        touch();
        operations.put(operation.id(), operation);
        parts.owners().put(operation.id(), this);
        parts.history().started(operation);
        if (closed) {
            operation.cancel("the session was closed");
        }
        return limit.isZero() ? () -> {} : parts.timers().after(limit, () -> operation.timeOut(limit));
    }

    /** Queries wait for others most of their time; what other statements do themselves needs the processor. */
    private void begin(Operation operation, SqlStatement statement, Timer timer) {
        if (!operation.compiled(statement)) {
            statement.close();
            throw operation.failure().orElseThrow();
        }
        parts.atWork().incrementAndGet();
        try {
            if (statement.plan().isPresent()) {
                Thread.ofVirtual().name(operation.queryId().value()).start(() -> run(operation, timer));
            } else {
                parts.commands().start(operation, () -> run(operation, timer));
            }
        } catch (RuntimeException | Error e) {
            parts.atWork().decrementAndGet();
            throw e;
        }
    }

    private Operation answered(Operation operation, boolean asynchronous) {
        if (!asynchronous) {
            operation.await();
            operation.failure().ifPresent(failure -> {
                close(operation.id());
                throw failure;
            });
        }
        return operation;
    }

    /** It was counted as at work when it began to wait for its thread. */
    private void run(Operation operation, Timer timer) {
        try (timer) {
            operation.run();
        } finally {
            parts.atWork().decrementAndGet();
        }
    }

    void touch() {
        lastUsed = parts.steady().instant();
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

    /**
     * Closes one operation, and waits a moment until what it held is freed; tasks that take longer to end do so in the
     * background. Tells whether there was such an operation.
     */
    public boolean close(UUID operationId) {
        boolean known = operations.containsKey(operationId);
        Released.await(List.of(end(operationId)), MOMENT);
        return known;
    }

    /** Ends an operation at once; done when what it held is free. Never fails. */
    CompletableFuture<@Nullable Void> end(UUID operationId) {
        Operation operation = operations.remove(operationId);
        parts.owners().remove(operationId);
        if (operation == null) {
            return CompletableFuture.completedFuture(null);
        }
        touch();
        return release(operation);
    }

    private CompletableFuture<@Nullable Void> release(Operation operation) {
        boolean done = operation.state() == QueryState.FINISHED;
        operation.stopForClose();
        CompletableFuture<@Nullable Void> released = Released.by("closing " + operation.queryId(), done, () -> {
            try {
                operation.close();
            } finally {
                parts.limits().leave(client.user());
            }
        });
        if (operation.state().isTerminal()) {
            parts.history().ended(operation);
        } else {
            // It commits: how that ends is not known yet.
            var _ = operation.answered().thenRun(() -> parts.history().ended(operation));
        }
        return released;
    }

    /** Ends what runs; the session goes on. */
    void cancelAll(String why) {
        operations.values().forEach(operation -> operation.cancel(why));
    }

    /** Ends all operations at once; done when what they and the session held is free. Never fails. */
    CompletableFuture<@Nullable Void> end() {
        closed = true;
        cancelAll("the session was closed");
        return Released.by("closing the session of " + client.user(), false, this::release);
    }

    private void release() {
        List<CompletableFuture<@Nullable Void>> freed = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (Operation operation : List.copyOf(operations.values())) {
            // A run that is ending closes its files before they are taken from it.
            operation.await(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            parts.owners().remove(operation.id());
            if (operations.remove(operation.id()) != null) {
                freed.add(release(operation));
            }
        }
        Released.await(freed, PATIENCE);
        session.close();
    }

    /** {@link #end}, waiting a moment for it. */
    @Override
    public void close() {
        Released.await(List.of(end()), MOMENT);
    }
}
