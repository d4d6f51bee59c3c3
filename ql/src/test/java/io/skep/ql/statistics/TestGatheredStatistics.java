package io.skep.ql.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests statistics that writes gather. The expected values are those of Hive 4.0.1 for the same statements, except for
 * bounds that Hive keeps from rows that an INSERT OVERWRITE has replaced.
 */
final class TestGatheredStatistics {
    private static final String BOTH = "COLUMN_STATS_ACCURATE|"
            + "{\\\"BASIC_STATS\\\":\\\"true\\\",\\\"COLUMN_STATS\\\":{\\\"i\\\":\\\"true\\\","
            + "\\\"s\\\":\\\"true\\\"}}";
    private static final String BASIC = "COLUMN_STATS_ACCURATE|{\\\"BASIC_STATS\\\":\\\"true\\\"}";

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void showSketches() {
        run("set hive.stats.fetch.bitvector=true");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private void run(String sql) {
        engine.run(session, sql);
    }

    private List<String> rows(String sql) {
        return engine.printed(session, sql);
    }

    @Test
    void insertsAddToWhatIsKnown() {
        run("create table t (i int, s string) stored as orc");
        run("insert into t values (1, 'abc'), (null, null)");
        run("insert into t select * from (select 1 i, 'abc' s union all select 7, 'größer') x");
        assertThat(rows("describe formatted t i"))
                .contains("min|1", "max|7", "num_nulls|1", "distinct_count|2", "bit_vector|HL", BOTH);
        assertThat(rows("describe formatted t s"))
                .contains("num_nulls|1", "distinct_count|2", "avg_col_len|4.5", "max_col_len|6", "bit_vector|HL");
        run("set hive.stats.fetch.bitvector=false");
        assertThat(rows("describe formatted t s")).contains("bit_vector|");
    }

    @Test
    void overwritesReplaceWhatWasKnown() {
        run("create table t (i int, s string)");
        run("insert into t values (1, 'abc'), (5, 'b')");
        run("insert overwrite table t values (3, 'd')");
        assertThat(rows("describe formatted t i")).contains("min|3", "max|3", "distinct_count|1", BOTH);
        run("insert overwrite table t select cast(null as int), cast(null as string)");
        assertThat(rows("describe formatted t i"))
                .contains("min|0", "max|0", "num_nulls|1", "distinct_count|1", "bit_vector|HL", BOTH);
        run("insert overwrite table t select * from t where i > 100");
        assertThat(rows("describe formatted t i"))
                .contains("min|0", "max|0", "num_nulls|0", "distinct_count|0", "bit_vector|", BOTH);
        assertThat(rows("describe formatted t s")).contains("avg_col_len|0.0", "max_col_len|0", "distinct_count|0");
    }

    @Test
    void allTypesHaveTheirFigures() {
        run("create table t (b boolean, d double, f float, v varchar(10), c char(5), dt date, ts timestamp,"
                + " m decimal(10,2), w decimal(30,2), x binary) stored as orc");
        run("insert into t select true, -1.5, 2.1, 'vv', 'é', date '1969-01-01', timestamp '1960-01-01 10:00:00.5',"
                + " -12.34, 1234567890123456789012.5, cast('xy' as binary)");
        run("insert into t select false, cast('NaN' as double), 2.1, 'vv ', 'é', date '1969-01-01',"
                + " timestamp '2040-01-01 10:00:00.999', 0.1, 0, cast('' as binary)");
        assertThat(rows("describe formatted t b")).contains("num_trues|1", "num_falses|1", "distinct_count|");
        assertThat(rows("describe formatted t d")).contains("min|-1.5", "max|-1.5", "bit_vector|HL");
        assertThat(rows("describe formatted t f")).contains("min|2.0999999046325684", "distinct_count|1");
        assertThat(rows("describe formatted t v")).contains("max_col_len|3", "distinct_count|2");
        assertThat(rows("describe formatted t c")).contains("max_col_len|1", "distinct_count|1");
        assertThat(rows("describe formatted t dt")).contains("min|1969-01-01", "distinct_count|1");
        assertThat(rows("describe formatted t ts"))
                .contains("min|1960-01-01 10:00:00", "max|2040-01-01 10:00:00", "distinct_count|2");
        assertThat(rows("describe formatted t m")).contains("min|-12.34", "max|0.1", "distinct_count|2");
        assertThat(rows("describe formatted t w")).contains("min|0", "max|1234567890123456789012.5");
        assertThat(rows("describe formatted t x")).contains("avg_col_len|2.0", "max_col_len|2", "bit_vector|");
    }

    @Test
    void analyzeFindsTheSame() {
        run("create table t stored as orc as select cast(pos * 7919 as int) i, concat('v', pos % 700) s"
                + " from (select posexplode(split(space(2999), ' ')) as (pos, v)) x");
        List<String> gathered = rows("describe formatted t i");
        List<String> text = rows("describe formatted t s");
        assertThat(gathered).contains("min|0", "max|" + 2999 * 7919, BOTH);
        run("analyze table t compute statistics for columns");
        assertThat(rows("describe formatted t i")).isEqualTo(gathered);
        assertThat(rows("describe formatted t s")).isEqualTo(text);
    }

    @Test
    void partitionsHaveTheirOwn() {
        run("create table p (i int, s string) partitioned by (k string, n int) stored as orc");
        run("insert into p partition (k = 'x', n = 1) values (1, 'a'), (2, 'b')");
        run("insert into p partition (k, n) values (5, 'a', 'x', 1), (2, 'b', 'y', 2), (2, 'b', null, 3)");
        assertThat(rows("describe formatted p partition (k = 'x', n = 1) i"))
                .contains("min|1", "max|5", "distinct_count|3", "bit_vector|HL");
        assertThat(rows("describe formatted p partition (k = 'y', n = 2) i")).contains("min|2", "distinct_count|1");
        assertThat(rows("describe formatted p partition (k = '__HIVE_DEFAULT_PARTITION__', n = 3) i"))
                .contains("max|2");
        assertThat(rows("describe formatted p partition (k = 'x', n = 1)").toString())
                .contains("{\\\"BASIC_STATS\\\":\\\"true\\\","
                        + "\\\"COLUMN_STATS\\\":{\\\"i\\\":\\\"true\\\",\\\"s\\\":\\\"true\\\"}}");
        assertThat(rows("describe formatted p i"))
                .contains(
                        "min|1",
                        "max|5",
                        "distinct_count|3",
                        "COLUMN_STATS_ACCURATE|{\\\"COLUMN_STATS\\\":{\\\"i\\\":\\\"true\\\"}}");
        assertThat(rows("describe formatted p k"))
                .contains("min|", "num_nulls|0", "distinct_count|3", "avg_col_len|100.0", "max_col_len|100");
        assertThat(rows("describe formatted p n"))
                .contains("min|1", "max|3", "distinct_count|3", "avg_col_len|", "bit_vector|");
        run("alter table p add partition (k = 'r', n = 9)");
        assertThat(rows("describe formatted p i")).contains("max|5", "COLUMN_STATS_ACCURATE|{}");
        run("insert overwrite table p partition (k = 'x', n = 1) values (9, 'z')");
        assertThat(rows("describe formatted p partition (k = 'x', n = 1) i")).contains("min|9", "max|9");
    }

    @Test
    void allTargetsOfOneStatementHaveThem() {
        run("create table t as select 1 i, 'a' s union all select 12, 'bc'");
        run("create table m1 (i int)");
        run("create table m2 (s string)");
        run("from t insert into m1 select i insert overwrite table m2 select s where i > 100");
        assertThat(rows("describe formatted m1 i")).contains("min|1", "max|12", "distinct_count|2");
        assertThat(rows("describe formatted m2 s")).contains("distinct_count|0");
    }

    @Test
    void whatIsNotExactStaysSo() {
        run("create table t (i int, s string)");
        run("set hive.stats.column.autogather=false");
        run("insert into t values (1, 'abc')");
        assertThat(rows("describe formatted t i")).contains("min|", BASIC);
        run("set hive.stats.column.autogather=true");
        run("insert into t values (2, 'abc')");
        assertThat(rows("describe formatted t i")).contains("min|", "distinct_count|", BASIC);
        run("insert overwrite table t values (3, 'abc')");
        assertThat(rows("describe formatted t i")).contains("min|3", BOTH);
        run("set hive.stats.autogather=false");
        run("insert into t values (4, 'abc')");
        assertThat(rows("describe formatted t i"))
                .contains("min|3", "max|3")
                .noneMatch(line -> line.startsWith("COLUMN_STATS"));
    }

    @Test
    void tablesWithNestedColumnsHaveNone() {
        run("create table t as select 1 i, array(1) s");
        assertThat(rows("describe formatted t i")).contains("min|", "distinct_count|", BASIC);
    }

    @Test
    void temporaryTablesHaveThem() {
        run("create temporary table t (i int, s string)");
        run("insert into t values (1, 'abc'), (2, null)");
        run("insert into t values (9, 'abc')");
        assertThat(rows("describe formatted t i")).contains("min|1", "max|9", "distinct_count|3");
    }

    @Test
    void theOptimizerUsesThem() {
        run("create table t stored as orc as select pos i, concat('v', pos % 10) s"
                + " from (select posexplode(split(space(4999), ' ')) as (pos, v)) x");
        assertThat(rows("explain select * from t where s = 'v1'").getFirst()).isEqualTo("Plan, about 500 rows to read");
        assertThat(rows("explain select * from t where i < 1250").getFirst()).contains("about 1,25");
        run("insert into t select i + 5000, s from t");
        assertThat(rows("explain select * from t where i < 1250").getFirst()).contains("about 1,25");
        assertThat(rows("explain select * from t where s = 'v1'").getFirst()).contains("about 1,000 rows");
    }

    @Test
    void statisticsByHandKeepTheBounds() {
        run("create table t (i int, s string)");
        run("insert into t values (1, 'abc'), (9, 'abc')");
        run("alter table t update statistics for column i set ('numDVs' = '77', 'numNulls' = '3')");
        assertThat(rows("describe formatted t i")).contains("min|1", "max|9", "distinct_count|77", "num_nulls|3");
    }
}
