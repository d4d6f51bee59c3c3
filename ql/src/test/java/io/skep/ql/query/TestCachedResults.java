package io.skep.ql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import io.skep.storage.table.FileVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which queries get the rows of earlier ones, and after which changes they run again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCachedResults {
    private static final String SUMS = "select a, sum(v) from t group by a order by a";

    private final TestingEngine engine = TestingEngine.of(
            PlanningLimits.DEFAULT,
            Map.of(
                    "hive.query.results.cache.enabled",
                    "true",
                    "hive.query.results.cache.nontransactional.tables.enabled",
                    "true",
                    "hive.security.authorization.sqlstd.confwhitelist.append",
                    "hive\\.query\\.results\\.cache\\..*",
                    "hive.security.authorization.enabled",
                    "true",
                    "hive.users.in.admin.role",
                    "root"));
    private SqlSession session = engine.session();

    @BeforeEach
    void makeTables() {
        session = engine.session("root");
        run("set role admin");
        run("create table t (a int, v bigint) stored as orc");
        run("insert into t values (1, 10), (1, 20), (2, 30)");
        settle();
    }

    @AfterEach
    void clear() throws IOException {
        assertThat(engine.results().computations()).isZero();
        engine.clear();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    /** A change within the same tick of the file system's clock would not be visible, so such files are not cached. */
    private static void settle() {
        FileVersion writtenNow = new FileVersion("f", 1, System.currentTimeMillis(), 1);
        Polling.await("the tick of the clock is over").until(() -> writtenNow.settledAt(System.currentTimeMillis()));
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    private List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    /** Whether a query that runs twice gets its rows from the cache the second time. */
    private boolean isCached(SqlSession first, SqlSession second, String sql) {
        engine.run(first, sql);
        long before = engine.results().hits();
        engine.run(second, sql);
        return engine.results().hits() > before;
    }

    private boolean isCached(String sql) {
        return isCached(session, session, sql);
    }

    @Test
    void theSameQueryGetsTheSameRows() {
        assertThat(isCached(SUMS)).isTrue();
        assertThat(rows(SUMS)).containsExactly("1 | 30", "2 | 30");
        assertThat(isCached("select a, sum(v) from t where a > 1 group by a order by a"))
                .isTrue();
        assertThat(rows("select a, sum(v) from t where a > 0 group by a order by a"))
                .containsExactly("1 | 30", "2 | 30");
        assertThat(isCached("select t.a, u.v from t join t u on t.a = u.a where u.v > 10 order by 1, 2"))
                .isTrue();
    }

    @Test
    void explainSaysThatRowsAreCached() {
        String sql = "select a + 1 explained from t";
        String line = "Cached result: used if the files of the tables are the same";
        assertThat(rows("explain " + sql)).doesNotContain(line);
        run(sql);
        assertThat(rows("explain " + sql)).contains(line);
        run("set hive.query.results.cache.enabled=false");
        assertThat(rows("explain " + sql)).doesNotContain(line);
    }

    @Test
    void explainAnalyzeComputesTheRows() {
        assertThat(isCached("select a + 2 from t")).isTrue();
        assertThat(rows("explain analyze select a + 2 from t"))
                .anyMatch(line -> line.startsWith("Scheduler in-process"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into p partition (d='x') values (5, 5)",
                "insert into p partition (d='z') values (5, 5)",
                "insert overwrite table p partition (d='x') values (1, 11)",
                "truncate table p",
                "truncate table p partition (d='x')",
                "alter table p drop partition (d='x')",
                "alter table p partition (d='x') rename to partition (d='w')",
                "update p set v = 1 where a = 1",
                "delete from p where a = 1",
                "merge into p using (select 1 k) s on p.a = s.k when matched then update set v = 7",
            })
    void changedTablesAreReadAgain(String change) {
        String sql = "select d, a, v from p order by d, a, v";
        for (String properties : List.of("'transactional'='false'", "'transactional'='true'")) {
            boolean needsRowIds = change.startsWith("update") || change.startsWith("delete") || change.startsWith("m");
            if (needsRowIds && properties.contains("false")) {
                continue;
            }
            run("create table p (a int, v bigint) partitioned by (d string) stored as orc tblproperties (" + properties
                    + ")");
            run("insert into p partition (d) values (1, 10, 'x'), (2, 20, 'y')");
            settle();
            assertThat(isCached(sql)).as(properties).isTrue();
            run(change);
            settle();
            List<String> cached = rows(sql);
            run("set hive.query.results.cache.enabled=false");
            assertThat(cached).as(properties).isEqualTo(rows(sql));
            run("set hive.query.results.cache.enabled=true");
            assertThat(isCached(sql)).as(properties).isTrue();
            run("drop table p");
        }
    }

    @Test
    void anotherTableOfTheSameNameIsRead() {
        assertThat(isCached("select v from t order by v")).isTrue();
        run("drop table t");
        run("create table t (a int, v bigint) stored as orc");
        run("insert into t values (1, 11), (1, 20), (2, 30)");
        settle();
        assertThat(rows("select v from t order by v")).containsExactly("11", "20", "30");
    }

    @Test
    void filesThatOthersReplaceAreRead() throws IOException {
        run("create table f (a string) row format delimited stored as textfile");
        run("insert into f values ('old')");
        settle();
        Path file = engine.files("f").getFirst();
        assertThat(isCached("select a from f")).isTrue();
        Path other = Files.writeString(engine.data().resolve("other"), "new\n");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        settle();
        assertThat(rows("select a from f")).containsExactly("new");
    }

    @Test
    void rowsThatMayDifferAreNotCached() {
        assertThat(isCached("select a, rand() from t")).isFalse();
        assertThat(isCached("select count(*) from (select uuid() u from t) x group by u"))
                .isFalse();
        assertThat(isCached("select 1")).isFalse();
        run("create temporary table tt as select * from t");
        settle();
        assertThat(isCached("select v from tt")).isFalse();
    }

    @Test
    void settingsOfSessionsHold() {
        run("set hive.query.results.cache.nontransactional.tables.enabled=false");
        assertThat(isCached(SUMS)).isFalse();
        run("set hive.query.results.cache.nontransactional.tables.enabled=true");
        assertThat(isCached(SUMS)).isTrue();
        run("set hive.query.results.cache.enabled=false");
        assertThat(isCached(SUMS)).isFalse();
    }

    @Test
    void resultsInOtherTimeZonesAreOthers() {
        String sql = "select a, from_unixtime(v) from t order by a, v";
        run("set hive.local.time.zone=UTC");
        assertThat(isCached(sql)).isTrue();
        run("set hive.local.time.zone=Asia/Tokyo");
        assertThat(rows(sql).getFirst()).isEqualTo("1 | 1970-01-01 09:00:10");
    }

    @Test
    void usersShareRowsThatTheyMayRead() {
        run("grant select on t to user ann");
        SqlSession ann = engine.session("ann");
        assertThat(isCached(session, ann, SUMS)).isTrue();
        SqlSession bob = engine.session("bob");
        assertThatThrownBy(() -> engine.run(bob, SUMS))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("bob");
        run("revoke select on t from user ann");
        assertThatThrownBy(() -> engine.run(ann, SUMS)).isInstanceOf(SkepException.class);
    }

    @Test
    void filtersAndMasksOfUsersHold() {
        run("grant select on t to user ann");
        run("grant select on t to user bob");
        run("alter table t set row filter (current_user() <> 'ann' or a = 1)");
        SqlSession ann = engine.session("ann");
        SqlSession bob = engine.session("bob");
        assertThat(engine.rows(bob, SUMS)).containsExactly("1 | 30", "2 | 30");
        assertThat(engine.rows(ann, SUMS)).containsExactly("1 | 30");
        assertThat(isCached(ann, ann, SUMS)).isTrue();
        assertThat(engine.rows(ann, SUMS)).containsExactly("1 | 30");
        assertThat(engine.rows(bob, SUMS)).containsExactly("1 | 30", "2 | 30");
    }

    @Test
    void failedAndUnreadQueriesLeaveNothing() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> run("select assert_true(v < 20) from t")).isInstanceOf(SkepException.class);
            assertThat(engine.results().computations()).isZero();
        }
        try (SqlStatement unread = session.compile(new QueryId("unread"), SUMS)) {
            unread.run(line -> {});
        }
        try (SqlStatement neverRun = session.compile(new QueryId("never"), SUMS)) {
            assertThat(neverRun.schema()).isPresent();
        }
    }

    @Test
    void resultsOfManyRowsAreNotCached() {
        run("create table m as select a, repeat('x', 5000) s from t lateral view explode(split(space(2000), ' ')) e");
        settle();
        assertThat(isCached("select s from m")).isFalse();
        assertThat(isCached("select count(distinct s) from m")).isTrue();
    }
}
