package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.ql.ResultSchema;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.Compilation;
import io.skep.ql.execution.QueryState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One statement of a client. It exists from the moment its text arrives, so that it is seen, timed and cancelled while it
 * compiles, too; it runs on a thread of its own; states and results are asked for from others. {@link QueryState} says which
 * change of its state may follow which; the state is guarded by this.
 */
public final class Operation implements AutoCloseable {
    private final UUID id = UUID.randomUUID();
    private final QueryId queryId;
    private final String text;
    private final String user;
    private final InstantSource clock;
    private final Instant created;
    private final OperationLog log = new OperationLog();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Compiled compiled;
    private @Nullable Compilation<SqlStatement> compilation;
    private QueryState state = QueryState.RECEIVED;
    private @Nullable SkepException failure;
    private @Nullable Instant started;
    private @Nullable Instant completed;
    private volatile Instant lastUsed;
    private volatile boolean closed;
    private boolean reported;

    /** What the text has become, and when. */
    private record Compiled(SqlStatement statement, ResultPager pager, Instant at) {}

    Operation(QueryId queryId, String text, String user, InstantSource clock) {
        this.queryId = queryId;
        this.text = StatementText.cut(text);
        this.user = user;
        this.clock = clock;
        this.created = clock.instant();
        this.lastUsed = created;
    }

    /** Its text is being compiled, or waits for that; ended with this operation. */
    void compiling(Compilation<SqlStatement> begun) {
        SkepException reason;
        synchronized (this) {
            if (state.mayBecome(QueryState.COMPILING)) {
                state = QueryState.COMPILING;
            }
            compilation = begun;
            reason = failure;
        }
        if (reason != null) {
            begun.cancel(reason);
        }
    }

    /** The statement that its text has become; false when the operation has ended, and the statement is nobody's. */
    boolean compiled(SqlStatement statement) {
        synchronized (this) {
            if (!state.mayBecome(QueryState.QUEUED)) {
                return false;
            }
            state = QueryState.QUEUED;
            compiled = new Compiled(statement, new ResultPager(statement), clock.instant());
            return true;
        }
    }

    /** The text is wrong, or could not be compiled. */
    void refused(SkepException error) {
        end(QueryState.FAILED, error);
    }

    /** Runs the statement to the point where its first rows can be read. Called once, when it has been compiled. */
    void run() {
        Compiled known = compiled;
        synchronized (this) {
            if (known == null || !state.mayBecome(QueryState.RUNNING)) {
                return;
            }
            state = QueryState.RUNNING;
            started = clock.instant();
        }
        log.addLines(() -> Stream.of(
                "Compiled " + queryId + " in " + OperationReport.seconds(Duration.between(created, known.at())),
                "Executing " + queryId + ": " + text));
        try {
            known.statement().run(log::add);
            end(known.statement().schema().isPresent() ? QueryState.STREAMING : QueryState.FINISHED, null);
        } catch (RuntimeException | Error e) {
            end(QueryState.FAILED, InternalErrors.told(queryId, e));
        }
    }

    private void end(QueryState how, @Nullable SkepException error) {
        synchronized (this) {
            if (state.mayBecome(how)) {
                state = how;
                failure = error;
            }
            completed = clock.instant();
        }
        if (error != null) {
            log.add("Failed " + queryId + ": " + error.fullMessage());
        } else if (how == QueryState.FINISHED) {
            report();
        }
        ended.countDown();
    }

    /** Tells the log, once, what the run did. */
    private void report() {
        synchronized (this) {
            if (reported) {
                return;
            }
            reported = true;
        }
        Duration took = Duration.between(created, clock.instant());
        log.addLines(() -> Stream.concat(
                figures().stream().flatMap(OperationReport::of),
                Stream.of("Completed " + queryId + " in " + OperationReport.seconds(took))));
    }

    /** Waits until the operation has ended or its first rows are ready, but not longer; tells whether it has. */
    public boolean await(Duration atMost) {
        try {
            return ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits until the operation has ended or its first rows are ready; an interrupt cancels it. */
    void await() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancel("the connection was closed");
        }
    }

