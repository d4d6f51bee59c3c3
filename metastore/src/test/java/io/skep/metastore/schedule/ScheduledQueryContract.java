package io.skep.metastore.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.schedule.ExecutionReport.Progress;
import io.skep.metastore.schedule.ScheduledQueryStore.Answer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The scheduled queries of a database that two servers share. */
interface ScheduledQueryContract {
    String NAMESPACE = "hive";
    String FAR = "0 0 0 1 1 ? 2037";

    ScheduledQueryStore one();

    ScheduledQueryStore other();

    Connection connect() throws SQLException;

    private static ScheduledQuery query(String name, String schedule) {
        return new ScheduledQuery(NAMESPACE, name, true, schedule, "alice", "select '" + name + "'");
    }

    private ScheduledQuery create(String name, String schedule) {
        ScheduledQuery query = query(name, schedule);
        one().create(query);
        return query;
    }

    private void update(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private Optional<String> value(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
        }
    }

    private Optional<String> ofQuery(String column, String name) throws SQLException {
        return value("SELECT \"" + column + "\" FROM \"SCHEDULED_QUERIES\" WHERE \"SCHEDULE_NAME\" = '" + name + "'");
    }

    private Optional<String> ofExecution(String column, long id) throws SQLException {
        return value(
                "SELECT \"" + column + "\" FROM \"SCHEDULED_EXECUTIONS\" WHERE \"SCHEDULED_EXECUTION_ID\" = " + id);
    }

    private static ExecutionReport report(DueQuery due, Progress progress) {
        return new ExecutionReport(due.execution(), progress, "host/query", Optional.empty());
    }

    @AfterEach
    default void dropAll() throws SQLException {
        update("DELETE FROM \"SCHEDULED_EXECUTIONS\"");
        update("DELETE FROM \"SCHEDULED_QUERIES\"");
    }

