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

    /** @param created when the statement arrived; it has been compiled since */
    Operation(QueryId queryId, String text, String user, SqlStatement statement, Instant created, InstantSource clock) {
        this.queryId = queryId;
        this.text = text;
        this.user = user;
        this.statement = statement;
        this.clock = clock;
        this.created = created;
        this.compiled = clock.instant();
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
        try {
            log.add("Executing " + queryId + ": " + text);
            statement.run(log::add);
            end(OperationState.FINISHED, null);
        } catch (SkepException e) {
            end(OperationState.FAILED, e);
        } catch (RuntimeException | Error e) {
            end(OperationState.FAILED, new SkepException(StandardErrorCode.INTERNAL_ERROR, String.valueOf(e), e));
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
        log.add(error == null ? "Completed " + queryId : "Failed " + queryId + ": " + error.fullMessage());
        ended.countDown();
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

    public void cancel(String why) {
        boolean wasPending;
        synchronized (this) {
            if (state.isTerminal()) {
                return;
            }
            wasPending = state == OperationState.PENDING;
            state = OperationState.CANCELED;
            failure = new SkepException(StandardErrorCode.OPERATION_CANCELED, why);
        }
        statement.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, why));
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

    public Optional<String> plan() {
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

    /** Lines of the log that were not read yet, at most so many. */
    public List<String> logLines(int most, boolean fromStart) {
        return log.read(most, fromStart);
    }

    /**
     * The next rows, at most {@code maxRows}; empty columns at the end.
     *
     * @throws SkepException the failure of the query, or INVALID_FETCH when it has not finished or has no result
     */
    public ResultPage fetch(int maxRows) {
        SkepException error;
        OperationState now;
        synchronized (this) {
            error = failure;
            now = state;
        }
        if (error != null) {
            throw error;
        }
        if (now != OperationState.FINISHED) {
            throw new SkepException(
                    StandardErrorCode.INVALID_FETCH, "the operation is " + now + ", it has no rows to fetch");
        }
        return pager.next(maxRows);
    }

    @Override
    public void close() {
        cancel("the operation was closed");
        synchronized (this) {
            outcome = outcome();
            state = OperationState.CLOSED;
        }
        statement.close();
    }
}
