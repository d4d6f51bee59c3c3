package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.ql.execution.CompileConfig;
import io.skep.service.audit.AuditLog;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that little is kept of finished statements, however long they were. */
final class TestOperationHistory {
    private static final int LONG = 5_000_000;
    private static final int KEPT = 17_000;

    private final InstantSource clock = InstantSource.system();
    private final OperationHistory history = new OperationHistory(clock);

    @Test
    void longTextsAreCut() {
        SessionConfig config = SessionConfig.of(new SettingsReader(Map.of()));
        CompileConfig compiling = CompileConfig.of(new SettingsReader(Map.of()));
        try (ClientSessions sessions =
                new ClientSessions(new TestingSqlEngine(), config, compiling, history, AuditLog.NONE, clock, clock)) {
            ClientSession session = sessions.open("ann", "here", Map.of());
            String refused = "nonsense " + "x".repeat(LONG);
            assertThatThrownBy(() -> session.execute(refused, false)).isInstanceOf(SkepException.class);
            Operation operation = session.execute("SELECT " + "y".repeat(LONG), false);
            assertThat(operation.text()).hasSizeLessThan(KEPT).endsWith("more characters");
            session.close(operation.id());
        }
        assertThat(history.ended()).hasSize(2).allSatisfy(entry -> {
            assertThat(entry.text()).hasSizeLessThan(KEPT).endsWith("more characters");
            assertThat(entry.error().orElse("")).hasSizeLessThan(KEPT);
        });
        assertThat(history.ended().getFirst().plan().orElseThrow().get()).isEqualTo("a plan");
    }

    private ClientSessions sessions(TestingSqlEngine engine) {
        SettingsReader none = new SettingsReader(Map.of());
        return new ClientSessions(
                engine, SessionConfig.of(none), CompileConfig.of(none), history, AuditLog.NONE, clock, clock);
    }

    /** A short text over large views has a plan that uses much memory. */
    @Test
    void ofLargePlansATextIsKept() {
        try (ClientSessions sessions = sessions(new TestingSqlEngine())) {
            ClientSession session = sessions.open("ann", "here", Map.of());
            session.execute("large", false);
            session.execute("SELECT 1", false);
        }
        assertThat(history.ended())
                .hasSize(2)
                .allSatisfy(entry ->
                        assertThat(entry.planText()).startsWith("a plan").hasSizeLessThan(KEPT));
    }

    /**
     * Clients with failing statements, or clients that read rows that are ready, must not keep a server alive whose
     * executors are stuck.
     */
    @Test
    void onlyWorkOfExecutorsIsProgress() {
        try (ClientSessions sessions = sessions(new TestingSqlEngine())) {
            ClientSession session = sessions.open("ann", "here", Map.of());
            long idle = history.progress();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> session.execute("selec 1", false)).isInstanceOf(SkepException.class);
            }
            assertThat(history.progress()).isEqualTo(idle);
            Operation operation = session.execute("rows 20", false);
            long worked = history.progress();
            assertThat(worked).isNotEqualTo(idle);
            operation.fetch(10);
            assertThat(history.progress()).isEqualTo(worked);
            session.close(operation.id());
            assertThat(history.progress()).isEqualTo(worked);
        }
    }

    /**
     * Plans of deeply nested statements overflow the stack of the threads that show them. This must not make the close
     * of an operation fail.
     */
    @Test
    void aPlanThatCannotBeShownHoldsNothingOpen() {
        SessionConfig config = SessionConfig.of(new SettingsReader(Map.of()));
        CompileConfig compiling = CompileConfig.of(new SettingsReader(Map.of()));
        TestingSqlEngine engine = new TestingSqlEngine();
        try (ClientSessions sessions =
                new ClientSessions(engine, config, compiling, history, AuditLog.NONE, clock, clock)) {
            ClientSession session = sessions.open("ann", "here", Map.of());
            for (int i = 0; i < 3; i++) {
                session.execute("DEEP " + "y".repeat(LONG), false);
            }
            sessions.close(session.id());
        }
        assertThat(history.running()).isEmpty();
        assertThat(history.ended())
                .hasSize(3)
                .allSatisfy(entry -> assertThat(entry.planText()).contains("too deeply"));
        assertThat(engine.openStatements()).isZero();
        assertThat(engine.openSessions()).isZero();
    }

    @Test
    void shortTextsStayWhole() {
        String text = "a".repeat(StatementText.MAX_CHARS);
        assertThat(StatementText.cut(text)).isSameAs(text);
        String cut = StatementText.cut(text + "\uD83D\uDC1D");
        assertThat(StatementText.isCut(cut)).isTrue();
        assertThat(StatementText.cut(cut)).isSameAs(cut);
        assertThat(StatementText.isCut(text)).isFalse();
    }
}
