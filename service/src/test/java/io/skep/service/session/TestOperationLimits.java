package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.execution.QueryState;
import io.skep.service.audit.AuditLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how many statements all sessions, and those of a user, may have open, and how many commands run at a time. */
@Timeout(120)
final class TestOperationLimits {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestingSqlEngine engine = new TestingSqlEngine();
    private final InstantSource clock = InstantSource.system();
    private final List<ClientSessions> servers = new ArrayList<>();

    private ClientSessions sessions(Map<String, String> settings) {
        SettingsReader reader = new SettingsReader(settings);
        ClientSessions made = new ClientSessions(
                engine,
                SessionConfig.of(reader),
                CompileConfig.of(reader),
                new OperationHistory(clock),
                AuditLog.NONE,
                clock,
                clock);
        reader.finish();
        servers.add(made);
        return made;
    }

    @AfterEach
    void close() {
        engine.endSpinning();
        servers.forEach(ClientSessions::close);
        await(() -> engine.openStatements() == 0);
    }

    private static void await(BooleanSupplier condition) {
        Polling.await("a state of the engine").until(condition::getAsBoolean);
    }

    private static ClientSession open(ClientSessions sessions, String user) {
        return sessions.open(user, "here", Map.of());
    }

    private static void refused(ClientSession session, String setting) {
        assertThatThrownBy(() -> session.execute("rows 5", false)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.TOO_MANY_RESULTS);
            assertThat(e.fullMessage()).contains(" 3 statements", setting);
        });
        assertThat(session.operations()).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void statementsOfAllSessionsTogetherAreLimited() {
        ClientSessions sessions = sessions(Map.of("skep.operations.max-open", "3"));
        ClientSession ann = open(sessions, "ann");
        ClientSession bob = open(sessions, "bob");
        Operation first = ann.execute("rows 5", false);
        ann.execute("rows 5", false);
        bob.execute("rows 5", false);
        refused(bob, "skep.operations.max-open");
        refused(open(sessions, "eve"), "skep.operations.max-open");
        ann.close(first.id());
        bob.execute("rows 5", false);
        refused(ann, "skep.operations.max-open");
        sessions.close(bob.id());
        ann.execute("rows 5", false);
        ann.execute("rows 5", false);
    }

    @Test
    void statementsOfAUserAreLimitedInAllSessions() {
        ClientSessions sessions = sessions(Map.of("skep.operations.max-open-per-user", "3"));
        ClientSession one = open(sessions, "ann");
        ClientSession two = open(sessions, "ann");
        one.execute("rows 5", false);
        two.execute("rows 5", false);
        Operation last = two.execute("rows 5", false);
        refused(one, "skep.operations.max-open-per-user");
        open(sessions, "bob").execute("rows 5", false);
        two.close(last.id());
        one.execute("rows 5", false);
        refused(two, "skep.operations.max-open-per-user");
    }

    @Test
    void whatFailsIsNotCounted() {
        ClientSessions sessions =
                sessions(Map.of("skep.operations.max-open", "1", "skep.operations.max-open-per-user", "1"));
        ClientSession session = open(sessions, "ann");
        for (String bad : List.of("no such statement", "fail", "no such statement", "fail")) {
            assertThatThrownBy(() -> session.execute(bad, false)).isInstanceOf(SkepException.class);
        }
        session.execute("rows 5", false);
    }

    /** Its resources are not released before, so repeated closing and opening does not accumulate them. */
    @Test
    void aStatementCountsUntilWhatItHeldIsFree() {
        ClientSessions sessions = sessions(Map.of("skep.operations.max-open", "3"));
        ClientSession session = open(sessions, "ann");
        for (int i = 0; i < 3; i++) {
            session.close(session.execute("stuckclose", false).id());
        }
        assertThat(session.operations()).isEmpty();
        refused(session, "skep.operations.max-open");
        engine.endSpinning();
        await(() -> engine.openStatements() == 0);
        await(() -> isRoom(session));
    }

    private static boolean isRoom(ClientSession session) {
        try {
            session.close(session.execute("rows 5", false).id());
            return true;
        } catch (SkepException full) {
            return false;
        }
    }

    @Test
    void commandsBeyondTheLimitWaitAndCanBeCancelledAndTimedOut() {
        ClientSessions sessions = sessions(Map.of("skep.operations.max-running-commands", "2"));
        ClientSession session = open(sessions, "ann");
        List<Operation> running = List.of(session.execute("hold", true), session.execute("hold", true));
        await(() -> running.stream().allMatch(one -> one.state() == QueryState.RUNNING));
        Operation cancelled = session.execute("hold", true);
        Operation closed = session.execute("hold", true);
        Operation late = session.execute("hold", true, Duration.ofMillis(20));
        Operation waiting = session.execute("hold", true);
        assertThat(waiting.state()).isEqualTo(QueryState.QUEUED);
        assertThat(sessions.runningStatements()).as("a drain waits for them").isEqualTo(6);
        cancelled.cancel("it takes too long");
        assertThat(cancelled.state()).isEqualTo(QueryState.CANCELLED);
        session.close(closed.id());
        assertThat(late.await(PATIENCE)).isTrue();
        assertThat(late.state()).isEqualTo(QueryState.TIMED_OUT);
        assertThat(session.execute("rows 5", false).fetch(10).rowCount())
                .as("queries do not wait for commands")
                .isEqualTo(5);
        running.getFirst().cancel("enough");
        await(() -> waiting.state() == QueryState.RUNNING);
        assertThat(running.getLast().state()).isEqualTo(QueryState.RUNNING);
        engine.endSpinning();
        await(() -> waiting.state().isAnswered() && sessions.runningStatements() == 0);
    }

    @Test
    void commandsThatWaitAreBoundedWithoutThoseThatHaveEnded() {
        ClientSessions sessions =
                sessions(Map.of("skep.operations.max-running-commands", "1", "skep.operations.max-open", "4"));
        ClientSession session = open(sessions, "ann");
        Operation first = session.execute("hold deaf", true);
        await(() -> first.state() == QueryState.RUNNING);
        for (int i = 0; i < 100; i++) {
            Operation next = session.execute("hold", true);
            session.close(next.id());
        }
        Operation last = session.execute("hold", true);
        assertThat(last.state()).isEqualTo(QueryState.QUEUED);
        engine.endSpinning();
        await(() -> last.state().isAnswered() && sessions.runningStatements() == 0);
    }
}
