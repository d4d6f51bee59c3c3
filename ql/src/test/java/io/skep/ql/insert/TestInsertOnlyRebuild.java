package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.compaction.CompactionConfig;
import io.skep.ql.compaction.CompactionService;
import io.skep.ql.compaction.CompactionThresholds;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.StatementGate;
import io.skep.ql.testing.StatementGate.Phase;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rebuilds of views of insert-only tables, whose rows are told apart by their files. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestInsertOnlyRebuild {
    private static final String INSERT_ONLY =
            " tblproperties ('transactional'='true', 'transactional_properties'='insert_only')";
    private static final String REBUILD = "alter materialized view mv rebuild";
    private static final String SUMS = "select b, sum(v) s, count(*) c, min(v) lo, max(v) hi from t group by b";
    private static final String JOINED = "select t.a, t.v, d.name from t join d on t.a = d.a where t.v > 0";
    private static final String SELF = "select x.a, y.v from t x join t y on x.b = y.b";

    private final StatementGate gate = new StatementGate();
    private final TestingEngine engine =
            new TestingEngine(PlanningLimits.DEFAULT, gate::runner, UnaryOperator.identity(), UnaryOperator.identity());
    private SqlSession session = engine.session();

    @BeforeEach
    void makeTables() {
        session = engine.session();
        run("set hive.materializedview.rewriting=false");
        run("create table t (a int, v bigint) partitioned by (b string) stored as orc" + INSERT_ONLY);
        run("create table d (a int, name string) stored as textfile" + INSERT_ONLY);
        run("insert into t values (1,10,'x'), (2,20,'y'), (3,null,'x'), (null,40,'z')");
        run("insert into d values (1,'one'), (2,'two'), (2,'zwei')");
    }

    @AfterEach
    void clear() throws IOException {
        assertThat(engine.reservedBytes()).isZero();
        session.close();
        engine.clear();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    private void create(String query) {
        run("create materialized view mv as " + query);
    }

    private boolean isIncremental() {
        return engine.plan(session, REBUILD).contains("files of later writes");
    }

    private List<String> sorted(String query) {
        return engine.rows(session, query).stream().sorted().toList();
    }

    private void checkRows(String query) {
        assertThat(sorted("select * from mv")).isEqualTo(sorted(query));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {SUMS, JOINED, SELF, "select * from t", "select a, b from t union all select a, name from d"})
    void onlyNewFilesAreRead(String query) {
        create(query);
        run("insert into t values (1,100,'x'), (9,1,'new')");
        run("insert into d values (9,'nine'), (1,'uno')");
        assertThat(isIncremental()).isTrue();
        assertThat(engine.rows(session, "show materialized views"))
                .singleElement()
                .asString()
                .contains("Available for insert operations only");
        run(REBUILD);
        checkRows(query);
        run("insert into t select a, 5, name from d");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
    }

    /** A table of each kind, and one that has become insert-only. */
    @Test
    void otherTablesBeside() {
        run("create table f (a int, w int) stored as orc tblproperties ('transactional'='true')");
        run("create table o (a int, u int) stored as parquet");
        run("insert into o values (1, 1), (2, 2)");
        run("alter table o set tblproperties" + " ('transactional'='true', 'transactional_properties'='insert_only')");
        run("insert into f values (1, 11), (2, 22)");
        String query = "select f.w, o.u, d.name from f join o on f.a = o.a join d on d.a = o.a";
        create(query);
        run("insert into f values (1, 111), (9, 99)");
        run("insert into o values (2, 200), (9, 900)");
        run("insert into d values (9, 'nine')");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate table t",
                "truncate table t partition (b='x')",
                "insert overwrite table t values (9,1,'x')",
                "insert overwrite table t partition (b='x') select 7, 7",
                "insert overwrite table t partition (b='x') select 7, 7 where false",
                "alter table t drop partition (b='x')",
                "alter table t partition (b='x') rename to partition (b='w')",
                "alter table t change v w bigint",
                "alter table t compact 'major' and wait",
                "alter table t partition (b='x') compact 'minor' and wait",
                "delete from t",
            })
    void otherChanges(String change) {
        String query = "select b, count(*) c, count(a) n from t group by b";
        try (CompactionService _ = compactions(1_000)) {
            create(query);
            run("insert into t values (1,100,'x')");
            if (change.contains("compact")) {
                run("alter table t partition (b='x') " + change.substring(change.indexOf("compact")));
            } else {
                run(change);
            }
            run(REBUILD);
            checkRows(query);
            run("insert into t select 5, 5, 'x'");
            run("insert into t select 5, 5, 'q'");
            run(REBUILD);
            checkRows(query);
        }
    }

    /** The plan is made before the transaction begins. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (8,1000,'x')",
                "insert overwrite table t select 1, 1, 'x'",
                "truncate table t",
                REBUILD,
            })
    void whatHappensBeforeItRuns(String between) {
        create(SELF);
        run("insert into t values (1,100,'x')");
        try (SqlStatement compiled = session.compile(new QueryId("late"), REBUILD)) {
            engine.run(engine.session(), between);
            compiled.run(line -> {});
        }
        checkRows(SELF);
    }

    /** A transaction that was open when the view was filled has a lower write id than others that were not. */
    @Test
    void rowsOfTransactionsThatWereOpen() throws Exception {
        CompletableFuture<StatementGate.Stop> arming = new CompletableFuture<>();
        CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> {
            arming.complete(gate.arm(Thread.currentThread(), Phase.WRITTEN));
            engine.run(engine.session(), "insert into t values (2,5,'slow')");
        });
        StatementGate.Stop stop = arming.get();
        stop.reached().await();
        run("insert into t values (2,6,'fast')");
        create(SUMS);
        stop.open().countDown();
        slow.get();
        gate.disarm();
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(SUMS);
        run("insert into t values (2,7,'slow')");
        run(REBUILD);
        checkRows(SUMS);
    }

    @Test
    void randomHistoriesBesideCompactions() {
        Random random = new Random(18);
        try (CompactionService _ = compactions(2)) {
            for (String query : List.of(SUMS, JOINED, SELF)) {
                create(query);
                List<String> history = new ArrayList<>();
                for (int step = 0; step < 12; step++) {
                    history.add(change(random));
                    run(history.getLast());
                    if (random.nextInt(3) == 0) {
                        run(REBUILD);
                        assertThat(sorted("select * from mv"))
                                .as("after %s", history)
                                .isEqualTo(sorted(query));
                    }
                }
                run("drop materialized view mv");
            }
        }
    }

    /** @param deltas the number of deltas from which the service compacts by itself */
    private CompactionService compactions(int deltas) {
        CompactionConfig config = new CompactionConfig(
                true,
                true,
                1,
                Duration.ofHours(1),
                Duration.ofMillis(50),
                Duration.ofMillis(20),
                new CompactionThresholds(deltas, 0.5, 2, Duration.ofMillis(1)),
                256 << 20);
        return new CompactionService(engine.compactionParts(), config, "server", InstantSource.system());
    }

    private static String change(Random random) {
        int key = random.nextInt(5);
        String part = "xyz".substring(random.nextInt(3)).substring(0, 1);
        return switch (random.nextInt(10)) {
            case 0 -> "insert overwrite table t partition (b='" + part + "') select " + key + ", 1";
            case 1 -> "truncate table t partition (b='" + part + "')";
            case 2, 3 -> "insert into d values (" + key + ",'n" + random.nextInt(9) + "')";
            default -> "insert into t values (" + key + "," + random.nextInt(100) + ",'" + part + "')";
        };
    }
}
