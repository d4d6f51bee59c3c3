package io.skep.ql.alter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests statistics as DESCRIBE shows them after ANALYZE, and user functions. */
final class TestAnalyze {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private List<String> rows(String sql) {
        return engine.printed(session, sql);
    }

    @Test
    void countsColumns() {
        engine.run(
                session,
                "create table t (k int, s string, b boolean, d decimal(10,2), x double, dt date) stored as orc");
        engine.run(
                session,
                "insert into t values (3, 'abc', true, 1.50, 2.5, date '2020-01-02'), (7, null, false,"
                        + " 12.25, -1.0, null), (null, 'a', null, null, null, date '1969-12-31')");
        engine.run(session, "analyze table t compute statistics for columns");
        assertThat(rows("describe formatted t k"))
                .contains("min|3", "max|7", "num_nulls|1", "distinct_count|2", "data_type|int");
        assertThat(rows("describe formatted t s"))
                .contains("num_nulls|1", "distinct_count|2", "max_col_len|3", "avg_col_len|1.3333333333333333");
        assertThat(rows("describe formatted t b")).contains("num_nulls|1", "num_trues|1", "num_falses|1");
        assertThat(rows("describe formatted t d")).contains("min|1.5", "max|12.25");
        assertThat(rows("describe formatted t x")).contains("min|-1.0", "max|2.5");
        assertThat(rows("describe formatted t dt")).contains("min|1969-12-31", "max|2020-01-02");
        assertThat(rows("describe formatted t")).contains("|numRows|3");
    }

    @Test
    void countsPartitions() {
        engine.run(session, "create table p (k int) partitioned by (ds string) stored as orc");
        engine.run(session, "insert into p partition (ds) values (1, 'a'), (2, 'a'), (5, 'b')");
        engine.run(session, "alter table p add partition (ds = 'c')");
        engine.run(session, "analyze table p partition (ds) compute statistics for columns k");
        assertThat(rows("describe formatted p partition (ds = 'a') k")).contains("min|1", "max|2", "distinct_count|2");
        assertThat(rows("describe formatted p partition (ds = 'c') k")).contains("num_nulls|0", "distinct_count|0");
        assertThat(rows("describe formatted p partition (ds = 'b')")).contains("|numRows|1");
        assertThat(rows("describe formatted p k")).contains("max|5");
        assertThatThrownBy(() -> engine.run(session, "analyze table p compute statistics for columns nosuch"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("nosuch");
    }

    @Test
    void sessionsHaveFunctionsAndMacros() {
        engine.run(session, "create temporary function up as 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFUpper'");
        assertThat(rows("select up('a')")).containsExactly("A");
        engine.run(session, "drop temporary function up");
        assertThatThrownBy(() -> engine.run(session, "select up('a')")).isInstanceOf(SkepException.class);
        engine.run(session, "create temporary macro sq(x int) x * x");
        assertThat(rows("select sq(7)")).containsExactly("49");
        assertThatThrownBy(() -> engine.run(session, "create temporary macro bad(x int) x * y"))
                .isInstanceOf(SkepException.class);
        engine.run(session, "create function low as 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFLower'");
        assertThat(rows("select low('A'), default.low('B')")).containsExactly("a|b");
        engine.run(session, "drop function low");
        engine.run(session, "create function lower as 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFLower'");
        engine.run(session, "drop function lower");
        assertThatThrownBy(() -> engine.run(session, "drop function lower"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("Cannot drop native function lower");
        assertThatThrownBy(() -> engine.run(session, "create function f as 'no.such.Class'"))
                .isInstanceOf(SkepException.class);
    }

    @Test
    void repairsPartitions() {
        engine.run(session, "create table p (k int) partitioned by (ds string) stored as orc");
        engine.run(session, "insert into p partition (ds) values (1, 'a'), (5, 'b')");
        engine.run(
                session,
                "create external table q (k int) partitioned by (ds string) stored as orc location '"
                        + engine.location("p") + "'");
        assertThat(rows("show partitions q")).isEmpty();
        engine.run(session, "msck repair table q");
        assertThat(rows("select ds, k from q order by ds")).containsExactly("a|1", "b|5");
        engine.run(session, "alter table p drop partition (ds = 'a')");
        engine.run(session, "msck repair table q sync partitions");
        assertThat(rows("show partitions q")).containsExactly("ds=b");
    }
}
