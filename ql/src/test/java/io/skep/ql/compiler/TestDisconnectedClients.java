package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.QueryExecution;
import io.skep.ql.execution.QueryState;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.StatementGate;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests clients that cancel, close their statement, or disconnect with their session, after its rows are written and
 * during its commit. Before the commit nothing has changed. A commit that has begun is completed.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestDisconnectedClients {
    private final StatementGate gate = new StatementGate();
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT, gate::runner, gate::files);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SqlSession session = engine.session();
    private int statements;

    enum Departure {
        CANCEL,
        CLOSE,
        CANCEL_AND_CLOSE,
        CLOSE_SESSION
    }

    @BeforeAll
    void create() {
        engine.run(session, "create table t (a int) stored as textfile");
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
        engine.close();
    }

    @ParameterizedTest
    @EnumSource
    void decidesNothingOnceTheCommitHasBegun(Departure departure) throws Exception {
        for (StatementGate.Phase phase : List.of(StatementGate.Phase.WRITTEN, StatementGate.Phase.IN_COMMIT)) {
            engine.run(session, "insert overwrite table t values (1), (2)");
            boolean isDone = isDone(departure, phase, "insert overwrite table t select 3");
            String what = departure + " at " + phase;
            assertThat(isDone).as(what).isEqualTo(phase == StatementGate.Phase.IN_COMMIT);
            List<String> expected = isDone ? List.of("3") : List.of("1", "2");
            assertThat(engine.rows(session, "select a from t order by a"))
                    .as(what)
                    .isEqualTo(expected);
            assertThat(engine.rows(session, "select count(*) from t"))
                    .as(what)
                    .containsExactly(Integer.toString(expected.size()));
            assertNoFolders(what);
        }
    }

    @ParameterizedTest
    @EnumSource
    void comeTooLateForATruncateThatCommits(Departure departure) throws Exception {
        engine.run(session, "insert overwrite table t values (1), (2)");
        assertThat(isDone(departure, StatementGate.Phase.IN_COMMIT, "truncate table t"))
                .isTrue();
        assertThat(engine.rows(session, "select a from t")).isEmpty();
    }

    /**
     * Runs a statement whose client leaves at a phase, and returns whether it succeeds. The client's result must match
     * what has happened.
     */
    private boolean isDone(Departure departure, StatementGate.Phase phase, String sql) throws Exception {
        SqlSession own = engine.session();
        SqlStatement statement = own.compile(new QueryId("gone_" + statements++), sql);
        QueryExecution execution = new QueryExecution(InstantSource.system(), line -> {});
        assertThat(execution.compiled(statement::cancel)).isTrue();
        assertThat(execution.begin(QueryState.RUNNING)).isTrue();
        CompletableFuture<StatementGate.Stop> arming = new CompletableFuture<>();
        CompletableFuture<Boolean> write = CompletableFuture.supplyAsync(
                () -> {
                    arming.complete(gate.arm(Thread.currentThread(), phase));
                    return succeeds(statement, execution);
                },
                threads);
        StatementGate.Stop stop = arming.get();
        stop.reached().await();
        CompletableFuture<Void> gone =
                CompletableFuture.runAsync(() -> depart(departure, execution, statement, own), threads);
        gone.get();
        stop.open().countDown();
        boolean isDone = write.get();
        statement.close();
        own.close();
        assertThat(execution.state()).isEqualTo(isDone ? QueryState.FINISHED : QueryState.CANCELLED);
        return isDone;
    }

    private static boolean succeeds(SqlStatement statement, QueryExecution execution) {
        try {
            statement.run(execution);
            execution.end(QueryState.FINISHED, Optional.empty());
            return true;
        } catch (SkepException e) {
            execution.end(QueryState.FAILED, Optional.of(e));
            assertThat(e.code()).as(e.fullMessage()).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
            return false;
        }
    }

    private static void depart(Departure departure, QueryExecution execution, SqlStatement statement, SqlSession own) {
        SkepException reason = new SkepException(StandardErrorCode.OPERATION_CANCELED, "canceled");
        switch (departure) {
            case CANCEL -> execution.cancel(reason);
            case CLOSE -> {
                execution.close(reason);
                statement.close();
            }
            case CANCEL_AND_CLOSE -> {
                execution.cancel(reason);
                execution.close(reason);
                statement.close();
            }
            case CLOSE_SESSION -> {
                execution.cancel(reason);
                execution.close(reason);
                statement.close();
                own.close();
            }
        }
    }

    private void assertNoFolders(String what) throws IOException {
        Path folder = Path.of(engine.location("t").substring("file:".length()));
        try (Stream<Path> found = Files.list(folder)) {
            assertThat(found.filter(Files::isDirectory)).as(what).isEmpty();
        }
    }
}