    /** Ends what goes on, also a run whose rows are being read; otherwise does nothing. */
    public void cancel(String why) {
        stop(QueryState.CANCELLED, new SkepException(StandardErrorCode.OPERATION_CANCELED, why));
    }

    void timeOut(Duration limit) {
        String what = "the query ran longer than its " + OperationReport.seconds(limit);
        stop(
                QueryState.TIMED_OUT,
                new SkepException(StandardErrorCode.TIME_LIMIT_EXCEEDED, what)
                        .withHint("hive.query.timeout.seconds and the client's query timeout set the limit"));
    }

    private void stop(QueryState how, SkepException reason) {
        Compilation<SqlStatement> compiling;
        boolean runs;
        synchronized (this) {
            if (!state.mayBecome(how)) {
                return;
            }
            runs = state == QueryState.RUNNING;
            state = how;
            failure = reason;
            compiling = compilation;
            if (completed == null && !runs) {
                completed = clock.instant();
            }
        }
        if (compiling != null) {
            compiling.cancel(reason);
        }
        Compiled known = compiled;
        if (known != null) {
            known.statement().cancel(reason);
        }
        if (!runs) {
            // Otherwise the run itself says when it has ended.
            ended.countDown();
        }
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

    private Optional<SqlStatement> statement() {
        return Optional.ofNullable(compiled).map(Compiled::statement);
    }

    /** What the run did so far; empty while the statement compiles, and for statements without a plan. */
    public Optional<ExecutionFigures> figures() {
        return statement().flatMap(SqlStatement::figures);
    }

    /** Where it stands, or how it has ended. */
    public synchronized QueryState state() {
        return state;
    }

    public boolean isClosed() {
        return closed;
    }

    public synchronized Optional<SkepException> failure() {
        return Optional.ofNullable(failure);
    }

    public Instant created() {
        return created;
    }

    /** When it was compiled, if it has been. */
    public Optional<Instant> compiledAt() {
        return Optional.ofNullable(compiled).map(Compiled::at);
    }

    public synchronized Optional<Instant> started() {
        return Optional.ofNullable(started);
    }

    public synchronized Optional<Instant> completed() {
        return Optional.ofNullable(completed);
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
        return Duration.between(created, clock.instant());
    }

    /** When a client last asked about it. */
    public Instant lastUsed() {
        return lastUsed;
    }

    void touch() {
        lastUsed = clock.instant();
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
        ResultPager pager = readable();
        ResultPage page;
        try {
            page = pager.next(maxRows);
        } catch (RuntimeException | Error e) {
            SkepException told = InternalErrors.told(queryId, e);
            failedInFetch(told);
            throw told;
        }
        if (!page.hasMore()) {
            synchronized (this) {
                if (state.mayBecome(QueryState.FINISHED)) {
                    state = QueryState.FINISHED;
                }
            }
            report();
        }
        touch();
        return page;
    }

    private synchronized ResultPager readable() {
        if (failure != null) {
            throw failure;
        }
        Compiled known = compiled;
        if (closed || known == null || !state.isAnswered()) {
            String where = closed ? "CLOSED" : state.name();
            throw new SkepException(
                    StandardErrorCode.INVALID_FETCH, "the operation is " + where + ", it has no rows to fetch");
        }
        return known.pager();
    }

    /** A query may fail after its first rows have gone out. */
    private synchronized void failedInFetch(SkepException error) {
        if (state == QueryState.STREAMING && error.code() != StandardErrorCode.INVALID_FETCH) {
            state = QueryState.FAILED;
            failure = error;
        }
    }

    /** Ends what goes on. A query whose rows were not read to their end has not failed. */
    void stopForClose() {
        SkepException reason = new SkepException(StandardErrorCode.OPERATION_CANCELED, "the operation was closed");
        boolean read;
        synchronized (this) {
            closed = true;
            read = state == QueryState.STREAMING;
            if (read) {
                state = QueryState.FINISHED;
            }
        }
        stop(QueryState.CANCELLED, reason);
        if (read) {
            statement().ifPresent(statement -> statement.cancel(reason));
        }
    }

    /** Ends it and frees what it holds, which may take as long as tasks take to end. */
    @Override
    public void close() {
        stopForClose();
        statement().ifPresent(SqlStatement::close);
    }
}
