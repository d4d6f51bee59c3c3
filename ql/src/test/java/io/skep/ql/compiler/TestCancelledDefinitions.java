package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.QueryExecution;
import io.skep.ql.execution.QueryState;
import io.skep.ql.execution.RunListener;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.DefinitionGate;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests definitions whose client cancels or closes them. Before their first change they change nothing. During a change
 * they are completed and shown as FINISHED. While they read files, rows or the catalog, they end at once.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCancelledDefinitions {
    private static final int FOLDERS = 20;

    private final DefinitionGate gate = new DefinitionGate();
    private final TestingEngine engine =
            new TestingEngine(PlanningLimits.DEFAULT, gate::runner, gate::files, gate::catalog);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SqlSession session = engine.session();
    private int numbers;

    private Path folder = Path.of("");

    enum Departure {
        CANCEL,
        CLOSE
    }

    /**
     * @param query a query whose rows differ after the statement has run; ${n} is the number of the round, ${f} a
     *     folder
     */
    record Definition(String text, String query, List<String> setup) {
        static Definition of(String text, String look, String... setup) {
            return new Definition(text, look, List.of(setup));
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final String PLAIN = "create table t${n} (a int) stored as textfile";
    private static final String LOADED = "load data local inpath '${f}/rows' into table t${n}";
    private static final String PARTED = "create table t${n} (a int) partitioned by (p int) stored as textfile";
    private static final String ADDED = "alter table t${n} add partition (p = 1) partition (p = 2)";
    private static final String EXTERNAL =
            "create external table t${n} (a int) partitioned by (p int) stored as textfile location '${f}/parted'";
    private static final String PARTITIONS = "show partitions t${n}";
    private static final String TABLES = "show tables like '%${n}'";
    private static final String DESCRIBED = "describe formatted t${n}";

    static Stream<Definition> definitions() {
        return Stream.of(tables(), changes(), partitions(), counts()).flatMap(definitions -> definitions);
    }

    private static Stream<Definition> tables() {
        String view = "create view v${n} as select 1 as a";
        return Stream.of(
                Definition.of("create table c${n} (a int)", TABLES),
                Definition.of("create temporary table c${n} (a int)", TABLES),
                Definition.of("create table c${n} like t${n}", TABLES, PLAIN),
                Definition.of("create view v${n} as select 2 as a", TABLES),
                Definition.of("create or replace view v${n} as select 2 as a", "select * from v${n}", view),
                Definition.of("alter view v${n} as select 2 as a", "select * from v${n}", view),
                Definition.of("drop view v${n}", TABLES, view),
                Definition.of("drop table t${n}", TABLES, PLAIN, LOADED),
                Definition.of("drop table t${n} purge", TABLES, PARTED, ADDED),
                Definition.of("create database d${n}", "show databases like 'd${n}'"),
                Definition.of("drop database d${n}", "show databases like 'd${n}'", "create database d${n}"),
                Definition.of(
                        "drop database d${n} cascade",
                        "show databases like 'd${n}'",
                        "create database d${n}",
                        "create table d${n}.t (a int)",
                        "create view d${n}.v as select 1"),
                Definition.of(
                        "alter database d${n} set dbproperties ('x' = 'y')",
                        "describe database extended d${n}",
                        "create database d${n}"));
    }

    private static Stream<Definition> changes() {
        return Stream.of(
                Definition.of("alter table t${n} rename to u${n}", TABLES, PLAIN, LOADED),
                Definition.of("alter table t${n} add columns (b int)", DESCRIBED, PLAIN),
                Definition.of("alter table t${n} change a b int", DESCRIBED, PLAIN),
                Definition.of("alter table t${n} set tblproperties ('x' = 'y')", DESCRIBED, PLAIN),
                Definition.of("alter table t${n} set location '${f}/elsewhere'", DESCRIBED, PLAIN),
                Definition.of("alter table t${n} set serdeproperties ('field.delim' = ',')", DESCRIBED, PLAIN),
                Definition.of(
                        "alter table t${n} add constraint k${n} primary key (a) disable novalidate", DESCRIBED, PLAIN),
                Definition.of("truncate table t${n}", "select count(*) from t${n}", PLAIN, LOADED),
                Definition.of(LOADED, "select count(*) from t${n}", PLAIN));
    }

    private static Stream<Definition> partitions() {
        return Stream.of(
                Definition.of(ADDED, PARTITIONS, PARTED),
                Definition.of("alter table t${n} drop partition (p = 1)", PARTITIONS, PARTED, ADDED),
                Definition.of(
                        "alter table t${n} partition (p = 1) rename to partition (p = 3)", PARTITIONS, PARTED, ADDED),
                Definition.of(
                        "alter table s${n} exchange partition (p = 1) with table t${n}",
                        PARTITIONS,
                        PARTED,
                        ADDED,
                        "create table s${n} like t${n}"),
                Definition.of("msck repair table t${n}", PARTITIONS, EXTERNAL),
                Definition.of(
                        "msck repair table t${n} drop partitions",
                        PARTITIONS,
                        EXTERNAL,
                        "alter table t${n} add partition (p = 77) location '${f}/gone${n}'",
                        "dfs -rm ${f}/gone${n}"));
    }

    private static Stream<Definition> counts() {
        return Stream.of(
                Definition.of("analyze table t${n} compute statistics", DESCRIBED, PLAIN, LOADED),
                Definition.of(
                        "analyze table t${n} compute statistics for columns",
                        "describe formatted t${n} a",
                        PLAIN,
                        LOADED),
                Definition.of(
                        "alter table t${n} update statistics for column a set ('numDVs' = '7')",
                        "describe formatted t${n} a",
                        PLAIN));
    }

    @BeforeAll
    void writeFiles(@TempDir Path temporary) throws IOException {
        folder = temporary;
        Files.writeString(folder.resolve("rows"), "1\n2\n");
        for (int i = 0; i < FOLDERS; i++) {
            Files.createDirectories(folder.resolve("parted/p=" + i));
        }
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
        engine.close();
    }

    private String filled(String text, int number) {
        return text.replace("${n}", Integer.toString(number)).replace("${f}", folder.toString());
    }

    private int prepared(Definition definition) throws IOException {
        int number = numbers++;
        for (String text : definition.setup()) {
            String filled = filled(text, number);
            if (filled.startsWith("dfs -rm ")) {
                Files.delete(Path.of(filled.substring("dfs -rm ".length())));
            } else {
                engine.run(session, filled);
            }
        }
        return number;
    }

    private List<String> snapshot(Definition definition, int number) {
        try {
            return engine.rows(session, filled(definition.query(), number));
        } catch (SkepException e) {
            return List.of(e.code().name());
        }
    }

    /** A statement that runs on its own thread. */
    private final class UnderWay {
        private final SqlStatement statement;
        private final QueryExecution execution = new QueryExecution(InstantSource.system(), line -> {});
        private final CompletableFuture<Thread> thread = new CompletableFuture<>();
        private final CompletableFuture<Boolean> done;

        private UnderWay(String text) {
            statement = session.compile(new QueryId("definition_" + numbers++), text);
            assertThat(execution.compiled(statement::cancel)).isTrue();
            assertThat(execution.begin(QueryState.RUNNING)).isTrue();
            done = CompletableFuture.supplyAsync(this::succeeds, threads);
        }

        private boolean succeeds() {
            RunListener listener = gate.begin(execution);
            thread.complete(Thread.currentThread());
            try {
                statement.run(listener);
                execution.end(QueryState.FINISHED, Optional.empty());
            } catch (SkepException e) {
                execution.end(QueryState.FAILED, Optional.of(e));
                assertThat(e.code()).as(e.fullMessage()).isEqualTo(StandardErrorCode.OPERATION_CANCELED);
                assertThat(e).as("the client's reason").hasMessage("canceled by a test");
            } finally {
                gate.end();
            }
            assertThat(Thread.interrupted()).as("an interrupt is left").isFalse();
            return execution.state() == QueryState.FINISHED;
        }

        private void awaitWaiting() {
            Polling.await("it waits")
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> thread.join().getState() == Thread.State.TIMED_WAITING || done.isDone());
        }

        private void leave(Departure departure) {
            SkepException reason = new SkepException(StandardErrorCode.OPERATION_CANCELED, "canceled by a test");
            switch (departure) {
                case CANCEL -> execution.cancel(reason);
                case CLOSE -> {
                    execution.close(reason);
                    statement.close();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void changesNothingWhenItIsCancelledBeforeItsFirstChange(Definition definition) throws Exception {
        for (Departure departure : Departure.values()) {
            int number = prepared(definition);
            List<String> before = snapshot(definition, number);
            gate.holdBeforeCommit();
            UnderWay held = new UnderWay(filled(definition.text(), number));
            gate.awaitHeld(held.done);
            held.leave(departure);
            gate.release();
            assertThat(held.done.get()).as("%s", departure).isFalse();
            assertThat(held.execution.state()).isEqualTo(QueryState.CANCELLED);
            assertThat(snapshot(definition, number)).as("%s", departure).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void isCompletedOnceItHasBegunToChange(Definition definition) throws Exception {
        if (definition.text().contains("temporary")) {
            // The catalog does not contain temporary objects.
            return;
        }
        for (Departure departure : Departure.values()) {
            int number = prepared(definition);
            List<String> before = snapshot(definition, number);
            gate.holdInCatalog();
            UnderWay held = new UnderWay(filled(definition.text(), number));
            gate.awaitHeld(held.done);
            assertThat(held.execution.state()).isEqualTo(QueryState.COMMITTING);
            held.leave(departure);
            assertThat(held.execution.state()).isEqualTo(QueryState.COMMITTING);
            gate.release();
            assertThat(held.done.get()).as("%s", departure).isTrue();
            assertThat(snapshot(definition, number)).as("%s", departure).isNotEqualTo(before);
        }
        assertThat(gate.earlyChanges()).as("changes before the commit").isEmpty();
    }

    /** Statements, and the call in which each spends a long time before its first change. */
    enum Work {
        MSCK("msck repair table t${n} sync partitions", "folders", EXTERNAL),
        MSCK_GONE("msck repair table t${n} drop partitions", "exists", EXTERNAL, "msck repair table t${n}"),
        EXCHANGE(
                "alter table s${n} exchange partition (p = 1) with table t${n}",
                "files",
                EXTERNAL,
                "msck repair table t${n}",
                "create table s${n} (a int) partitioned by (p int) stored as textfile"),
        TRUNCATE("truncate table t${n}", "files", PARTED, ADDED),
        COUNT_FILES("analyze table t${n} compute statistics noscan", "files", EXTERNAL, "msck repair table t${n}"),
        COUNT("analyze table t${n} compute statistics", "files", EXTERNAL, "msck repair table t${n}"),
        SCAN("analyze table t${n} compute statistics", "next", PLAIN, LOADED),
        LOAD(LOADED, "copy", PLAIN),
        DROP("drop table t${n}", "ownFolders", PLAIN, LOADED);

        private final Definition definition;
        private final String held;

        Work(String text, String held, String... setup) {
            this.definition = new Definition(text, DESCRIBED, Arrays.asList(setup));
            this.held = held;
        }
    }

    /** The held call ignores the interrupt, as a local disk does. The statement makes no further calls. */
    @ParameterizedTest
    @EnumSource
    void workBeforeTheFirstChangeEndsAtOnce(Work work) throws Exception {
        for (Departure departure : Departure.values()) {
            int number = prepared(work.definition);
            List<String> before = snapshot(work.definition, number);
            gate.holdUntilInterrupted(work.held);
            UnderWay held = new UnderWay(filled(work.definition.text(), number));
            gate.awaitHeld(held.done);
            held.leave(departure);
            assertThat(held.done.get()).as("%s", departure).isFalse();
            assertThat(held.execution.state()).isEqualTo(QueryState.CANCELLED);
            assertThat(gate.callsAfterHold())
                    .as("%s: calls of %s", departure, work.held)
                    .isLessThanOrEqualTo(1);
            assertThat(snapshot(work.definition, number)).isEqualTo(before);
        }
    }

    /** A statement does not wait for a lease that it cannot get while another statement changes the table. */
    @ParameterizedTest
    @EnumSource
    void theWaitForAnotherStatementEndsAtOnce(Departure departure) throws Exception {
        Definition definition = Definition.of("drop table t${n}", TABLES, PLAIN);
        int number = prepared(definition);
        gate.holdInCatalog();
        UnderWay first = new UnderWay(filled("alter table t${n} add columns (b int)", number));
        gate.awaitHeld(first.done);
        List<UnderWay> waiting = new ArrayList<>();
        for (String text :
                List.of("drop table t${n}", "truncate table t${n}", "analyze table t${n} compute statistics noscan")) {
            UnderWay second = new UnderWay(filled(text, number));
            second.awaitWaiting();
            second.leave(departure);
            waiting.add(second);
        }
        for (UnderWay second : waiting) {
            assertThat(second.done.get()).isFalse();
        }
        assertThat(first.done).as("still held").isNotDone();
        gate.release();
        assertThat(first.done.get()).isTrue();
        assertThat(engine.rows(session, filled(TABLES, number))).isNotEmpty();
    }
}
