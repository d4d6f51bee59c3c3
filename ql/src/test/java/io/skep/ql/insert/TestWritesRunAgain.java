package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.ForwardingExecution;
import io.skep.ql.testing.StatementGate;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests writes with an attempt that fails after all its files are written. Only the files of the next attempt are
 * committed.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestWritesRunAgain {
    private final Queue<SkepException> failures = new ConcurrentLinkedQueue<>();
    private final List<String> attempts = new ArrayList<>();
    private final StatementGate gate = new StatementGate();
    private final TestingEngine engine =
            new TestingEngine(PlanningLimits.DEFAULT, runner -> gate.runner(failing(runner)), gate::files);
    private final SqlSession session = engine.session();

    private StageGraphRunner failing(StageGraphRunner inner) {
        return run -> {
            attempts.add(run.queryId().value());
            return new FailingExecution(inner.start(run));
        };
    }

    /** Fails at the end of the rows if a failure is prepared. */
    private final class FailingExecution extends ForwardingExecution {
        private FailingExecution(StageGraphExecution inner) {
            super(inner);
        }

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            return super.next().thenCompose(batch -> {
                SkepException failure = batch.isPresent() ? null : failures.poll();
                return failure == null
                        ? CompletableFuture.completedFuture(batch)
                        : CompletableFuture.failedFuture(failure);
            });
        }
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(failures).isEmpty();
        assertThat(engine.reservedBytes()).isZero();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private void run(String sql) {
        attempts.clear();
        engine.run(session, sql);
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    private void assertNoStaging(String table) throws IOException {
        try (Stream<Path> found = Files.walk(Path.of(engine.location(table).substring("file:".length())))) {
            assertThat(found.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith(".skep"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DAEMON_LOST", "MISSING_FILE"})
    void rowsAreThereOnce(StandardErrorCode code) throws IOException {
        String table = "once_" + code.name();
        run("create table " + table + " (a int) partitioned by (p int) stored as orc");
        failures.add(new SkepException(code, "the first"));
        failures.add(new SkepException(code, "the second"));
        run("insert into " + table + " partition (p) select 1, 1 union all select 2, 2 union all select 3, 2");
        assertThat(attempts).hasSize(3);
        assertThat(attempts.get(1)).isEqualTo(attempts.get(0) + "-2");
        assertThat(attempts.get(2)).isEqualTo(attempts.get(0) + "-3");
        assertThat(rows("select a, p from " + table + " where a > 0 order by a"))
                .containsExactly("1 | 1", "2 | 2", "3 | 2");
        assertThat(rows("select count(*) from " + table)).as("statistics").containsExactly("3");
        assertNoStaging(table);
    }

    @Test
    void aWriteThatFailsTooOftenChangesNothing() throws IOException {
        run("create table often (a int) stored as textfile");
        run("insert into often values (1)");
        for (int i = 0; i < 3; i++) {
            failures.add(new SkepException(StandardErrorCode.DAEMON_LOST, "again"));
        }
        assertThatThrownBy(() -> run("insert overwrite table often select 2"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.DAEMON_LOST));
        assertThat(attempts).hasSize(3);
        assertThat(rows("select a from often")).containsExactly("1");
        assertNoStaging("often");
    }

    @Test
    void aTableThatIsMadeOfAQueryHasItsRowsOnce() {
        failures.add(new SkepException(StandardErrorCode.DAEMON_LOST, "the first"));
        run("create table made stored as parquet as select 1 a union all select 2");
        assertThat(rows("select a from made order by a")).containsExactly("1", "2");
    }

    @Test
    void otherFailuresOfAWriteAreFinal() {
        run("create table wrong (a int) stored as textfile");
        failures.add(new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "by zero"));
        assertThatThrownBy(() -> run("insert into wrong select 2")).isInstanceOf(SkepException.class);
        assertThat(attempts).hasSize(1);
        assertThat(rows("select a from wrong")).isEmpty();
    }

    /** The retry also reads and rewrites the rows that another statement has committed since the first read. */
    @Test
    void anOverwriteOfATablesOwnRowsReadsWhatHasComeMeanwhile() throws Exception {
        run("create table own (a int) stored as orc");
        run("insert into own values (1), (2)");
        runWithInsertMeanwhile("insert overwrite table own select a + 10 from own", "insert into own values (3)");
        assertThat(rows("select a from own order by a")).containsExactly("11", "12", "13");
        assertThat(rows("select count(*) from own")).containsExactly("3");
        assertNoStaging("own");
    }

    @Test
    void filesThatComeWhileOthersAreConcatenatedAreConcatenatedToo() throws Exception {
        run("create table parts (a int) stored as rcfile");
        run("insert into parts values (1)");
        run("insert into parts values (2)");
        runWithInsertMeanwhile("alter table parts concatenate", "insert into parts values (3)");
        assertThat(rows("select a from parts order by a")).containsExactly("1", "2", "3");
        assertThat(rows("select count(distinct INPUT__FILE__NAME) from parts")).containsExactly("1");
        assertNoStaging("parts");
    }

    @Test
    void aCancelledConcatenationChangesNothing() throws Exception {
        run("create table kept (a int) stored as rcfile");
        run("insert into kept values (1)");
        run("insert into kept values (2)");
        List<String> before = rows("select distinct INPUT__FILE__NAME from kept");
        AtomicReference<SkepException> failure = new AtomicReference<>();
        try (SqlStatement statement = session.compile(new QueryId("cancelled"), "alter table kept concatenate")) {
            Thread runner = Thread.ofPlatform().unstarted(() -> {
                try {
                    statement.run(line -> {});
                } catch (SkepException e) {
                    failure.set(e);
                }
            });
            StatementGate.Stop stop = gate.arm(runner, StatementGate.Phase.WRITTEN);
            runner.start();
            stop.reached().await();
            statement.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "by the test"));
            runner.join();
        }
        assertThat(failure.get().code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        assertThat(rows("select distinct INPUT__FILE__NAME from kept")).containsExactlyInAnyOrderElementsOf(before);
        assertNoStaging("kept");
    }

    private void runWithInsertMeanwhile(String sql, String insert) throws Exception {
        CompletableFuture<StatementGate.Stop> arming = new CompletableFuture<>();
        CompletableFuture<Void> write = CompletableFuture.runAsync(() -> {
            arming.complete(gate.arm(Thread.currentThread(), StatementGate.Phase.WRITTEN));
            engine.run(session, sql);
            gate.disarm();
        });
        StatementGate.Stop stop = arming.get();
        stop.reached().await();
        try (SqlSession other = engine.session()) {
            engine.run(other, insert);
        }
        stop.open().countDown();
        write.get();
    }
}
