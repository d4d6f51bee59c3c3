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
 * One statement of a client, from the arrival of its text: what the client asks of it, its log and its pages. Where it
 * stands, and who wins when it is cancelled, is the {@link QueryExecution}'s business. It runs on a thread of its own;
 * states and results are asked for from others.
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
    private volatile @Nullable Compiled compiled;
    private volatile Instant lastUsed;

    /** What the text has become. */
    private record Compiled(SqlStatement statement, ResultPager pager) {}

    /**
     * @param clock for times that are shown
     * @param steady for durations
     * @param kept accounts for rows that lie ready
     */
    Operation(QueryId queryId, String text, String user, InstantSource clock, InstantSource steady, KeptRows kept) {
        this.rows = kept.share();
        this.queryId = queryId;
        this.text = StatementText.cut(text);
        this.user = user;
        this.steady = steady;
        this.arrived = steady.instant();
        this.execution = new QueryExecution(clock, log::add);
        this.lastUsed = arrived;
    }

    /** Its text is being compiled, or waits for that; ended with this operation. */
    void compiling(Compilation<?> begun) {
        execution.compiling(begun::cancel);
    }

    /** The statement that its text has become; false when the operation has ended, and the statement is nobody's. */
    synchronized boolean compiled(SqlStatement statement) {
        Compiled known = new Compiled(statement, new ResultPager(statement));
        boolean isWanted = execution.compiled(statement::cancel);
        if (isWanted) {
            compiled = known;
        }
        return isWanted;
    }

    /** The text is wrong, or could not be compiled. */
    void refused(SkepException error) {
        end(QueryState.FAILED, Optional.of(error));
    }

    /** Runs the statement to the point where its first rows can be read. Called once, when it has been compiled. */
    void run() {
        Compiled known = compiled;
        if (known == null || !execution.begin(firstState(known.statement()))) {
            return;
        }
        Instant ready = execution.compiledAt().orElseThrow();
        log.addLines(() -> Stream.of(
                "Compiled " + queryId + " in " + OperationReport.seconds(Duration.between(created(), ready)),
                "Executing " + queryId + ": " + text));
        try {
            known.statement().run(execution);
            keepRows(known.statement());
            end(known.statement().schema().isPresent() ? QueryState.STREAMING : QueryState.FINISHED, Optional.empty());
        } catch (RuntimeException | Error e) {
            end(QueryState.FAILED, Optional.of(InternalErrors.told(queryId, e)));
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
        error.ifPresent(failure -> log.add("Failed " + queryId + ": " + failure.fullMessage()));
        if (how == QueryState.FINISHED) {
            report();
        }
        execution.end(how, error);
    }

    /** Tells the log, once, what the run did. */
    private void report() {
        if (reported.getAndSet(true)) {
            return;
        }
        Duration took = age();
        log.addLines(() -> Stream.concat(
                figures().stream().flatMap(OperationReport::of),
                Stream.of("Completed " + queryId + " in " + OperationReport.seconds(took) + attempts())));
    }

    /** Which attempt was the last one, when it was not the first. */
    private String attempts() {
        return execution
                .attempt()
                .filter(attempt -> attempt.id().number() > 1)
                .map(attempt -> ", last attempt " + attempt.id().name() + " through " + attempt.scheduler())
                .orElse("");
    }

    /** Waits until the operation has ended or its first rows are ready, but not longer; tells whether it has. */
    public boolean await(Duration atMost) {
        return execution.await(atMost);
    }

    /** Waits until the operation has ended or its first rows are ready; an interrupt cancels it. */
    void await() {
        if (!execution.await(FOREVER)) {
            cancel("the connection was closed");
        }
    }

    /** Done when it has ended or its first rows are ready. Never fails. */
    CompletableFuture<@Nullable Void> answered() {
        return execution.answered();
    }

    /** Ends what goes on, also a run whose rows are being read; does nothing when it has ended or commits. */
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

    /** Estimated bytes of what {@link #plan} keeps. */
    long planBytes() {
        return statement().map(SqlStatement::planBytes).orElse(0L);
    }

    private Optional<SqlStatement> statement() {
        return Optional.ofNullable(compiled).map(Compiled::statement);
    }

    /** What the run did so far; empty while the statement compiles, and for statements without a plan. */
    public Optional<ExecutionStats> figures() {
        return statement().flatMap(SqlStatement::figures);
    }

    /** Where it stands, or how it has ended. */
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

    /** When it was compiled, if it has been. */
    public Optional<Instant> compiledAt() {
        return execution.compiledAt();
    }

    public Optional<Instant> started() {
        return execution.started();
    }

    public Optional<Instant> completed() {
        return execution.completed();
    }

    public Optional<ResultSchema> schema() {
        return statement().flatMap(SqlStatement::schema);
    }

    public Optional<Long> modifiedRows() {
        return statement().flatMap(SqlStatement::modifiedRows);
    }

    /** Rows that were read or written so far; nothing for statements without rows. */
    Optional<Long> rows() {
        Compiled known = compiled;
        return known != null && known.statement().schema().isPresent()
                ? Optional.of(known.pager().rows())
                : modifiedRows();
    }

    /** Lines of the log that were not read yet, at most so many. */
    public List<String> logLines(int most, boolean fromStart) {
        return log.read(most, fromStart);
    }

    /** How long ago it arrived. */
    public Duration age() {
        return Duration.between(arrived, steady.instant());
    }

    /** When a client last asked about it, by the steady clock. */
    public Instant lastUsed() {
        return lastUsed;
    }

    void touch() {
        lastUsed = steady.instant();
    }

    /** Whether rows have been read already. */
    public boolean fetchStarted() {
        Compiled known = compiled;
        return known != null && known.pager().started();
    }

    /**
     * The next rows, at most {@code maxRows}; empty columns at the end.
     *
     * @throws SkepException the failure of the query, or INVALID_FETCH when it has not finished or has no result
     */
    public ResultPage fetch(int maxRows) {
        return fetch(maxRows, bytes -> {});
    }

    /** @param charge takes the bytes of the page's rows before they are given out, or fails, and the query with it */
    public ResultPage fetch(int maxRows, LongConsumer charge) {
        ResultPager pager = readable();
        ResultPage page;
        try {
            page = pager.next(maxRows);
            charge.accept(page.bytes());
        } catch (RuntimeException | Error e) {
            SkepException told = InternalErrors.told(queryId, e);
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

    /** Ends what goes on, except a commit. A query whose rows were not read to their end has not failed. */
    void stopForClose() {
        execution.close(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the operation was closed"));
    }

    /** Ends it and frees what it holds, which may take as long as tasks take to end. */
    @Override
    public void close() {
        stopForClose();
        rows.release();
        whatToClose().ifPresent(SqlStatement::close);
    }

    /** What was compiled before the operation was closed is here, and nothing comes afterwards. */
    private synchronized Optional<SqlStatement> whatToClose() {
        return statement();
    }
}
