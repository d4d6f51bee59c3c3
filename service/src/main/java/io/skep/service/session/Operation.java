package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.ResultSchema;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.Compilation;
import io.skep.ql.execution.QueryExecution;
import io.skep.ql.execution.QueryState;
import io.skep.ql.explain.RunPrinter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One statement of a client, from the arrival of its text: the client's calls, its log and its pages.
 * {@link QueryExecution} manages its state and resolves races with cancellation. The statement runs on its own thread.
 * Other threads read its state and results.
 */
public final class Operation implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofMillis(Long.MAX_VALUE);

    private final UUID id = UUID.randomUUID();
    private final QueryId queryId;
    private final String text;
    private final String user;
    private final InstantSource steady;
    private final Instant arrived;
    private final OperationLog log = new OperationLog();
    private final QueryExecution execution;
    private final AtomicBoolean reported = new AtomicBoolean();
    private final KeptRows.Share rows;
    private final KeptRows.Share rewindable;
    private volatile @Nullable Compiled compiled;
    private volatile Instant lastUsed;

    /** The compiled text. */
    private record Compiled(SqlStatement statement, ResultPager pager) {}

    Operation(QueryId queryId, String text, String user, SessionParts parts) {
        this.rows = parts.kept().share();
        this.rewindable = parts.rewindable().share();
        this.queryId = queryId;
        this.text = StatementText.cut(text);
        this.user = user;
        this.steady = parts.steady();
        this.arrived = steady.instant();
        this.execution = new QueryExecution(parts.clock(), log::add);
        this.lastUsed = arrived;
    }

    /**
     * Records that the text is being compiled, or is queued for that. The compilation is cancelled with this operation.
     */
    void compiling(Compilation<?> begun) {
        execution.compiling(begun::cancel);
    }

    /**
     * Sets the compiled statement. Returns false when the operation has ended, in which case the caller still owns the
     * statement.
     */
    synchronized boolean compiled(SqlStatement statement) {
        Compiled known = new Compiled(statement, new ResultPager(statement, new RewindBuffer(rewindable)));
        boolean isWanted = execution.compiled(statement::cancel);
        if (isWanted) {
            compiled = known;
        }
        return isWanted;
    }

    /** Records that the text is wrong, or could not be compiled. */
    void refused(SkepException error) {
        end(QueryState.FAILED, Optional.of(error));
    }

    /** Runs the statement until its first rows can be read. Called once, after it was compiled. */
    void run() {
        Compiled known = compiled;
        if (known == null || !execution.begin(firstState(known.statement()))) {
            return;
        }
        boolean planned = known.statement().plan().isPresent();
        log.addLines(() -> OperationReport.compiled(queryId, text, compileTime(), planned));
        try {
            known.statement().run(execution);
            keepRows(known.statement());
            end(known.statement().schema().isPresent() ? QueryState.STREAMING : QueryState.FINISHED, Optional.empty());
        } catch (RuntimeException | Error e) {
            end(QueryState.FAILED, Optional.of(InternalErrors.toClientError(queryId, e)));
        }
    }

    private void keepRows(SqlStatement statement) {
        try {
            rows.charge(statement.rowBytes());
        } catch (SkepException e) {
            statement.close();
            throw e;
        }
    }

    private static QueryState firstState(SqlStatement statement) {
        return statement.plan().isPresent() ? QueryState.LISTING : QueryState.RUNNING;
    }

    private void end(QueryState how, Optional<SkepException> error) {
        error.ifPresent(failure -> log.add("FAILED: " + failure.fullMessage()));
        if (how == QueryState.FINISHED) {
            report();
        }
        execution.end(how, error);
    }

    /** Writes the result of the run to the log, once. */
    private void report() {
        if (reported.getAndSet(true)) {
            return;
        }
        Duration took = age().minus(compileTime());
        log.addLines(() -> Stream.concat(
                stats().stream().flatMap(RunPrinter::lines),
                Stream.of(OperationReport.completed(queryId, took) + attempts())));
    }

    private Duration compileTime() {
        return execution
                .compiledAt()
                .map(ready -> Duration.between(created(), ready))
                .orElse(Duration.ZERO);
    }

    /** Names the last attempt, unless it was the first. */
    private String attempts() {
        return execution
                .attempt()
                .filter(attempt -> attempt.id().number() > 1)
                .map(attempt -> ", last attempt " + attempt.id().name() + " through " + attempt.scheduler())
                .orElse("");
    }

    /** Waits with a limit until the operation has ended or its first rows are ready. Returns whether that happened. */
    public boolean await(Duration atMost) {
        return execution.await(atMost);
    }

    /** Waits until the operation has ended or its first rows are ready. An interrupt cancels it. */
    void await() {
        if (!execution.await(FOREVER)) {
            cancel("the connection was closed");
        }
    }

    /** Returns a future that completes when the operation has ended or its first rows are ready. Never fails. */
    CompletableFuture<@Nullable Void> answered() {
        return execution.answered();
    }

    /** Cancels the operation, even when its rows are being read. Does nothing when it has ended or is committing. */
    public void cancel(String why) {
        execution.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, why));
    }

    void timeOut(Duration limit) {
        String what = "the query ran longer than its " + OperationReport.seconds(limit);
        execution.timeOut(new SkepException(StandardErrorCode.TIME_LIMIT_EXCEEDED, what)
                .withHint("hive.query.timeout.seconds and the client's query timeout set the limit"));
    }

    public UUID id() {
        return id;
    }

    public QueryId queryId() {
        return queryId;
    }

    public String text() {
        return text;
    }

    public String user() {
        return user;
    }

    public Optional<Supplier<String>> plan() {
        return statement().flatMap(SqlStatement::plan);
    }

    /** Returns the estimated bytes that {@link #plan} retains. */
    long planBytes() {
        return statement().map(SqlStatement::planBytes).orElse(0L);
    }

    private Optional<SqlStatement> statement() {
        return Optional.ofNullable(compiled).map(Compiled::statement);
    }

    /** Returns the statistics of the run so far. Empty during compilation, and for statements without a plan. */
    public Optional<ExecutionStats> stats() {
        return statement().flatMap(SqlStatement::stats);
    }

    /** Returns the current or final state. */
    public QueryState state() {
        return execution.state();
    }

    public boolean isClosed() {
        return execution.isClosed();
    }

    public Optional<SkepException> failure() {
        return execution.failure();
    }

    public Instant created() {
        return execution.created();
    }

    /** Returns the time at which it was compiled, if any. */
    public Optional<Instant> compiledAt() {
        return execution.compiledAt();
    }

    public Optional<Instant> started() {
        return execution.started();
    }

    public Optional<Instant> completed() {
        return execution.completed();
    }

    /** Returns the columns that clients are told of, also those of a query whose rows were written. */
    public Optional<ResultSchema> described() {
        return statement().flatMap(SqlStatement::described);
    }

    public Optional<ResultSchema> schema() {
        return statement().flatMap(SqlStatement::schema);
    }

    public Optional<Long> modifiedRows() {
        return statement().flatMap(SqlStatement::modifiedRows);
    }

    /** Returns the number of rows read or written so far. Empty for statements without rows. */
    Optional<Long> rows() {
        Compiled known = compiled;
        return known != null && known.statement().schema().isPresent()
                ? Optional.of(known.pager().rows())
                : modifiedRows();
    }

    /** Returns lines of the log that were not read yet, at most {@code most}. */
    public List<String> logLines(int most, boolean fromStart) {
        return log.read(most, fromStart);
    }

    /** Returns the time since it arrived. */
    public Duration age() {
        return Duration.between(arrived, steady.instant());
    }

    /** Returns the time of the last client call for it, by the steady clock. */
    public Instant lastUsed() {
        return lastUsed;
    }

    void touch() {
        lastUsed = steady.instant();
    }

    /**
     * Makes {@link #fetch} begin with the first row again.
     *
     * @throws SkepException the failure of the query, INVALID_FETCH as {@link #fetch} does, or NOT_SUPPORTED when the
     *     result is too large to be kept
     */
    public void rewind() {
        readable().rewind();
    }

    /**
     * Returns the next rows, at most {@code maxRows}. Columns are empty at the end.
     *
     * @throws SkepException the failure of the query, or INVALID_FETCH when it has not finished or has no result
     */
    public ResultPage fetch(int maxRows) {
        return fetch(maxRows, bytes -> {});
    }

    /**
     * @param charge accounts for the bytes of the page's rows before they are returned; a failure also fails the query
     */
    public ResultPage fetch(int maxRows, LongConsumer charge) {
        ResultPager pager = readable();
        ResultPage page;
        try {
            page = pager.next(maxRows);
            charge.accept(page.bytes());
        } catch (RuntimeException | Error e) {
            SkepException told = InternalErrors.toClientError(queryId, e);
            if (told.code() != StandardErrorCode.INVALID_FETCH) {
                execution.failedInFetch(told);
            }
            throw told;
        }
        if (!page.hasMore()) {
            rows.release();
            execution.allRowsRead();
            report();
        }
        touch();
        return page;
    }

    private ResultPager readable() {
        Compiled known = compiled;
        boolean isClosed = execution.isClosed();
        QueryState state = execution.state();
        execution.failure().ifPresent(failure -> {
            throw failure;
        });
        if (isClosed || known == null || !state.isAnswered()) {
            String where = isClosed ? "CLOSED" : state.name();
            throw new SkepException(
                    StandardErrorCode.INVALID_FETCH, "the operation is " + where + ", it has no rows to fetch");
        }
        return known.pager();
    }

    /** Stops the operation, except a commit. A query whose rows were not read to their end counts as successful. */
    void stopForClose() {
        execution.close(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the operation was closed"));
    }

    /** Stops the operation and releases its resources. This may take until its tasks stop. */
    @Override
    public void close() {
        stopForClose();
        rows.release();
        rewindable.release();
        whatToClose().ifPresent(SqlStatement::close);
    }

    /**
     * The statement is already set if it was compiled before the operation was closed. No statement can arrive later.
     */
    private synchronized Optional<SqlStatement> whatToClose() {
        return statement();
    }
}
