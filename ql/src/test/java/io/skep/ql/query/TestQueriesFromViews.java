package io.skep.ql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When queries are answered from materialized views, and that their rows are those of the tables. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestQueriesFromViews {
    private static final String SUMS = "select a, sum(v) from t group by a order by a";

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private SqlSession session = engine.session();

    @BeforeEach
    void makeTables() {
        session = engine.session();
        run("create table t (a int, b string, v bigint) stored as orc tblproperties ('transactional'='true')");
        run("insert into t values (1,'x',10),(1,'y',20),(2,'x',30)");
    }

    @AfterEach
    void clear() throws IOException {
        engine.clear();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    private void createView() {
        run("create materialized view mv as select a, b, sum(v) s, count(*) c from t group by a, b");
    }

    private boolean isAnswered(String sql) {
        return engine.plan(session, sql).contains("default.mv");
    }

    @Test
    void aViewAnswersUntilItsSourceChanges() {
        createView();
        assertThat(isAnswered(SUMS)).isTrue();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
        run("insert into t values (3,'z',5)");
        assertThat(isAnswered(SUMS)).isFalse();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30", "3 | 5");
        run("alter materialized view mv rebuild");
        assertThat(isAnswered(SUMS)).isTrue();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30", "3 | 5");
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of("update p set v = 1 where a = 1", List.of("x | 1", "y | 1")),
                Arguments.of("delete from p where a = 1", List.of("y | 1")),
                Arguments.of(
                        "merge into p using (select 1 k) s on p.a = s.k when matched then update set v = 7",
                        List.of("x | 1", "y | 1")),
                Arguments.of("truncate table p", List.of()),
                Arguments.of("truncate table p partition (d='x')", List.of("y | 1")),
                Arguments.of(
                        "insert overwrite table p partition (d='x') values (9, 9), (8, 8)", List.of("x | 2", "y | 1")),
                Arguments.of("alter table p drop partition (d='x')", List.of("y | 1")),
                Arguments.of("alter table p partition (d='x') rename to partition (d='w')", List.of("w | 1", "y | 1")),
                Arguments.of("alter table p change v w bigint", List.of("x | 1", "y | 1")));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void eachChangeMakesItOutdated(String change, List<String> after) {
        run("create table p (a int, v bigint) partitioned by (d string) stored as orc"
                + " tblproperties ('transactional'='true')");
        run("insert into p values (1, 2, 'x'), (3, 4, 'y')");
        run("create materialized view mv as select a, d, count(*) c from p group by a, d");
        String sql = "select d, count(*) from p group by d order by d";
        assertThat(isAnswered(sql)).isTrue();
        run(change);
        assertThat(isAnswered(sql)).isFalse();
        assertThat(rows(sql)).isEqualTo(after);
    }

    /** The view's record follows the source, and another table that gets the name is not its source. */
    @Test
    void aRenamedSourceIsNotTakenForAnotherTable() {
        createView();
        run("alter table t rename to older");
        run("create table t (a int, b string, v bigint) stored as orc tblproperties ('transactional'='true')");
        run("insert into t values (7,'x',70)");
        assertThat(isAnswered(SUMS)).isFalse();
        assertThat(rows(SUMS)).containsExactly("7 | 70");
    }

    /** The plan is made before the transaction begins. */
    @Test
    void itMayBecomeOutdatedBeforeTheQueryRuns() {
        createView();
        try (SqlStatement compiled = session.compile(new QueryId("late"), SUMS)) {
            assertThat(compiled.plan().orElseThrow().get()).contains("default.mv");
            engine.run(engine.session(), "insert into t values (1,'x',100)");
            assertThat(engine.rowsOf(compiled)).containsExactly("1 | 130", "2 | 30");
        }
    }

    @Test
    void itMayBeFilledAgainBeforeTheQueryRuns() {
        createView();
        try (SqlStatement compiled = session.compile(new QueryId("late"), SUMS)) {
            engine.run(engine.session(), "insert into t values (1,'x',100)");
            engine.run(engine.session(), "alter materialized view mv rebuild");
            assertThat(engine.rowsOf(compiled)).containsExactly("1 | 130", "2 | 30");
        }
    }

    @Test
    void itMayBeDroppedBeforeTheQueryRuns() {
        createView();
        try (SqlStatement compiled = session.compile(new QueryId("late"), SUMS)) {
            engine.run(engine.session(), "drop materialized view mv");
            assertThat(engine.rowsOf(compiled)).containsExactly("1 | 30", "2 | 30");
        }
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
    }

    @Test
    void aTransactionalViewAnswers() {
        run("create materialized view mv stored as orc tblproperties ('transactional'='true')"
                + " as select a, sum(v) s from t group by a");
        assertThat(isAnswered(SUMS)).isTrue();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
        run("update t set v = 0 where b = 'x'");
        run("alter materialized view mv rebuild");
        assertThat(isAnswered(SUMS)).isTrue();
        assertThat(rows(SUMS)).containsExactly("1 | 20", "2 | 0");
    }

    @Test
    void queriesOfWritesAreAnswered() {
        createView();
        run("create table o (a int, s bigint)");
        String insert = "insert into o select a, sum(v) from t group by a";
        assertThat(isAnswered(insert)).isTrue();
        run(insert);
        run("create table c as select a, sum(v) s from t group by a");
        assertThat(rows("select * from o order by a")).containsExactly("1 | 30", "2 | 30");
        assertThat(rows("select * from c order by a")).containsExactly("1 | 30", "2 | 30");
        try (SqlStatement compiled = session.compile(new QueryId("late"), insert)) {
            assertThat(compiled.plan().orElseThrow().get()).contains("default.mv");
            engine.run(engine.session(), "insert into t values (3,'x',7)");
            compiled.run(line -> {});
        }
        assertThat(rows("select * from o order by a, s"))
                .containsExactly("1 | 30", "1 | 30", "2 | 30", "2 | 30", "3 | 7");
    }

    /** A statement that replaces the rows that it reads would lose those that the view lacks. */
    @Test
    void olderRowsAreNotWritten() {
        run("create materialized view mv tblproperties ('rewriting.time.window'='10min')"
                + " as select a, b, sum(v) s from t group by a, b");
        run("insert into t values (3,'z',5)");
        assertThat(isAnswered("select a, b, sum(v) from t group by a, b")).isTrue();
        String overwrite = "insert overwrite table t select a, b, sum(v) from t group by a, b";
        assertThat(isAnswered(overwrite)).isFalse();
        run(overwrite);
        run("set hive.materializedview.rewriting=false");
        assertThat(rows("select sum(v), count(*) from t")).containsExactly("65 | 4");
    }

    /** The cache of plans does not know views. */
    @Test
    void plansThatWereKeptAreNotUsed() {
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
        createView();
        assertThat(isAnswered(SUMS)).isTrue();
        run("alter materialized view mv disable rewrite");
        assertThat(isAnswered(SUMS)).isFalse();
        run("alter materialized view mv enable rewrite");
        assertThat(isAnswered(SUMS)).isTrue();
        run("set hive.materializedview.rewriting=false");
        assertThat(isAnswered(SUMS)).isFalse();
        run("set hive.materializedview.rewriting=true");
        run("drop materialized view mv");
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
    }

    @Test
    void olderRowsAreAllowedForAWhile() {
        run("create materialized view mv tblproperties ('rewriting.time.window'='10min')"
                + " as select a, sum(v) s from t group by a");
        run("insert into t values (3,'z',5)");
        assertThat(isAnswered(SUMS)).isTrue();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
        run("alter materialized view mv rebuild");
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30", "3 | 5");
    }

    @Test
    void aWindowThatIsNoTimeAllowsNothing() {
        run("create materialized view mv tblproperties ('rewriting.time.window'='soon')"
                + " as select a, sum(v) s from t group by a");
        assertThat(isAnswered(SUMS)).isTrue();
        run("insert into t values (3,'z',5)");
        assertThat(isAnswered(SUMS)).isFalse();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30", "3 | 5");
    }

    @Test
    void theSessionMayAllowOlderRows() {
        createView();
        run("insert into t values (3,'z',5)");
        assertThat(isAnswered(SUMS)).isFalse();
        run("set hive.materializedview.rewriting.time.window=-1min");
        assertThat(isAnswered(SUMS)).isTrue();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
    }

    /** The same query that fills a view is not answered from it, since it may have other rows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "select a, sum(v) s from t where current_date > '2000-01-01' group by a",
                "select a, current_timestamp n, sum(v) s from t group by a",
                "select a, current_user() n, sum(v) s from t group by a",
                "select a, sum(v) s from t where rand() < 2 group by a",
                "select input__file__name a, sum(v) s from t group by input__file__name",
            })
    void whatDependsOnMoreThanTheTablesIsNotAnswered(String query) {
        run("create materialized view mv as " + query);
        assertThat(isAnswered(query)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stored as textfile", "stored as sequencefile", "disable rewrite"})
    void someViewsAnswerNothing(String clause) {
        run("create materialized view mv " + clause + " as select a, sum(v) s from t group by a");
        assertThat(isAnswered(SUMS)).isFalse();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
    }

    /** A session may store timestamps in Parquet files with fewer digits. */
    @Test
    void timestampsInParquetAreNotAnswered() {
        run("create table ts (a int, at timestamp) stored as orc tblproperties ('transactional'='true')");
        run("insert into ts values (1, '2024-01-01 00:00:00.123456789'), (1, '2023-01-01 00:00:00')");
        run("set hive.parquet.write.int64.timestamp=true");
        run("create materialized view mv stored as parquet as select a, max(at) m, count(*) c from ts group by a");
        String latest = "select a, cast(max(at) as string) from ts group by a";
        assertThat(isAnswered(latest)).isFalse();
        assertThat(rows(latest)).containsExactly("1 | 2024-01-01 00:00:00.123456789");
        run("drop materialized view mv");
        run("create materialized view mv stored as parquet as select a, count(*) c from ts group by a");
        assertThat(isAnswered("select a, count(*) from ts group by a")).isTrue();
    }

    /** NULL and the empty text have one name as partitions. */
    @Test
    void partitionsOfNoValueAnswerNothing() {
        run("create materialized view mv partitioned on (b) as select a, count(*) c, b from t group by a, b");
        String sql = "select b, count(*) from t group by b order by b";
        assertThat(isAnswered(sql)).isTrue();
        assertThat(rows(sql)).containsExactly("x | 2", "y | 1");
        run("insert into t values (5,'',1),(6,null,1)");
        run("alter materialized view mv rebuild");
        assertThat(isAnswered(sql)).isFalse();
        assertThat(rows(sql)).containsExactlyInAnyOrder("NULL | 1", " | 1", "x | 2", "y | 1");
    }

    /** A temporary table of the session hides the source. */
    @Test
    void aTemporaryTableIsNotTheSource() {
        run("create temporary table hidden (a int, v bigint)");
        run("insert into hidden values (9, 9)");
        SqlSession other = engine.session();
        engine.run(other, "create table hidden (a int, v bigint) stored as orc tblproperties ('transactional'='true')");
        engine.run(other, "insert into hidden values (1, 1)");
        engine.run(other, "create materialized view mv as select a, count(*) c from hidden group by a");
        String sql = "select a, count(*) from hidden group by a";
        assertThat(engine.plan(other, sql)).contains("default.mv");
        assertThat(engine.rows(other, sql)).containsExactly("1 | 1");
        assertThat(isAnswered(sql)).isFalse();
        assertThat(rows(sql)).containsExactly("9 | 1");
    }

    /** What a filter hid when the view was filled is missing in it. What it hides later is hidden. */
    @Test
    void rowFiltersHold() {
        createView();
        run("alter table t set row filter (a = 1)");
        assertThat(rows(SUMS)).containsExactly("1 | 30");
        run("alter materialized view mv rebuild");
        assertThat(rows(SUMS)).containsExactly("1 | 30");
        run("alter table t drop row filter");
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
        assertThat(isAnswered(SUMS)).isFalse();
        run("alter materialized view mv rebuild");
        assertThat(isAnswered(SUMS)).isTrue();
    }

    @Test
    void otherTimeZonesAreNotAnswered() {
        run("set hive.local.time.zone=Asia/Tokyo");
        createView();
        assertThat(isAnswered(SUMS)).isTrue();
        run("set hive.local.time.zone=UTC");
        assertThat(isAnswered(SUMS)).isFalse();
    }

    @Test
    void explainNamesTheView() {
        createView();
        assertThat(String.join("\n", rows("explain cbo " + SUMS))).contains("[default, mv]");
        assertThat(String.join("\n", rows("explain dependency " + SUMS))).contains("default@mv");
        assertThat(String.join("\n", rows("explain " + SUMS))).contains("default.mv");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table mv drop partition (b='x')",
                "alter table mv add columns (z int)",
                "alter table mv set location 'file:/tmp/elsewhere'",
                "msck repair table mv",
                "truncate table mv",
                "insert into mv values (1, 2, 'x')",
                "delete from mv",
            })
    void theRowsOfAViewAreThoseOfItsQuery(String change) {
        run("create materialized view mv partitioned on (b) as select a, count(*) c, b from t group by a, b");
        assertThatThrownBy(() -> run(change)).isInstanceOf(SkepException.class);
        assertThat(rows("select b, count(*) from t group by b order by b")).containsExactly("x | 2", "y | 1");
    }
}
