package io.skep.ql.insert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.metastore.Catalog;
import io.skep.metastore.Materialization;
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What REBUILD computes, and that a view has the rows of its query afterwards, whatever has happened in between. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestMaterializedViewRebuild {
    private static final String ACID = " stored as orc tblproperties ('transactional'='true')";
    private static final String REBUILD = "alter materialized view mv rebuild";
    private static final String SUMS =
            "select b, sum(v) s, count(*) c, min(v) lo, max(f) hi, count(v) n, sum(p) m from t group by b";
    private static final String JOINED = "select t.a, t.v, d.name from t join d on t.a = d.a where t.v > 0";

    private final StatementGate gate = new StatementGate();

    /** The call of {@code alterTable} that fails, counted down to 0. */
    private final AtomicInteger failing = new AtomicInteger(-1);

    private final TestingEngine engine =
            new TestingEngine(PlanningLimits.DEFAULT, gate::runner, UnaryOperator.identity(), this::failingCatalog);
    private SqlSession session = engine.session();

    private Catalog failingCatalog(Catalog inner) {
        return (Catalog) Proxy.newProxyInstance(
                Catalog.class.getClassLoader(), new Class<?>[] {Catalog.class}, (_, method, arguments) -> {
                    if (List.of("alterTable", "recordWrite").contains(method.getName())
                            && failing.decrementAndGet() == 0) {
                        throw new SkepException(StandardErrorCode.METASTORE_ERROR, "the database does not answer");
                    }
                    try {
                        return method.invoke(inner, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @BeforeEach
    void makeTables() {
        session = engine.session();
        run("create table t (a int, b string, v bigint, f double, p decimal(10,2))" + ACID);
        run("create table d (a int, name string)" + ACID);
        run("insert into t values (1,'x',10,1.5,2.25), (2,'y',20,2.5,null), (3,'x',null,0.5,1), (4,null,40,4.5,7.5)");
        run("insert into d values (1,'one'), (2,'two'), (2,'zwei')");
    }

    @AfterEach
    void clear() throws IOException {
        failing.set(-1);
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
        return engine.plan(session, REBUILD).contains("row__id");
    }

    /** Rebuilds the view. Returns whether all rows were not computed in the end. */
    private boolean rebuiltIncrementally() {
        try (SqlStatement statement = session.compile(new QueryId("rebuild"), REBUILD)) {
            statement.run(line -> {});
            return statement.plan().orElseThrow().get().contains("row__id");
        }
    }

    private List<String> sorted(String query) {
        return engine.rows(session, query).stream().sorted().toList();
    }

    /** Queries are not answered from the view, which would then prove itself right. */
    private void checkRows(String query) {
        run("set hive.materializedview.rewriting=false");
        assertThat(sorted("select * from mv")).isEqualTo(sorted(query));
    }

    private Optional<String> writeIds() {
        return engine.catalog()
                .table("default", "mv")
                .orElseThrow()
                .materialization()
                .flatMap(Materialization::writeIds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                SUMS,
                JOINED,
                "select * from t",
                "select a + 1 x, upper(b) u from t where v is null or v > 5",
                "select distinct b from t",
                "select sum(v) s, count(*) c from t",
                "select name, b, count(*) c, max(v) hi from t, d where t.a = d.a group by name, b",
                "select a, b from t union all select a, name from d",
                "select x.a, y.v from t x join t y on x.b = y.b",
                "select s, b, c, b bb from (select b, count(*) c, sum(v) s from t where a < 100 group by b) q",
            })
    void onlyNewRowsAreRead(String query) {
        create(query);
        run("insert into t values (1,'x',100,9.5,1), (9,'new',1,1,1)");
        run("insert into d values (9,'nine'), (1,'uno')");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
        assertThat(writeIds()).isPresent();
        run("insert into t select a, name, 5, 5, 5 from d");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select avg(v) x from t",
                "select sum(v) s from t group by b",
                "select b, count(distinct a) c from t group by b",
                "select b, sum(v) + 1 s from t group by b",
                "select b, count(*) c from t group by b having count(*) > 1",
                "select b, a, count(*) c from t group by b, a grouping sets ((a, b), (a))",
                "select t.a, d.name from t left join d on t.a = d.a",
                "select a from t where a in (select a from d)",
                "select a, row_number() over (order by a, v) n from t where b is not null",
                "select a from (select a from t order by a limit 3) q",
                "select b, sum(q) s from (select b, cast(p as decimal(38,2)) q from t) z group by b",
                "select b, s from (select a, b, v s from t) q sort by b",
                "select input__file__name n, count(*) c from t group by input__file__name",
            })
    void otherQueriesAreRunWhole(String query) {
        create(query);
        run("insert into t values (1,'x',100,9.5,1), (9,'new',1,1,1)");
        assertThat(engine.plan(session, REBUILD)).doesNotContain("row__id");
        run(REBUILD);
        checkRows(query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update t set v = 1 where a = 1",
                "delete from t where a = 1",
                "merge into t using (select 1 k) s on t.a = s.k when matched then delete",
                "truncate table t",
                "insert overwrite table t values (9,'x',1,1,1)",
                "alter table t change f g double",
            })
    void otherChangesComputeAllRows(String change) {
        String query = "select b, count(*) c, sum(v) s from t group by b";
        create(query);
        run("insert into t values (1,'x',100,9.5,1)");
        run(change);
        run(REBUILD);
        checkRows(query);
        assertThat(writeIds()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select b, sum(v) s, count(*) c, count(v) n, sum(p) m from t group by b",
                "select b, count(*) c from t where v > 5 group by b",
                "select sum(v) s, count(v) c, sum(p) m from t",
                "select name, b, count(*) c, sum(v) s from t, d where t.a = d.a group by name, b",
                "select x.a, count(*) c, sum(y.v) s from t x join t y on x.b = y.b group by x.a",
                "select b, count(*) c from (select a, b from t union all select a, name from d) u group by b",
                "select s, b, c, b bb from (select b, count(*) c, sum(v) s from t where a < 100 group by b) q",
            })
    void removedRowsAreSubtracted(String query) {
        create(query);
        // The sums of two queries become 0 where a row with NULL is left, and the values are not counted.
        boolean isKnown = !query.contains("y.v") && !query.contains("a < 100");
        run("insert into t values (1,'x',100,9.5,1), (9,'new',1,1,1), (9,'new',null,1,1)");
        run("update t set v = v + 7, b = 'moved' where a = 1");
        assertThat(isIncremental()).isTrue();
        assertThat(rebuiltIncrementally()).isEqualTo(isKnown);
        checkRows(query);
        run("delete from t where a in (2, 3)");
        run("insert into d values (9,'nine'), (1,'uno')");
        run("delete from d where name = 'one'");
        run("merge into t using (select 4 k union all select 77) s on t.a = s.k when matched then update set a = 1"
                + " when not matched then insert values (s.k, 'm', 8, 8, 8)");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
        assertThat(writeIds()).isPresent();
        run("delete from t where a < 1000");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
        run("insert into t values (1,'x',5,5.5,5)");
        run(REBUILD);
        checkRows(query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                SUMS,
                JOINED,
                "select a, b from t",
                "select distinct b from t",
                "select b, count(v) c from t group by b",
                "select b, count(*) c, max(v) hi from t group by b",
                "select b, count(*) c, sum(f) s from t group by b",
            })
    void removedRowsOfOtherQueriesComputeAllRows(String query) {
        create(query);
        run("insert into t values (1,'x',100,9.5,1)");
        run("delete from t where a = 1");
        assertThat(isIncremental()).isFalse();
        run(REBUILD);
        checkRows(query);
    }

    /** Without a count of the values, a sum of 0 may be one of none. */
    @Test
    void sumsOfNoValuesAreNull() {
        String query = "select b, count(*) c, sum(v) s from t group by b";
        create(query);
        run("insert into t values (5,'x',-10,1,1), (6,'y',null,1,1), (7,'y',0,1,1)");
        run(REBUILD);
        run("delete from t where a in (1, 2)");
        assertThat(isIncremental()).isTrue();
        assertThat(rebuiltIncrementally()).isFalse();
        checkRows(query);
        assertThat(sorted("select * from mv")).contains("x | 2 | -10", "y | 2 | 0");
        run("delete from t where a in (5, 7)");
        assertThat(rebuiltIncrementally()).isFalse();
        checkRows(query);
        assertThat(sorted("select * from mv")).contains("x | 1 | NULL", "y | 1 | NULL");
    }

    /** A minor one mixes the events with earlier ones, a major one drops the removed rows. */
    @Test
    void compactionsAfterRemovals() {
        String query = "select b, count(*) c, sum(v) s from t group by b";
        CompactionConfig config = compactions(false);
        try (CompactionService _ =
                new CompactionService(engine.compactionParts(), config, "server", InstantSource.system())) {
            create(query);
            run("insert into t values (1,'x',100,9.5,1)");
            run("delete from t where a = 3");
            assertThat(rebuiltIncrementally()).isTrue();
            for (String kind : List.of("minor", "major")) {
                run("update t set v = 5 where a = 2");
                run("delete from t where v = 100");
                run("alter table t compact '" + kind + "' and wait");
                assertThat(isIncremental()).isTrue();
                assertThat(rebuiltIncrementally()).isFalse();
                checkRows(query);
                run("update t set v = 6 where a = 2");
                assertThat(rebuiltIncrementally()).isTrue();
                checkRows(query);
            }
            assertThat(writeIds()).isPresent();
        }
    }

    @Test
    void removedRowsOfPartitions() {
        run("create table r (a int, v bigint) partitioned by (k string)" + ACID);
        run("insert into r values (1, 2, 'x'), (3, 4, 'y'), (5, 6, 'z')");
        String query = "select k, count(*) c, sum(v) s from r where k <> 'z' group by k";
        create(query);
        run("delete from r where a = 1");
        run("update r set v = 9 where k in ('y', 'z')");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
        run("insert overwrite table r partition (k='y') values (8, 8)");
        run(REBUILD);
        checkRows(query);
        run("delete from r");
        run("truncate table r partition (k='y')");
        run(REBUILD);
        checkRows(query);
    }

    @Test
    void droppedPartitionsComputeAllRows() {
        run("create table r (a int, v bigint) partitioned by (k string)" + ACID);
        run("insert into r values (1, 2, 'x'), (3, 4, 'y')");
        String query = "select k, count(*) c, sum(v) s from r group by k";
        create(query);
        run("insert into r values (5, 6, 'z')");
        run("alter table r drop partition (k='x')");
        run(REBUILD);
        checkRows(query);
        run("insert into r values (7, 8, 'w'), (7, 8, 'y')");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(query);
    }

    @Test
    void nothingIsComputedWhereNothingHasChanged() throws IOException {
        create(SUMS);
        Optional<String> before = writeIds();
        List<String> files = engine.files("mv").stream().map(Object::toString).toList();
        assertThat(engine.modifiedRows(session, REBUILD)).isZero();
        assertThat(engine.files("mv").stream().map(Object::toString).toList()).isEqualTo(files);
        assertThat(writeIds()).isEqualTo(before);
    }

    @Test
    void partitionedViewsAndTransactionalOnes() {
        run("create materialized view mv partitioned on (b) as select sum(v) v, count(*) c, coalesce(b, '-') b from t"
                + " group by coalesce(b, '-')");
        run("insert into t values (1,'x',100,9.5,1), (9,'new',1,1,1)");
        run(REBUILD);
        run("set hive.materializedview.rewriting=false");
        assertThat(sorted("select * from mv"))
                .isEqualTo(sorted("select sum(v), count(*), coalesce(b, '-') b from t group by coalesce(b, '-')"));
        run("drop materialized view mv");
        run("create materialized view mv" + ACID + " as " + SUMS);
        run("insert into t values (1,'x',7,7.5,7)");
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(SUMS);
    }

    /** An aborted transaction has a write id, and never gets visible rows. */
    @Test
    void rowsOfAbortedTransactions() {
        try (SqlStatement aborted = session.compile(
                new QueryId("aborted"), "insert into t select 1, 'x', assert_true(a > 1), 1, 1 from t")) {
            assertThatThrownBy(() -> aborted.run(line -> {})).isInstanceOf(SkepException.class);
        }
        run("insert into t values (2,'y',6,6,6)");
        create(SUMS);
        run("insert into t values (2,'y',7,7,7)");
        assertThat(isIncremental()).isTrue();
        assertThat(engine.plan(session, REBUILD)).doesNotContain(" or ");
        run(REBUILD);
        checkRows(SUMS);
    }

    /** Other files are another sample. */
    @Test
    void samplesAreTakenWhole() {
        create("select b, count(*) c from t tablesample (2 rows) group by b");
        run("insert into t values (1,'x',100,9.5,1)");
        assertThat(isIncremental()).isFalse();
        run(REBUILD);
        assertThat(sorted("select sum(c) from mv")).containsExactly("2");
    }

    @Test
    void itIsSwitchedOff() {
        create(SUMS);
        run("insert into t values (1,'x',100,9.5,1)");
        run("set hive.materializedview.rebuild.incremental=false");
        assertThat(isIncremental()).isFalse();
    }

    /** The plan is made before the transaction begins. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into t values (8,'x',1000,1,1)",
                "delete from t where a = 1",
                "insert into d values (3,'three')",
                "delete from d where a = 2",
                REBUILD,
                "alter materialized view mv disable rewrite",
            })
    void whatHappensBeforeItRuns(String between) {
        create(JOINED);
        run("insert into t values (1,'x',100,9.5,1)");
        try (SqlStatement compiled = session.compile(new QueryId("late"), REBUILD)) {
            engine.run(engine.session(), between);
            compiled.run(line -> {});
        }
        checkRows(JOINED);
    }

    /** The rows were computed from those that the view had. */
    @Test
    void anotherRebuildCommitsFirst() throws Exception {
        create(JOINED);
        run("insert into t values (1,'x',100,9.5,1)");
        CompletableFuture<StatementGate.Stop> arming = new CompletableFuture<>();
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> {
            arming.complete(gate.arm(Thread.currentThread(), Phase.WRITTEN));
            engine.run(engine.session(), REBUILD);
        });
        StatementGate.Stop stop = arming.get();
        stop.reached().await();
        run("insert into t values (2,'y',200,9.5,1)");
        run(REBUILD);
        checkRows(JOINED);
        stop.open().countDown();
        first.get();
        gate.disarm();
        checkRows(JOINED);
        run("insert into t values (2,'z',300,9.5,1)");
        run(REBUILD);
        checkRows(JOINED);
    }

    /** A transaction that was open when the view was filled has a lower write id than others that were not. */
    @Test
    void rowsOfTransactionsThatWereOpen() throws Exception {
        CompletableFuture<StatementGate.Stop> arming = new CompletableFuture<>();
        CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> {
            arming.complete(gate.arm(Thread.currentThread(), Phase.WRITTEN));
            engine.run(engine.session(), "insert into t values (2,'slow',5,5,5)");
        });
        StatementGate.Stop stop = arming.get();
        stop.reached().await();
        run("insert into t values (2,'fast',6,6,6)");
        create(SUMS);
        stop.open().countDown();
        slow.get();
        gate.disarm();
        assertThat(isIncremental()).isTrue();
        run(REBUILD);
        checkRows(SUMS);
        run("insert into t values (2,'slow',7,7,7)");
        run(REBUILD);
        checkRows(SUMS);
    }

    /** Earlier write ids beside new rows would let the next rebuild add the same rows again. */
    @ParameterizedTest
    @ValueSource(strings = {JOINED, SUMS})
    void failuresOfTheCatalogAroundTheCommit(String query) {
        create(query);
        run("insert into t values (1,'x',100,9.5,1)");
        failing.set(1);
        assertThatThrownBy(() -> run(REBUILD)).hasMessageContaining("the database does not answer");
        failing.set(-1);
        run("insert into t values (1,'y',200,9.5,1)");
        run(REBUILD);
        checkRows(query);
        assertThat(writeIds()).isPresent();
        run("insert into t values (2,'x',300,9.5,1)");
        for (int call = 2; call < 6; call++) {
            failing.set(call);
            try {
                run(REBUILD);
            } catch (SkepException e) {
                assertThat(e).hasMessageContaining("the database does not answer");
            }
            failing.set(-1);
            run("insert into t values (2,'x'," + call + ",9.5,1)");
            run(REBUILD);
            checkRows(query);
        }
    }

    @Test
    void randomHistoriesBesideCompactions() {
        CompactionConfig config = compactions(true);
        Random random = new Random(18);
        List<String> queries = List.of(
                SUMS,
                JOINED,
                "select x.a, y.v from t x join t y on x.b = y.b",
                "select b, count(*) c, sum(v) s from t group by b",
                "select x.a, name, count(*) c, sum(x.v) s, count(x.v) n from t x join t y on x.b = y.b"
                        + " join d on x.a = d.a group by x.a, name");
        try (CompactionService _ =
                new CompactionService(engine.compactionParts(), config, "server", InstantSource.system())) {
            for (String query : queries) {
                create(query);
                List<String> history = new ArrayList<>();
                for (int step = 0; step < 12; step++) {
                    history.add(change(random));
                    run(history.getLast());
                    if (random.nextInt(3) == 0) {
                        run(REBUILD);
                        run("set hive.materializedview.rewriting=false");
                        assertThat(sorted("select * from mv"))
                                .as("after %s", history)
                                .isEqualTo(sorted(query));
                    }
                }
                run("drop materialized view mv");
            }
        }
    }

    private static CompactionConfig compactions(boolean automatic) {
        return new CompactionConfig(
                automatic,
                automatic,
                1,
                Duration.ofHours(1),
                Duration.ofMillis(50),
                Duration.ofMillis(20),
                new CompactionThresholds(2, 0.5, 2, Duration.ofMillis(1)),
                256 << 20);
    }

    private static String change(Random random) {
        int key = random.nextInt(5);
        String row = "(" + key + ",'" + "xyz".charAt(random.nextInt(3)) + "'," + random.nextInt(100) + ",1.5,2)";
        return switch (random.nextInt(8)) {
            case 0 -> "delete from t where a = " + key;
            case 1 -> "update t set v = v + 1 where a = " + key;
            case 2 -> "insert into d values (" + key + ",'n" + random.nextInt(9) + "')";
            case 3 -> "delete from d where name = 'n" + random.nextInt(9) + "'";
            default -> "insert into t values " + row;
        };
    }
}
