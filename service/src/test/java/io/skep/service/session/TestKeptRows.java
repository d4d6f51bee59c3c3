package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.CompileConfig;
import io.skep.service.audit.AuditLog;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the memory of the rows of commands that clients keep open. */
final class TestKeptRows {
    private static final int LIMIT = 1_000_000;

    private final KeptRows rows = new KeptRows(LIMIT);

    @Test
    void rowsOfAllOperationsHaveOneLimit() {
        KeptRows.Share one = rows.share();
        KeptRows.Share other = rows.share();
        one.charge(700_000);
        assertThatThrownBy(() -> other.charge(700_000))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        other.charge(1000);
        one.release();
        assertThat(rows.kept()).isZero();
        rows.share().charge(700_000);
    }

    /** Tests a statement that finishes after its operation was closed. */
    @Test
    void nothingIsKeptAfterTheRelease() {
        KeptRows.Share share = rows.share();
        share.release();
        share.charge(500_000);
        assertThat(rows.kept()).isZero();
    }

    @Test
    void operationsAreRefusedUntilOthersAreReadOrClosed() {
        InstantSource clock = InstantSource.system();
        SettingsReader none = new SettingsReader(Map.of());
        long most = Runtime.getRuntime().maxMemory() / 16;
        try (ClientSessions sessions = new ClientSessions(
                new TestingSqlEngine(),
                SessionConfig.of(none),
                CompileConfig.of(none),
                new OperationHistory(clock),
                AuditLog.NONE,
                clock,
                clock)) {
            ClientSession session = sessions.open("ann", "here", Map.of());
            String kept = "kept " + most * 2 / 3;
            Operation first = session.execute(kept, false);
            assertThatThrownBy(() -> session.execute(kept, false))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
            session.close(first.id());
            Operation third = session.execute(kept, false);
            while (third.fetch(10).hasMore()) {
                // Reads all rows.
            }
            session.execute(kept, false).fetch(1);
        }
    }
}
