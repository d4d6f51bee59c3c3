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

/** A client's session: the SQL session and its open operations. */
public final class ClientSession implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The time for which a client waits when it closes something that does not stop immediately. */
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

    /** Returns the secret that authorizes the use of the session. */
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

    /** Whether a caller with this secret may use the session. {@code asking} is absent when clients do not log in. */
    boolean belongsTo(UUID shown, Optional<String> asking) {
        return secret.equals(shown) && (asking.isEmpty() || asking.get().equals(client.login()));
    }

    public Instant created() {
        return created;
    }

    /** Returns the time at which a client last used the session, by the steady clock. */
    public Instant lastUsed() {
        return lastUsed;
    }

    public SqlSession sql() {
        return session;
    }

    public Collection<Operation> operations() {
        return List.copyOf(operations.values());
    }

    /** Compiles a statement and starts it. Unless {@code asynchronous}, waits until it finishes. */
    public Operation execute(String text, boolean asynchronous) {
        return execute(text, asynchronous, Duration.ZERO);
    }

    /**
     * @param timeout limit until a query's first rows are ready; zero uses the settings
     * @throws SkepException the error in the statement, or the reason why its compilation stopped
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
     * Waits until the whole text of the statement is compiled. Its run begins on the thread that compiled it, and
     * continues on its own thread.
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

    /** Runs on the calling thread. Two additional thread switches would use a tenth of a report's processor time. */
    private Optional<SqlStatement> compileByKeptPlan(Operation operation, String text) {
        Compilation<Optional<SqlStatement>> compilation = Compilation.onCallingThread(
                () -> session.compileWithCachedPlan(operation.queryId(), text),
                made -> made.ifPresent(SqlStatement::close));
        operation.compiling(compilation);
        compilation.run();
        return compilation.result().join();
    }

    private SkepException refused(Operation operation, Timer timer, Throwable error) {
        timer.close();
        SkepException told = InternalErrors.toClientError(operation.queryId(), error);
        operation.refused(told);
        close(operation.id());
        return told;
    }

    /** Runs a statement that the server created itself: a metadata call. */
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

    /** Creates an operation that is counted until {@link #release}. */
    private Operation make(String text) {
        checkRoom();
        parts.limits().enter(client.user());
        return new Operation(parts.names().next(), text, client.user(), parts);
    }

    private void checkRoom() {
        int most = parts.config().maxOpenOperations();
        if (operations.size() >= most) {
            throw new SkepException(
                            StandardErrorCode.TOO_MANY_RESULTS,
                            "the session keeps " + most + " statements open, as many as it may")
                    .withHint("close statements that are no longer needed, or raise skep.session.max-open-operations");
        }
    }

    /** From this point on the operation is visible, has a time limit, and is cancelled with its session. */
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

    /** Queries mostly wait, so they run on virtual threads. Other statements need the processor for their own work. */
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

    /** The statement was counted as active when it began to wait for its thread. */
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

    /** Returns one of this session's open operations and marks it as used. */
    public Optional<Operation> operation(UUID operationId) {
        Operation operation = operations.get(operationId);
        if (operation != null) {
            touch();
            operation.touch();
        }
        return Optional.ofNullable(operation);
    }

    /**
     * Closes one operation and waits briefly until its resources are released. Tasks that take longer stop in the
     * background. Returns whether the operation existed.
     */
    public boolean close(UUID operationId) {
        boolean known = operations.containsKey(operationId);
        ReleaseTasks.await(List.of(end(operationId)), MOMENT);
        return known;
    }

    /** Stops an operation immediately. The future completes when its resources are released. Never fails. */
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
        CompletableFuture<@Nullable Void> released =
                ReleaseTasks.runAsync("closing " + operation.queryId(), done, () -> {
                    try {
                        operation.close();
                    } finally {
                        parts.limits().leave(client.user());
                    }
                });
        if (operation.state().isTerminal()) {
            parts.history().ended(operation);
        } else {
            // The operation is committing, so its outcome is not known yet.
            var _ = operation.answered().thenRun(() -> parts.history().ended(operation));
        }
        return released;
    }

    /** Cancels all running statements. The session stays open. */
    void cancelAll(String why) {
        operations.values().forEach(operation -> operation.cancel(why));
    }

    /**
     * Stops all operations immediately. The future completes when their resources and the session's are released. Never
     * fails.
     */
    CompletableFuture<@Nullable Void> end() {
        closed = true;
        cancelAll("the session was closed");
        return ReleaseTasks.runAsync("closing the session of " + client.user(), false, this::release);
    }

    private void release() {
        List<CompletableFuture<@Nullable Void>> freed = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (Operation operation : List.copyOf(operations.values())) {
            // A run that is stopping must close its files before the session removes them.
            operation.await(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            parts.owners().remove(operation.id());
            if (operations.remove(operation.id()) != null) {
                freed.add(release(operation));
            }
        }
        ReleaseTasks.await(freed, PATIENCE);
        session.close();
    }

    /** Calls {@link #end} and waits briefly for it. */
    @Override
    public void close() {
        ReleaseTasks.await(List.of(end()), MOMENT);
    }
}
