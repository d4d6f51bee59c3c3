package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.ResultSchema;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.Compilation;
import io.skep.ql.execution.QueryState;
import io.skep.ql.execution.RunningStatements;
import io.skep.service.audit.AuditedClient;
import io.skep.service.session.Timers.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
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

    /**
     * A statement that was compiled and does not run.
     *
     * @param rows the columns of its rows, if it has rows
     */
    public record Described(QueryId query, Optional<ResultSchema> rows) {}

    /** A statement from its arrival until it runs. */
    private record Starting(Operation operation, Timer timer, StatementAudit audit) {}

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

    Stream<RunningStatements.Running> running() {
        Optional<String> tag = session.setting("hive.query.tag").filter(text -> !text.isEmpty());
        return operations().stream()
                .filter(operation -> !operation.state().isTerminal())
                .map(operation -> new RunningStatements.Running(operation.queryId(), tag, user(), operation::cancel));
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
        StatementAudit audit = StatementAudit.ofText(parts.audit(), audited(), text);
        Duration limit;
        Operation operation;
        try {
            limit = QueryTimeout.of(session, timeout);
            operation = make(text);
        } catch (SkepException e) {
            throw audit.refused(Optional.empty(), e);
        }
        Starting starting = new Starting(operation, open(operation, limit), audit);
        parts.atWork().incrementAndGet();
        try {
            compile(starting, text);
        } catch (CompletionException e) {
            throw refused(starting, e.getCause() == null ? e : e.getCause());
        } catch (RuntimeException e) {
            throw refused(starting, e);
        } finally {
            parts.atWork().decrementAndGet();
        }
        return answered(operation, asynchronous);
    }

    /**
     * Waits until the whole text of the statement is compiled. Its run begins on the thread that compiled it, and
     * continues on its own thread.
     */
    private void compile(Starting starting, String text) {
        Optional<SqlStatement> kept = compileByKeptPlan(starting, text);
        if (kept.isPresent()) {
            begin(starting, kept.get());
            return;
        }
        Operation operation = starting.operation();
        Compilation<SqlStatement> compilation = parts.compilers()
                .submit(
                        id,
                        () -> session.compile(
                                operation.queryId(), text, starting.audit().access()),
                        SqlStatement::close);
        operation.compiling(compilation);
        compilation.result().thenAccept(statement -> begin(starting, statement)).join();
    }

    /** Runs on the calling thread. Two additional thread switches would use a tenth of a report's processor time. */
    private Optional<SqlStatement> compileByKeptPlan(Starting starting, String text) {
        Operation operation = starting.operation();
        Compilation<Optional<SqlStatement>> compilation = Compilation.onCallingThread(
                () -> session.compileWithCachedPlan(
                        operation.queryId(), text, starting.audit().access()),
                made -> made.ifPresent(SqlStatement::close));
        operation.compiling(compilation);
        compilation.run();
        return compilation.result().join();
    }

    /** Whether a text is a query, whose rows readers outside of the server can read in parts, or has mistakes. */
    public boolean isQuery(String text) {
        return onCompilePool(() -> session.isQuery(text));
    }

    /**
     * Compiles a statement without running it.
     *
     * @throws SkepException the error in the statement
     */
    public Described describe(String text) {
        StatementAudit audit = StatementAudit.ofText(parts.audit(), audited(), text);
        QueryId queryId = parts.names().next();
        try {
            return onCompilePool(() -> {
                try (SqlStatement statement = session.compile(queryId, text, audit.access())) {
                    return new Described(queryId, statement.schema());
                }
            });
        } catch (SkepException e) {
            throw audit.refused(Optional.of(queryId), e);
        }
    }

    private <T> T onCompilePool(Callable<T> work) {
        touch();
        try {
            return parts.compilers().submit(id, work, _ -> {}).result().join();
        } catch (CompletionException e) {
            throw InternalErrors.toClientError(parts.names().next(), e.getCause() == null ? e : e.getCause());
        }
    }

    private SkepException refused(Starting starting, Throwable error) {
        starting.timer().close();
        Operation operation = starting.operation();
        SkepException told = starting.audit()
                .refused(Optional.of(operation.queryId()), InternalErrors.toClientError(operation.queryId(), error));
        operation.refused(told);
        close(operation.id());
        return told;
    }

    /** Runs a metadata call. */
    public Operation execute(MetadataCall call) {
        StatementAudit audit = StatementAudit.ofCall(parts.audit(), audited(), call);
        SqlStatement statement;
        Operation operation;
        try {
            statement = call.statement().get();
            audit.name(statement.operationName());
            operation = make(statement.operationName());
        } catch (SkepException e) {
            throw audit.refused(Optional.empty(), e);
        }
        Starting starting = new Starting(operation, open(operation, Duration.ZERO), audit);
        try {
            begin(starting, statement);
        } catch (RuntimeException e) {
            throw refused(starting, e);
        }
        return answered(operation, false);
    }

    /** Returns the client and the session as the audit log shows them. */
    public AuditedClient audited() {
        return new AuditedClient(
                client.transport(),
                client.address(),
                Optional.of(id),
                Optional.of(client.login()),
                Optional.of(client.user()));
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
    private void begin(Starting starting, SqlStatement statement) {
        Operation operation = starting.operation();
        if (!operation.compiled(statement)) {
            statement.close();
            throw operation.failure().orElseThrow();
        }
        starting.audit().allowed(operation.queryId());
        parts.atWork().incrementAndGet();
        try {
            if (statement.plan().isPresent()) {
                Thread.ofVirtual().name(operation.queryId().value()).start(() -> run(starting));
            } else {
                parts.commands().start(operation, () -> run(starting));
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
    private void run(Starting starting) {
        Operation operation = starting.operation();
        try (Timer _ = starting.timer()) {
            operation.run();
            starting.audit().ended(operation.queryId(), operation.failure());
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
