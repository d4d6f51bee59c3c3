package io.skep.ql.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.junit.jupiter.api.Test;

/** A cancellation has an effect until the statement commits. */
final class TestCommandRun {
    private final SkepException reason =
            new SkepException(StandardErrorCode.OPERATION_CANCELED, "cancelled by a client");
    private final CommandRun run = new CommandRun();
    private final CommandStatement inner = CommandStatement.changing("INNER", _ -> {});

    @Test
    void aQueryIsCancelledBeforeTheCommit() {
        assertThatThrownBy(() -> run.run(
                        line -> {},
                        () -> run.runQuery(inner, () -> {
                            run.cancel(reason);
                            return 1;
                        })))
                .isSameAs(reason);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Rows that an inner write has committed stay, and the client must not be told otherwise. */
    @Test
    void aWriteThatCommitsIsNotCancelledAnyMore() {
        int result = run.run(
                line -> {},
                () -> run.runQuery(inner, () -> {
                    run.beginCommit();
                    run.cancel(reason);
                    return 1;
                }));
        run.cancel(reason);
        assertThat(result).isEqualTo(1);
        assertThat(Thread.interrupted()).isFalse();
    }
}
