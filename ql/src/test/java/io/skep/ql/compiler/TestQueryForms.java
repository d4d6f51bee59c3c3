package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests forms of queries. The expected answers are those of Hive 4.0.1 over the same rows. All tests read the same
 * tables.
 */
final class TestQueryForms {
    private static TestingEngine engine;
    private static SqlSession session;

    @BeforeAll
    static void start() {
        engine = new TestingEngine(PlanningLimits.DEFAULT);
        session = engine.session();
        engine.run(session, "create table part (name string, mfgr string, price double)");
        engine.run(session, "insert into part values ('a', 'm1', 10.0), ('b', 'm1', 700.0), ('c', 'm2', 10.0)");
        engine.run(session, "create table empty_table (a int, b string)");
    }

    @AfterAll
    static void stop() {
        session.close();
        engine.close();
    }

    private static List<String> rows(String sql) {
        return engine.rows(session, sql);
    }

    @Test
    void notInAQueryWithAggregatesOfBoth() {
        assertThat(rows("select b.mfgr, min(price) from part b group by b.mfgr having b.mfgr not in (select mfgr from"
                        + " (select mfgr, min(price) l, max(price) r, avg(price) a from part group by mfgr) a"
                        + " where min(price) = l and r - l > 600)"))
                .containsExactly("m2 | 10.0");
    }

