package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.execution.RetryPolicy.Scheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests cancellation, closing and timeouts in each state, and which listeners are notified. */
final class TestQueryExecution {
    private static final Set<QueryState> AT_WORK =
            EnumSet.of(QueryState.LISTING, QueryState.RUNNING, QueryState.COMMITTING);

    private final SkepException reason = new SkepException(StandardErrorCode.OPERATION_CANCELED, "canceled");
    private final SkepException other = new SkepException(StandardErrorCode.DISK_FULL, "full");
    private final List<SkepException> heard = new ArrayList<>();
    private final QueryExecution execution = new QueryExecution(InstantSource.system(), line -> {});

    /** Brings the execution into a state in the same way as a statement does. */
    private void reach(QueryState state) {
        switch (state) {
            case RECEIVED -> {}
            case COMPILING -> execution.compiling(heard::add);
            case QUEUED -> {
                reach(QueryState.COMPILING);
                assertThat(execution.compiled(heard::add)).isTrue();
            }
            case LISTING -> {
                reach(QueryState.QUEUED);
                assertThat(execution.begin(QueryState.LISTING)).isTrue();
            }
            case RUNNING -> {
                reach(QueryState.LISTING);
                execution.running(new QueryAttemptId(new QueryId("q"), 1), Scheduler.DIRECT);
            }
            case STREAMING -> {
                reach(QueryState.RUNNING);
                execution.end(QueryState.STREAMING, Optional.empty());
            }
            case COMMITTING -> {
                reach(QueryState.RUNNING);
                execution.beginCommit();
            }
            case FINISHED -> {
                reach(QueryState.COMMITTING);
                execution.end(QueryState.FINISHED, Optional.empty());
            }
            case FAILED -> {
                reach(QueryState.RUNNING);
                execution.end(QueryState.FAILED, Optional.of(other));
            }
            case CANCELLED -> execution.cancel(other);
            case TIMED_OUT -> execution.timeOut(other);
        }
        assertThat(execution.state()).isEqualTo(state);
        heard.clear();
    }

    private void assertStopped(QueryState from, QueryState to, Consumer<SkepException> stop) {
        reach(from);
        Optional<SkepException> before = execution.failure();
        stop.accept(reason);
        boolean isStopped = from.mayBecome(to);
        assertThat(execution.state()).isEqualTo(isStopped ? to : from);
        assertThat(execution.failure()).isEqualTo(isStopped ? Optional.of(reason) : before);
        boolean hasPart = from != QueryState.RECEIVED;
        assertThat(heard).hasSize(isStopped && hasPart ? 1 : 0);
        boolean isAnswered = from.isAnswered() || isStopped && !AT_WORK.contains(from);
        assertThat(execution.await(Duration.ZERO)).isEqualTo(isAnswered);
    }

    @ParameterizedTest
    @EnumSource
    void isCancelled(QueryState state) {
        assertStopped(state, QueryState.CANCELLED, execution::cancel);
    }

    @ParameterizedTest
    @EnumSource
    void runsOutOfTime(QueryState state) {
        assertStopped(state, QueryState.TIMED_OUT, execution::timeOut);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STREAMING")
    void isClosed(QueryState state) {
        assertStopped(state, QueryState.CANCELLED, execution::close);
        assertThat(execution.isClosed()).isTrue();
    }

    @Test
    void aQueryThatIsNotReadToItsEndHasNotFailed() {
        reach(QueryState.STREAMING);
        execution.close(reason);
        assertThat(execution.state()).isEqualTo(QueryState.FINISHED);
        assertThat(execution.failure()).isEmpty();
        assertThat(heard).as("its tasks are ended").containsExactly(reason);
    }

    @ParameterizedTest
    @EnumSource(names = {"LISTING", "RUNNING"})
    void aRunThatWasCancelledIsAnsweredWhenItHasEnded(QueryState state) {
        reach(state);
        execution.cancel(reason);
        execution.end(QueryState.FINISHED, Optional.empty());
        assertThat(execution.await(Duration.ZERO)).isTrue();
        assertThat(execution.state()).isEqualTo(QueryState.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(names = {"LISTING", "RUNNING"})
    void nothingIsCommittedAfterACancellation(QueryState state) {
        reach(state);
        execution.cancel(reason);
        assertThatThrownBy(execution::beginCommit).isSameAs(reason);
        assertThat(execution.state()).isEqualTo(QueryState.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(names = {"FINISHED", "FAILED"})
    void aCommitSaysItselfHowItEnds(QueryState end) {
        reach(QueryState.COMMITTING);
        execution.cancel(reason);
        execution.timeOut(reason);
        execution.close(reason);
        execution.end(end, end == QueryState.FAILED ? Optional.of(other) : Optional.empty());
        assertThat(execution.state()).isEqualTo(end);
        assertThat(execution.failure()).isEqualTo(end == QueryState.FAILED ? Optional.of(other) : Optional.empty());
        assertThat(heard).isEmpty();
    }

    @Test
    void aSecondPlanAndASecondAttemptListAgain() {
        assertThat(execution.attempt()).isEmpty();
        reach(QueryState.RUNNING);
        execution.listing();
        assertThat(execution.state()).isEqualTo(QueryState.LISTING);
        QueryAttemptId second = new QueryAttemptId(new QueryId("q"), 2);
        execution.running(second, Scheduler.TEZ);
        assertThat(execution.state()).isEqualTo(QueryState.RUNNING);
        assertThat(execution.attempt()).contains(new QueryExecution.Attempt(second, Scheduler.TEZ));
        assertThat(second.name()).isEqualTo(new QueryId("q-2"));
    }

    @Test
    void whatIsCompiledTooLateIsNobodys() {
        reach(QueryState.COMPILING);
        execution.cancel(reason);
        assertThat(execution.compiled(heard::add)).isFalse();
        assertThat(execution.begin(QueryState.RUNNING)).isFalse();
    }

    @Test
    void aCompilationThatBeginsTooLateHearsOfItAtOnce() {
        execution.cancel(reason);
        execution.compiling(heard::add);
        assertThat(heard).containsExactly(reason);
    }
}
