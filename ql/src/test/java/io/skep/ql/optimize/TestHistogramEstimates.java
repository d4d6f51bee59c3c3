package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.skep.common.vector.Datum;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the expected row counts of ranges with the actual ones, for unevenly distributed values. */
class TestHistogramEstimates {
    private static final int ROWS = 10_000;
    private static final Pattern EXPECTED = Pattern.compile("about ([0-9,]+) rows");

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void create() {
        engine.run(session, "set hive.stats.kll.enable=true");
        engine.run(
                session,
                "create table t (k int, d date, m decimal(10,2), w decimal(30,3), f double, s string, ts timestamp)"
                        + " stored as orc");
    }

    /** Inserts rows. Nine of ten are below a hundredth of the range, two of ten are 7, and one of ten is NULL. */
    private void insert() {
        engine.run(
                session,
                "insert into t select k, date_add('2020-01-01', k), k + 0.25, k, k, cast(k as string),"
                        + " cast(date_add('2020-01-01', k) as timestamp) from"
                        + " (select case when n % 10 = 0 then null when n % 10 < 3 then 7 when n % 10 < 4 then n"
                        + " else n % 100 end as k from (select a.n * 100 + b.n as n from"
                        + " (select posexplode(split(space(99), ' ')) as (n, x)) a,"
                        + " (select posexplode(split(space(99), ' ')) as (n, x)) b) x) y");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private double expected(String condition) {
        Matcher found = EXPECTED.matcher(engine.plan(session, "select s from t where " + condition));
        assertThat(found.find()).isTrue();
        return Double.parseDouble(found.group(1).replace(",", ""));
    }

    private double actual(String condition) {
        List<Datum> row =
                engine.run(session, "select count(*) from t where " + condition).getFirst();
        return (double) ((Datum.OfLong) row.getFirst()).value();
    }

    private void isExpected(String condition) {
        assertThat(expected(condition)).as(condition).isCloseTo(actual(condition), within(0.04 * ROWS));
    }

    private void areExpected() {
        isExpected("k < 50");
        isExpected("k >= 50");
        isExpected("5000 < k");
        isExpected("k between 5 and 60");
        isExpected("k > 20 and k <= 90 and k < 95");
        isExpected("k = 7");
        isExpected("k <> 7 and k is not null");
        isExpected("d < date '2020-02-01'");
        isExpected("m <= 80");
        isExpected("w > 40");
        isExpected("f < 30.5");
        isExpected("ts < timestamp '2020-02-01 00:00:00'");
    }

    @Test
    void gatheredByWrites() {
        insert();
        areExpected();
    }

    @Test
    void addedToByFurtherWrites() {
        engine.run(session, "insert into t select null, null, null, null, null, null, null");
        insert();
        engine.run(session, "insert into t (k) values (100000)");
        areExpected();
    }

    @Test
    void gatheredByAnalyze() {
        engine.run(session, "set hive.stats.column.autogather=false");
        insert();
        engine.run(session, "analyze table t compute statistics for columns");
        areExpected();
    }

    @Test
    void ofAllPartitions() {
        engine.run(session, "create table p (k int) partitioned by (day int) stored as orc");
        engine.run(session, "set hive.exec.dynamic.partition.mode=nonstrict");
        insert();
        engine.run(session, "insert into p partition (day) select k, cast(coalesce(k, 0) / 100 as int) from t");
        String plan = engine.plan(session, "select k from p where k < 50");
        Matcher found = EXPECTED.matcher(plan);
        assertThat(found.find()).isTrue();
        assertThat(Double.parseDouble(found.group(1).replace(",", "")))
                .isCloseTo(actual("k < 50"), within(0.04 * ROWS));
    }

    @Test
    void canBeSwitchedOff() {
        engine.run(session, "set hive.stats.kll.enable=false");
        insert();
        // The estimate assumes that values are spread evenly between 0 and 9,993.
        assertThat(expected("k < 50")).isLessThan(0.05 * ROWS);
        assertThat(actual("k < 50")).isGreaterThan(0.4 * ROWS);
    }
}
