package io.skep.service.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.ResultSchema;
import io.skep.ql.SqlStatement;
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

/** One statement of a client: it runs on a thread of its own; states and results are asked for from others. */
public final class Operation implements AutoCloseable {
    private final UUID id = UUID.randomUUID();
    private final QueryId queryId;
    private final String text;
    private final String user;
    private final SqlStatement statement;
    private final InstantSource clock;
    private final Instant created;
    private final Instant compiled;
    private final OperationLog log = new OperationLog();
    private final ResultPager pager;
    private final CountDownLatch ended = new CountDownLatch(1);
    private OperationState state = OperationState.PENDING;
    private OperationState outcome = OperationState.PENDING;
    private @Nullable SkepException failure;
    private @Nullable Instant started;
    private @Nullable Instant completed;
    private volatile Instant lastUsed;
    private boolean reported;

    /** @param created when the statement arrived; it has been compiled since */
    Operation(QueryId queryId, String text, String user, SqlStatement statement, Instant created, InstantSource clock) {
        this.queryId = queryId;
        this.text = text;
        this.user = user;
        this.statement = statement;
        this.clock = clock;
        this.created = created;
        this.compiled = clock.instant();
        this.lastUsed = compiled;
        this.pager = new ResultPager(statement);
    }

    /** Runs the statement to the point where its first rows can be read. Called once. */
    void run() {
        synchronized (this) {
            if (state != OperationState.PENDING) {
                return;
            }
            state = OperationState.RUNNING;
            started = clock.instant();
        }
        log.addLines(() -> Stream.of(
                "Compiled " + queryId + " in " + OperationReport.seconds(Duration.between(created, compiled)),
                "Executing " + queryId + ": " + text));
        try {
            statement.run(log::add);
            end(OperationState.FINISHED, null);
        } catch (RuntimeException | Error e) {
            end(OperationState.FAILED, InternalErrors.told(queryId, e));
        }
    }

    private void end(OperationState how, @Nullable SkepException error) {
        synchronized (this) {
            if (state == OperationState.RUNNING) {
                state = how;
                failure = error;
            }
            completed = clock.instant();
        }
        boolean rowsFollow = error == null && statement.schema().isPresent();
        if (error != null) {
            log.add("Failed " + queryId + ": " + error.fullMessage());
        } else if (!rowsFollow) {
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
                statement.figures().stream().flatMap(OperationReport::of),
                Stream.of("Completed " + queryId + " in " + OperationReport.seconds(took))));
    }

    /** Waits until the operation has ended, but not longer than {@code atMost}; tells whether it has. */
    public boolean await(Duration atMost) {
        try {
            return ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends a run that goes on, also one whose rows are being read; otherwise does nothing. */
    public void cancel(String why) {
        stop(OperationState.CANCELED, new SkepException(StandardErrorCode.OPERATION_CANCELED, why));
    }

    void timeOut(Duration limit) {
        synchronized (this) {
            if (state.isTerminal()) {
                return;
            }
        }
        String text = "the query ran longer than its " + OperationReport.seconds(limit);
        stop(
                OperationState.TIMED_OUT,
                new SkepException(StandardErrorCode.TIME_LIMIT_EXCEEDED, text)
                        .withHint("hive.query.timeout.seconds and the client's query timeout set the limit"));
    }

    private void stop(OperationState how, SkepException reason) {
        boolean wasPending;
        synchronized (this) {
            boolean goesOn = !state.isTerminal() || isRead();
            if (!goesOn) {
                return;
            }
            wasPending = state == OperationState.PENDING;
            state = how;
            failure = reason;
        }
        statement.cancel(reason);
        if (wasPending) {
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

    public String kind() {
        return statement.operationName();
    }

    public Optional<Supplier<String>> plan() {
        return statement.plan();
    }

    public SqlStatement statement() {
        return statement;
    }

    public synchronized OperationState state() {
        return state;
    }

    /** How the operation has ended, also when it was closed since; where it stands while it runs. */
    public synchronized OperationState outcome() {
        return state == OperationState.CLOSED ? outcome : state;
    }

    public synchronized Optional<SkepException> failure() {
        return Optional.ofNullable(failure);
    }

    public Instant created() {
        return created;
    }

    public Instant compiled() {
        return compiled;
    }

    public synchronized Optional<Instant> started() {
        return Optional.ofNullable(started);
    }

    public synchronized Optional<Instant> completed() {
        return Optional.ofNullable(completed);
    }

    public Optional<ResultSchema> schema() {
        return statement.schema();
    }

    public Optional<Long> modifiedRows() {
        return statement.modifiedRows();
    }

    /** Rows that were read or written so far; nothing for statements without rows. */
    Optional<Long> rows() {
        return statement.schema().isPresent() ? Optional.of(pager.rows()) : statement.modifiedRows();
    }

    /** Lines of the log that were not read yet, at most so many. */
    public List<String> logLines(int most, boolean fromStart) {
        return log.read(most, fromStart);
    }

    /** Whether its first rows are there and more may come. */
    synchronized boolean isRead() {
        return state == OperationState.FINISHED && statement.schema().isPresent() && !pager.ended();
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
        return pager.started();
    }

    /**
     * The next rows, at most {@code maxRows}; empty columns at the end.
     *
     * @throws SkepException the failure of the query, or INVALID_FETCH when it has not finished or has no result
     */
    public ResultPage fetch(int maxRows) {
        checkReadable();
        ResultPage page;
        try {
            page = pager.next(maxRows);
        } catch (RuntimeException | Error e) {
            SkepException told = InternalErrors.told(queryId, e);
            failedInFetch(told);
            throw told;
        }
        if (!page.hasMore()) {
            report();
        }
        touch();
        return page;
    }

    private synchronized void checkReadable() {
        if (failure != null) {
            throw failure;
        }
        if (state != OperationState.FINISHED) {
            throw new SkepException(
                    StandardErrorCode.INVALID_FETCH, "the operation is " + state + ", it has no rows to fetch");
        }
    }

    /** A query may fail after its first rows have gone out. */
    private synchronized void failedInFetch(SkepException error) {
        if (state == OperationState.FINISHED && error.code() != StandardErrorCode.INVALID_FETCH) {
            state = OperationState.FAILED;
            failure = error;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            outcome = outcome();
        }
        stop(
                OperationState.CANCELED,
                new SkepException(StandardErrorCode.OPERATION_CANCELED, "the operation was closed"));
        synchronized (this) {
            outcome = outcome == OperationState.FINISHED ? outcome : outcome();
            state = OperationState.CLOSED;
        }
        statement.close();
    }
}
