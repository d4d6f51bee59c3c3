package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class TestQueryState {
    /** One row for each state, followed by all states to which it may change. */
    private static final String TRANSITIONS = """
            RECEIVED: COMPILING QUEUED FAILED CANCELLED TIMED_OUT
            COMPILING: QUEUED FAILED CANCELLED TIMED_OUT
            QUEUED: LISTING RUNNING FAILED CANCELLED TIMED_OUT
            LISTING: RUNNING STREAMING COMMITTING FINISHED FAILED CANCELLED TIMED_OUT
            RUNNING: LISTING STREAMING COMMITTING FINISHED FAILED CANCELLED TIMED_OUT
            STREAMING: FINISHED FAILED CANCELLED
            COMMITTING: FINISHED FAILED
            FINISHED:
            FAILED:
            CANCELLED:
            TIMED_OUT:""";

    @Test
    void theTableOfTransitions() {
        assertThat(Arrays.stream(QueryState.values()).map(TestQueryState::row).collect(Collectors.joining("\n")))
                .isEqualTo(TRANSITIONS);
    }

    private static String row(QueryState from) {
        return from
                + Arrays.stream(QueryState.values())
                        .filter(from::mayBecome)
                        .map(to -> " " + to)
                        .collect(Collectors.joining("", ":", ""));
    }

    @Test
    void whatHasEndedBecomesNothingElse() {
        for (QueryState state : QueryState.values()) {
            assertThat(state.isTerminal())
                    .as("%s", state)
                    .isEqualTo(Arrays.stream(QueryState.values()).noneMatch(state::mayBecome));
        }
    }
}