    @Test
    void aScalarSubqueryHasAtMostOneRow() {
        assertThat(rows("select name, (select name from part where price > 100) from part order by name"))
                .containsExactly("a | b", "b | b", "c | b");
        assertThat(rows("select name, (select a from empty_table) from part where name = 'a'"))
                .containsExactly("a | NULL");
        assertThat(rows("select name from part p where price > (select price from part q where q.mfgr = p.mfgr"
                        + " and q.name = 'a') order by name"))
                .containsExactly("b");
        assertThatThrownBy(() -> rows("select name from part where name = (select name from part)"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        error -> assertThat(error.code()).isEqualTo(StandardErrorCode.SUBQUERY_NOT_SCALAR));
        assertThat(engine.reservedBytes()).isZero();
    }

    @Test
    void emptyGroupingSetHasAGroupWithoutRows() {
        assertThat(rows("select a, count(*), sum(a), count(distinct b) from empty_table group by a with rollup"))
                .containsExactly("NULL | 0 | NULL | 0");
        assertThat(rows("select count(1), count(distinct a), count(distinct b) from empty_table"))
                .containsExactly("0 | 0 | 0");
        assertThat(rows("select mfgr, count(*) from part group by mfgr grouping sets ((mfgr), ()) order by mfgr"))
                .containsExactly("m1 | 2", "m2 | 1", "NULL | 3");
    }

    @Test
    void daysOutsideOfTheCalendarOfLiterals() {
        assertThat(rows("select cast(mask(cast('2016-04-20' as date)) as string), date '2016-04-20' < '2017-01-01'"))
                .containsExactly("0000-01-01 | 1");
    }

    @Test
    void someStaticPartitionValuesAndSomeDynamic() {
        rows("create table parted (v int) partitioned by (ds string, hr string)");
        rows("insert into parted partition (ds = 'a/b', hr) values (1, 'x'), (2, 'y')");
        assertThat(rows("show partitions parted")).containsExactly("ds=a%2Fb/hr=x", "ds=a%2Fb/hr=y");
        assertThat(rows("select * from parted where hr = 'y'")).containsExactly("2 | a/b | y");
    }

    @Test
    void viewsKeepFullNames() {
        rows("create view v as select mfgr m, count(*) c from part where price > 1 group by mfgr order by m");
        assertThat(rows("show create table v"))
                .containsExactly("CREATE VIEW `v` AS select `part`.`mfgr` `m`, count(*) `c` from `default`.`part` where"
                        + " `part`.`price` > 1 group by `part`.`mfgr` order by m");
        assertThat(rows("select * from v")).containsExactly("m1 | 2", "m2 | 1");
    }

    @Test
    void timeZoneOfTheSession() {
        rows("set time zone Europe/Rome");
        try {
            assertThat(rows("select from_unixtime(unix_timestamp(cast('2020-01-01 00:00:00' as timestamp)), 'XXX')"))
                    .containsExactly("+01:00");
        } finally {
            rows("set time zone UTC");
        }
    }

    @Test
    void temporaryTablesHavePartitionsAndStatistics() {
        rows("create temporary table temp_parted (v int) partitioned by (ds string)");
        rows("insert into temp_parted partition (ds) values (1, 'x'), (2, 'y'), (3, 'y')");
        rows("alter table temp_parted add partition (ds = 'z')");
        assertThat(rows("show partitions temp_parted")).containsExactly("ds=x", "ds=y", "ds=z");
        assertThat(rows("select ds, sum(v) from temp_parted where ds > 'x' group by ds"))
                .containsExactly("y | 5");
        rows("alter table temp_parted partition (ds = 'y') rename to partition (ds = 'w')");
        rows("alter table temp_parted drop partition (ds = 'x')");
        assertThat(rows("select * from temp_parted order by v")).containsExactly("2 | w", "3 | w");
        rows("create temporary table temp_plain as select 7 k");
        rows("analyze table temp_plain compute statistics for columns");
        assertThat(rows("describe formatted temp_plain k")).anyMatch(row -> row.matches("(?s)max.*7.*"));
    }

    @Test
    void skewIsKeptAndShown() {
        rows("create table skewed (k string, v string) skewed by (k, v) on ((2, 'a'), (8, 'b'))");
        assertThat(rows("show create table skewed")).contains("SKEWED BY (`k`,`v`)", "  ON (('2','a'),('8','b'))");
        rows("alter table skewed add columns (w int)");
        rows("alter table skewed skewed by (v) on ('x')");
        assertThat(rows("show create table skewed")).contains("SKEWED BY (`v`)", "  ON (('x'))");
        rows("alter table skewed not skewed");
        assertThat(rows("show create table skewed")).noneMatch(row -> row.contains("SKEWED"));
        rows("alter table skewed skewed by (k, v) on (('A', 1)) stored as directories");
        assertThat(rows("show create table skewed"))
                .contains("SKEWED BY (`k`,`v`)", "  ON (('a','1'))", "  STORED AS DIRECTORIES");
        rows("alter table skewed not stored as directories");
        assertThat(rows("show create table skewed")).doesNotContain("  STORED AS DIRECTORIES");
    }

    @Test
    void theDefaultPartitionIsATextWhereTheColumnIs() {
        rows("create table by_default (v int) partitioned by (s string, i int)");
        rows("insert into by_default partition (s, i) values (1, 'a', 1), (2, null, null), (3, '', 3)");
        assertThat(rows("select * from by_default order by v"))
                .containsExactly(
                        "1 | a | 1", "2 | __HIVE_DEFAULT_PARTITION__ | NULL", "3 | __HIVE_DEFAULT_PARTITION__ | 3");
        assertThat(rows("select v from by_default where s = '__HIVE_DEFAULT_PARTITION__' order by v"))
                .containsExactly("2", "3");
        assertThat(rows("select v from by_default where s is null")).isEmpty();
        assertThat(rows("select v from by_default where i is null")).containsExactly("2");
        rows("alter table by_default drop partition (i = '__HIVE_DEFAULT_PARTITION__')");
        assertThat(rows("select v from by_default order by v")).containsExactly("1", "3");
    }

    @Test
    void patternsOfShow() {
        rows("create table pattern_a1 (k int)");
        rows("create table pattern_a22 (k int)");
        assertThat(rows("show tables like 'PATTERN_a_'")).containsExactly("pattern_a1");
        assertThat(rows("show tables 'pattern%'")).containsExactly("pattern_a1", "pattern_a22");
        assertThat(rows("show functions like concat")).containsExactly("concat");
        assertThat(rows("show databases like 'd_fault'")).containsExactly("default");
    }

    @Test
    void partitionsNamedByLocationOrLeftOut() {
        rows("create table located (v int, w int) partitioned by (ds string, hr int)");
        rows("alter table located add partition (ds = 'a:b', hr = 1) location 'some/where'");
        assertThat(rows("show partitions located")).containsExactly("ds=a%3Ab/hr=1");
        rows("set hive.decode.partition.name=true");
        assertThat(rows("show partitions located")).containsExactly("ds=a:b/hr=1");
        rows("reset hive.decode.partition.name");
        rows("insert into located partition (ds = 'a:b', hr = 1) values (1, 2)");
        assertThat(rows("show table extended like located partition (ds = 'a:b', hr = 1)"))
                .anyMatch(line -> line.endsWith("/located/some/where"));
        rows("insert into located partition (ds, hr) (hr, w) values (5, 6)");
        assertThat(rows("select * from located where hr = 5"))
                .containsExactly("NULL | 6 | __HIVE_DEFAULT_PARTITION__ | 5");
    }

    @Test
    void rcFilesHaveTheSerdeOfTheSettings() {
        rows("set hive.default.rcfile.serde=org.apache.hadoop.hive.serde2.columnar.ColumnarSerDe");
        rows("create table rc (k int) stored as rcfile");
        rows("reset hive.default.rcfile.serde");
        rows("insert into rc values (1), (2)");
        assertThat(rows("select sum(k) from rc")).containsExactly("3");
        assertThat(rows("show create table rc")).anyMatch(line -> line.contains("columnar.ColumnarSerDe"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from part having price > 1",
                "select explode(array(1, 2)) as x from part group by name",
                "select sum(price) over (w) from part window w as (partition by name), w as (partition by mfgr)",
                "create table refused (a int) partitioned by (m map<string,int>)",
                "create table `with.dot` (a int)"
            })
    void refusesWhatHiveRefuses(String sql) {
        assertThatThrownBy(() -> rows(sql))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        error -> assertThat(error.code()).isEqualTo(StandardErrorCode.SEMANTIC_ERROR));
    }

    @Test
    void tablesSortedByTheirBuckets() {
        rows("create table by_buckets (a int, b int) clustered by (a, b) sorted by (b desc, a) into 2 buckets");
        rows("create table by_others (a int, b int) clustered by (a) sorted by (b, a) into 2 buckets");
        assertThat(rows("show tblproperties by_buckets")).contains("SORTBUCKETCOLSPREFIX | TRUE");
        assertThat(rows("show tblproperties by_others")).noneMatch(row -> row.contains("SORTBUCKET"));
    }
}
