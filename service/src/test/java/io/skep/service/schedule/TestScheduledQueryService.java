package io.skep.service.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.testing.Polling;
import io.skep.metastore.schedule.ExecutionReport;
import io.skep.metastore.schedule.ExecutionReport.Progress;
import io.skep.ql.execution.CompileConfig;
import io.skep.service.audit.AuditLog;
import io.skep.service.session.ClientSession;
import io.skep.service.session.ClientSessions;
import io.skep.service.session.OperationHistory;
import io.skep.service.session.SessionConfig;
import io.skep.service.session.TestingSqlEngine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class TestScheduledQueryService {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(10);

    private final TestingSqlEngine engine = new TestingSqlEngine();
    private final InstantSource clock = InstantSource.system();
    private final ClientSessions sessions = new ClientSessions(
            engine,
            SessionConfig.of(new SettingsReader(Map.of())),
            CompileConfig.of(new SettingsReader(Map.of())),
            new OperationHistory(clock),
            AuditLog.NONE,
            clock,
            clock);
    private final QueuedSchedules store = new QueuedSchedules();

    @AfterEach
    void close() {
        sessions.close();
    }

    /** Starts a service with pauses so long that only a change in the store makes it search again. */
    private ScheduledQueryService start(boolean isExecuting, Duration reports, int executors) {
        ScheduledQueryService service = new ScheduledQueryService(
                store,
                sessions,
                new ScheduleConfig(true, isExecuting, "hive", LONG, reports, executors, LONG, SHORT, LONG));
        service.start();
        return service;
    }

    private static void await(String what, BooleanSupplier condition) {
        Polling.await(what).until(condition::getAsBoolean);
    }

    private ExecutionReport awaitEnd(long execution) {
        await("execution " + execution + " ends", () -> hasEnded(execution));
        return store.reports(execution).getLast();
    }

    private boolean hasEnded(long execution) {
        List<ExecutionReport> reports = store.reports(execution);
        return !reports.isEmpty() && reports.getLast().progress() != Progress.RUNNING;
    }

    private boolean runs(long execution) {
        return store.reports(execution).stream()
                .anyMatch(report -> !report.query().endsWith("/"));
    }

    @Test
    void allRowsAreComputedInASessionOfTheOwner() {
        try (ScheduledQueryService _ = start(true, LONG, 4)) {
            long waiting = store.add("wait");
            await("it runs", () -> runs(waiting));
            assertThat(sessions.all().stream().map(ClientSession::user)).containsExactly("ann");
            long rows = store.add("rows 2500");
            ExecutionReport end = awaitEnd(rows);
            assertThat(end.progress()).isEqualTo(Progress.FINISHED);
            assertThat(end.query()).contains("/").doesNotEndWith("/");
            assertThat(end.error()).isEmpty();
            assertThat(store.reports(rows).getFirst().progress()).isEqualTo(Progress.RUNNING);
            assertThat(hasEnded(waiting)).isFalse();
        }
        await("sessions are closed", () -> engine.openSessions() == 0 && engine.openStatements() == 0);
    }

    @Test
    void failuresAreReportedWithTheirReason() {
        try (ScheduledQueryService _ = start(true, LONG, 4)) {
            ExecutionReport failed = awaitEnd(store.add("fail"));
            assertThat(failed.progress()).isEqualTo(Progress.FAILED);
            assertThat(failed.error().orElseThrow()).contains("it failed");
            ExecutionReport wrong = awaitEnd(store.add("nonsense"));
            assertThat(wrong.progress()).isEqualTo(Progress.FAILED);
            assertThat(wrong.error().orElseThrow()).contains("no such statement");
            assertThat(awaitEnd(store.add("rows 1")).progress()).isEqualTo(Progress.FINISHED);
        }
    }

    @Test
    void noMoreRunAtATimeThanAreAllowed() {
        try (ScheduledQueryService _ = start(true, LONG, 2)) {
            long first = store.add("wait");
            long second = store.add("endless");
            await("both run", () -> runs(first) && runs(second));
            long third = store.add("rows 1");
            assertThat(store.waiting()).isEqualTo(1);
            ClientSession one = sessions.all().iterator().next();
            sessions.cancelAll(one.id(), "the test cancels it");
            assertThat(awaitEnd(third).progress()).isEqualTo(Progress.FINISHED);
            assertThat(hasEnded(first)).isNotEqualTo(hasEnded(second));
        }
    }

    @Test
    void theEndOfTheServerCancelsThem() {
        ScheduledQueryService service = start(true, LONG, 4);
        List<Long> running = List.of(store.add("wait"), store.add("endless"), store.add("spin"));
        await("they run", () -> running.subList(0, 2).stream().allMatch(this::runs));
        await("one compiles", () -> engine.openSessions() == 3);
        service.close();
        for (long execution : running) {
            assertThat(hasEnded(execution)).isTrue();
            ExecutionReport end = store.reports(execution).getLast();
            assertThat(end.progress()).isEqualTo(Progress.FAILED);
            assertThat(end.error().orElseThrow()).contains("the server is stopping");
        }
        store.add("rows 1");
        assertThat(store.waiting()).isEqualTo(1);
    }

    @Test
    void runningOnesAreReportedAgainAndAgain() {
        try (ScheduledQueryService _ = start(true, SHORT, 4)) {
            long waiting = store.add("wait");
            await("reports", () -> store.reports(waiting).size() > 10);
            assertThat(store.reports(waiting).getLast().progress()).isEqualTo(Progress.RUNNING);
            await("maintenance", () -> store.maintained() > 10);
        }
    }

    /** Another server may run the next one by then. */
    @Test
    void oneThatHasTimedOutIsCancelled() {
        try (ScheduledQueryService _ = start(true, SHORT, 4)) {
            long waiting = store.add("wait");
            await("it runs", () -> runs(waiting));
            store.end(waiting);
            assertThat(awaitEnd(waiting).error().orElseThrow()).contains("timed out");
        }
    }

    @Test
    void aServerThatDrainsTakesNone() {
        try (ScheduledQueryService _ = start(true, LONG, 4)) {
            awaitEnd(store.add("rows 1"));
            sessions.refuseNew();
            store.add("rows 1");
            int maintained = store.maintained();
            await("time passes", () -> store.maintained() > maintained + 5);
            assertThat(store.waiting()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatRunsNoneStillEndsThoseOfOthers() {
        try (ScheduledQueryService _ = start(false, LONG, 4)) {
            store.add("rows 1");
            await("maintenance", () -> store.maintained() > 5);
            assertThat(store.waiting()).isEqualTo(1);
        }
    }

    @Test
    void settingsFitEachOther() {
        SettingsReader reader = new SettingsReader(Map.of(
                "hive.scheduled.queries.executor.progress.report.interval",
                "60s",
                "hive.metastore.scheduled.queries.progress.timeout",
                "60s"));
        ScheduleConfig.of(reader);
        assertThatThrownBy(reader::finish)
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("metastore.scheduled.queries.execution.timeout");
    }
}
