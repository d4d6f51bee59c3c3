package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.RunListener;
import org.junit.jupiter.api.Test;

/** Tests which side wins when a client cancels or closes while a thread commits. */
final class TestWriteState {
    private final SkepException reason = new SkepException(StandardErrorCode.OPERATION_CANCELED, "canceled");
    private final WriteState state = new WriteState();

    private static void silent(String line) {}

    @Test
    void aCancellationBeforeTheCommitStopsIt() {
        state.cancel(reason);
        assertThatThrownBy(() -> state.beginCommit(TestWriteState::silent)).isSameAs(reason);
        assertThat(state.phase()).isEqualTo(WriteState.Phase.ABANDONED);
        assertThat(state.abandon()).isTrue();
    }

    @Test
    void aListenerThatHasToldOfACancellationStopsIt() {
        RunListener cancelled = new RunListener() {
            @Override
            public void log(String line) {}

            @Override
            public void beginCommit() {
                throw reason;
            }
        };
        assertThatThrownBy(() -> state.beginCommit(cancelled)).isSameAs(reason);
        assertThat(state.phase()).isEqualTo(WriteState.Phase.ABANDONED);
        assertThat(state.abandon()).isTrue();
    }

    @Test
    void aCloseBeforeTheCommitStopsIt() {
        assertThat(state.abandon()).isTrue();
        assertThatThrownBy(() -> state.beginCommit(TestWriteState::silent)).isInstanceOf(SkepException.class);
    }

    @Test
    void aCommitThatHasBegunKeepsItsFiles() {
        state.beginCommit(TestWriteState::silent);
        state.cancel(reason);
        assertThat(state.abandon()).isFalse();
        assertThat(state.phase()).isEqualTo(WriteState.Phase.COMMITTING);
        state.end(true);
        assertThat(state.abandon()).isFalse();
        assertThat(state.phase()).isEqualTo(WriteState.Phase.COMMITTED);
    }

    @Test
    void theFilesOfACommitThatFailedAreAnyonesToDelete() {
        state.beginCommit(TestWriteState::silent);
        assertThat(state.abandon()).isFalse();
        state.end(false);
        assertThat(state.abandon()).isTrue();
    }
}
