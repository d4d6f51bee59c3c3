package io.skep.service.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.execution.CompileConfig;
import io.skep.ql.execution.QueryState;
import io.skep.service.audit.AuditLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what sessions may keep and for how long, with a clock that the test controls. */
final class TestIdleReaper {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource clock = now::get;
    private final AtomicReference<Instant> shown = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource wall = shown::get;
    private final TestingSqlEngine engine = new TestingSqlEngine();
    private SessionConfig config = config(Map.of());
    private ClientSessions sessions = sessions(Map.of());

    @AfterEach
    void close() {
        sessions.close();
        assertThat(engine.openStatements()).isZero();
    }

    private static SessionConfig config(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("hive.server2.session.check.interval", "0"));
        all.putAll(settings);
        return SessionConfig.of(new SettingsReader(all));
    }

    private ClientSessions sessions(Map<String, String> settings) {
        config = config(settings);
        return new ClientSessions(
                engine,
                config,
                CompileConfig.of(new SettingsReader(Map.of())),
                new OperationHistory(wall),
                AuditLog.NONE,
                wall,
                clock);
    }

    private void after(Duration time) {
        now.set(now.get().plus(time));
        new IdleReaper(sessions, config, clock).run();
    }

    private ClientSession open() {
        return sessions.open("ann", "here", Map.of());
    }

    @Test
    void unusedSessionsAreClosedAfterFourHours() {
        ClientSession idle = open();
        after(Duration.ofHours(3));
        ClientSession used = open();
        after(Duration.ofMinutes(61));
        assertThat(sessions.all()).containsExactly(used);
        assertThatThrownBy(() -> sessions.get(idle.id(), idle.secret()))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.SESSION_NOT_FOUND));
    }

    /** When NTP changes the wall clock, nothing becomes older. */
    @Test
    void stepsOfTheWallClockCloseNothing() {
        ClientSession session = open();
        Operation operation = session.execute("rows 5", false);
        for (Duration step : List.of(Duration.ofDays(400), Duration.ofDays(-800))) {
            shown.set(shown.get().plus(step));
            after(Duration.ofMinutes(1));
            assertThat(sessions.all()).containsExactly(session);
            assertThat(session.operations()).containsExactly(operation);
        }
        assertThat(operation.age()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void sessionsWithOpenStatementsAreBusyUnlessToldOtherwise() {
        sessions.close();
        sessions = sessions(Map.of("hive.server2.idle.operation.timeout", "0"));
        open().execute("rows 5", false);
        after(Duration.ofDays(9));
        assertThat(sessions.all()).hasSize(1);
        sessions.close();
        sessions = sessions(Map.of(
                "hive.server2.idle.operation.timeout", "0", "hive.server2.idle.session.check.operation", "false"));
        open().execute("rows 5", false);
        after(Duration.ofDays(9));
        assertThat(sessions.all()).isEmpty();
        assertThat(engine.openStatements()).isZero();
    }

    @Test
    void endedStatementsAreClosedAfterTwoHoursAndRunningOnesStay() {
        ClientSession session = open();
        Operation ended = session.execute("rows 5", false);
        Operation running = session.execute("wait", true);
        Operation read = session.execute("rows 50", false);
        after(Duration.ofMinutes(119));
        read.fetch(7);
        after(Duration.ofMinutes(2));
        assertThat(session.operations()).containsExactlyInAnyOrder(running, read);
        assertThat(ended.isClosed()).isTrue();
        assertThat(ended.state()).isEqualTo(QueryState.FINISHED);
    }

    @Test
    void aNegativeTimeEndsRunningStatementsToo() {
        sessions.close();
        sessions = sessions(Map.of("hive.server2.idle.operation.timeout", "-60s"));
        ClientSession session = open();
        Operation running = session.execute("wait", true);
        after(Duration.ofSeconds(59));
        assertThat(session.operations()).containsExactly(running);
        after(Duration.ofSeconds(2));
        assertThat(session.operations()).isEmpty();
        assertThat(running.await(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void openStatementsAreLimited() {
        sessions.close();
        sessions = sessions(Map.of("skep.session.max-open-operations", "2"));
        ClientSession session = open();
        Operation first = session.execute("rows 5", false);
        session.execute("rows 5", false);
        assertThatThrownBy(() -> session.execute("rows 5", false)).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.TOO_MANY_RESULTS);
            assertThat(e.fullMessage()).contains("2 statements", "skep.session.max-open-operations");
        });
        session.close(first.id());
        session.execute("rows 5", false);
    }

    @Test
    void theShorterOfTwoTimeoutsCounts() {
        ClientSession session = open();
        session.execute("set hive.query.timeout.seconds=7", false);
        assertThat(QueryTimeout.of(session.sql(), Duration.ZERO)).isEqualTo(Duration.ofSeconds(7));
        assertThat(QueryTimeout.of(session.sql(), Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(QueryTimeout.of(session.sql(), Duration.ofSeconds(9))).isEqualTo(Duration.ofSeconds(7));
        assertThat(QueryTimeout.of(open().sql(), Duration.ZERO)).isZero();
    }
}