    @Test
    default void whatIsCreatedIsFoundByTheOther() throws SQLException {
        ScheduledQuery query = create("Made", FAR);
        assertThat(other().find(NAMESPACE, "Made")).contains(query);
        assertThat(other().find(NAMESPACE, "made"))
                .as("names are case-sensitive")
                .isEmpty();
        assertThat(other().find("elsewhere", "Made")).isEmpty();
        Instant due = Instant.ofEpochSecond(
                Long.parseLong(ofQuery("NEXT_EXECUTION", "Made").orElseThrow()));
        assertThat(due).isAfter(Instant.parse("2036-12-30T00:00:00Z")).isBefore(Instant.parse("2037-01-03T00:00:00Z"));
        assertThatThrownBy(() -> other().create(query))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.SCHEDULED_QUERY_EXISTS))
                .hasMessageContaining("Made@hive already exists");
    }

    @Test
    default void changesAreKept() throws SQLException {
        create("c", FAR);
        other().alter(NAMESPACE, "c", query -> query.withEnabled(false).withUser("bob"));
        one().alter(
                        NAMESPACE,
                        "c",
                        query -> query.withSchedule("0 0 0 1 1 ? 2036").withStatement("select 2"));
        assertThat(one().find(NAMESPACE, "c"))
                .contains(new ScheduledQuery(NAMESPACE, "c", false, "0 0 0 1 1 ? 2036", "bob", "select 2"));
        one().drop(NAMESPACE, "c");
        assertThat(other().find(NAMESPACE, "c")).isEmpty();
    }

    @Test
    default void whatIsNotThereIsRefused() {
        for (Runnable change : List.<Runnable>of(
                () -> one().alter(NAMESPACE, "nope", query -> query),
                () -> one().execute(NAMESPACE, "nope"),
                () -> one().drop(NAMESPACE, "nope"))) {
            assertThatThrownBy(change::run)
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.SCHEDULED_QUERY_NOT_FOUND));
        }
    }

    @Test
    default void aWrongScheduleIsRefused() {
        assertThatThrownBy(() -> create("w", "often"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("often");
        assertThat(one().find(NAMESPACE, "w")).isEmpty();
        create("w", FAR);
        assertThatThrownBy(() -> one().alter(NAMESPACE, "w", query -> query.withSchedule("never")))
                .isInstanceOf(SkepException.class);
        assertThat(one().find(NAMESPACE, "w")).contains(query("w", FAR));
    }

    @Test
    default void aScheduleThatTheMetastoreCannotStoreIsRefused() {
        assertThatThrownBy(() -> create("late", "0 0 0 1 1 ? 2090"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("2038");
        assertThat(one().find(NAMESPACE, "late")).isEmpty();
    }

    /** The library's own way to read one fails here. */
    @Test
    default void oneThatIsNeverDueAgainCanBeChanged() throws SQLException {
        create("past", "0 0 0 1 1 ? 2000");
        assertThat(ofQuery("NEXT_EXECUTION", "past")).isEmpty();
        assertThat(one().find(NAMESPACE, "past")).isPresent();
        one().alter(NAMESPACE, "past", query -> query.withEnabled(false));
        assertThat(one().poll(NAMESPACE)).isEmpty();
        one().drop(NAMESPACE, "past");
    }

    @Test
    default void listenersHearOfChangesThatMakeItDue() {
        AtomicInteger heard = new AtomicInteger();
        one().whenChanged(heard::incrementAndGet);
        create("heard", FAR);
        one().alter(NAMESPACE, "heard", query -> query.withUser("bob"));
        one().execute(NAMESPACE, "heard");
        assertThat(heard).hasValue(3);
    }

    @Test
    default void anExecutionRunsFromItsPollToItsEnd() throws SQLException {
        create("run", FAR);
        assertThat(one().poll(NAMESPACE)).isEmpty();
        one().execute(NAMESPACE, "run");
        assertThat(one().poll("elsewhere")).isEmpty();
        DueQuery due = other().poll(NAMESPACE).orElseThrow();
        assertThat(due).isEqualTo(new DueQuery(due.execution(), "run", "alice", "select 'run'"));
        assertThat(ofExecution("STATE", due.execution())).contains("INITED");
        assertThat(Long.parseLong(ofQuery("NEXT_EXECUTION", "run").orElseThrow()))
                .isGreaterThan(Instant.now().getEpochSecond());
        assertThat(other().report(report(due, Progress.RUNNING))).isEqualTo(Answer.RECORDED);
        assertThat(ofExecution("STATE", due.execution())).contains("EXECUTING");
        one().execute(NAMESPACE, "run");
        assertThat(one().poll(NAMESPACE)).as("while it runs").isEmpty();
        assertThat(other().report(report(due, Progress.FINISHED))).isEqualTo(Answer.RECORDED);
        assertThat(ofExecution("STATE", due.execution())).contains("FINISHED");
        assertThat(ofExecution("EXECUTOR_QUERY_ID", due.execution())).contains("host/query");
        assertThat(ofExecution("END_TIME", due.execution())).isPresent();
        assertThat(one().poll(NAMESPACE)).as("after it has ended").isPresent();
    }

    @Test
    default void aFailureKeepsItsReason() throws SQLException {
        create("f", FAR);
        one().execute(NAMESPACE, "f");
        DueQuery due = one().poll(NAMESPACE).orElseThrow();
        one().report(report(due, Progress.RUNNING));
        one().report(new ExecutionReport(due.execution(), Progress.FAILED, "host/q", Optional.of("x".repeat(5000))));
        assertThat(ofExecution("STATE", due.execution())).contains("FAILED");
        assertThat(ofExecution("ERROR_MESSAGE", due.execution()).orElseThrow()).startsWith("xxx");
    }

    @Test
    default void aDisabledOneWaits() {
        create("d", FAR);
        one().alter(NAMESPACE, "d", query -> query.withEnabled(false));
        one().execute(NAMESPACE, "d");
        assertThat(one().poll(NAMESPACE)).isEmpty();
    }

    /** Both servers poll at once on several threads, again and again. */
    @Test
    default void eachExecutionIsTakenOnce() throws Exception {
        List<String> names = List.of("a", "b", "c", "d", "e");
        for (String name : names) {
            create(name, FAR);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
            for (int round = 0; round < 10; round++) {
                update("UPDATE \"SCHEDULED_QUERIES\" SET \"NEXT_EXECUTION\" = 1");
                List<Future<List<DueQuery>>> pollers = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    ScheduledQueryStore store = i % 2 == 0 ? one() : other();
                    pollers.add(threads.submit(takeAll(store, names.size())));
                }
                List<DueQuery> taken = new ArrayList<>();
                for (Future<List<DueQuery>> poller : pollers) {
                    taken.addAll(poller.get());
                }
                for (Optional<DueQuery> left = one().poll(NAMESPACE); left.isPresent(); left = one().poll(NAMESPACE)) {
                    taken.add(left.get());
                }
                assertThat(taken.stream().map(DueQuery::name)).containsExactlyInAnyOrderElementsOf(names);
                taken.forEach(due -> one().report(report(due, Progress.FINISHED)));
            }
        }
    }

    private static Callable<List<DueQuery>> takeAll(ScheduledQueryStore store, int polls) {
        return () -> {
            List<DueQuery> taken = new ArrayList<>();
            for (int i = 0; i < polls; i++) {
                store.poll(NAMESPACE).ifPresent(taken::add);
            }
            return taken;
        };
    }

    @Test
    default void anExecutionOfALostServerEndsAndAnotherBegins() throws SQLException {
        create("lost", FAR);
        one().execute(NAMESPACE, "lost");
        DueQuery due = one().poll(NAMESPACE).orElseThrow();
        one().report(report(due, Progress.RUNNING));
        assertThat(other().endSilent(Duration.ofMinutes(2))).isZero();
        update("UPDATE \"SCHEDULED_EXECUTIONS\" SET \"LAST_UPDATE_TIME\" = 1");
        assertThat(other().endSilent(Duration.ofMinutes(2))).isEqualTo(1);
        assertThat(ofExecution("STATE", due.execution())).contains("TIMED_OUT");
        other().execute(NAMESPACE, "lost");
        DueQuery next = other().poll(NAMESPACE).orElseThrow();
        assertThat(one().report(report(due, Progress.RUNNING))).isEqualTo(Answer.HAS_ENDED);
        assertThat(one().report(report(due, Progress.FINISHED))).isEqualTo(Answer.HAS_ENDED);
        assertThat(ofQuery("ACTIVE_EXECUTION_ID", "lost")).contains(Long.toString(next.execution()));
    }

    @Test
    default void aDroppedOneHasNoExecutions() throws SQLException {
        create("gone", FAR);
        one().execute(NAMESPACE, "gone");
        DueQuery due = one().poll(NAMESPACE).orElseThrow();
        other().drop(NAMESPACE, "gone");
        assertThat(one().report(report(due, Progress.FINISHED))).isEqualTo(Answer.UNKNOWN);
        assertThat(ofExecution("STATE", due.execution())).isEmpty();
    }

    @Test
    default void oldExecutionsAreDeleted() throws SQLException {
        create("old", FAR);
        one().execute(NAMESPACE, "old");
        DueQuery due = one().poll(NAMESPACE).orElseThrow();
        one().report(report(due, Progress.FINISHED));
        assertThat(other().deleteOlder(Duration.ofDays(1))).isZero();
        update("UPDATE \"SCHEDULED_EXECUTIONS\" SET \"START_TIME\" = 1");
        assertThat(other().deleteOlder(Duration.ofDays(1))).isEqualTo(1);
        assertThat(ofExecution("STATE", due.execution())).isEmpty();
        assertThat(one().find(NAMESPACE, "old")).isPresent();
    }
}
