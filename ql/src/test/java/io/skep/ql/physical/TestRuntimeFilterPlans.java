package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which joins provide runtime filters for which scans. */
class TestRuntimeFilterPlans {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void create() {
        engine.run(session, "create table f (k int, d bigint, n decimal(10,2), s string, x array<int>) stored as orc");
        engine.run(
                session, "create table g (k int, d bigint, n decimal(12,3), s varchar(9), x array<int>) stored as orc");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private String plan(String query) {
        return engine.plan(session, query);
    }

    private void given(String query) {
        assertThat(plan(query))
                .containsPattern("gives runtime filter 0 of [a-z]")
                .containsPattern("Scan .*; runtime filter 0 on [a-z]");
    }

    private void notGiven(String query) {
        assertThat(plan(query)).doesNotContain("runtime filter");
    }

    @Test
    void joinsThatDropRowsWithoutAMatch() {
        given("select f.d, g.d from f join g on f.k = g.k");
        given("select f.d from f left semi join g on f.k = g.k");
        given("select f.d from f where f.k in (select k from g)");
        notGiven("select f.d, g.d from f full join g on f.k = g.k");
        notGiven("select f.d from f where not exists (select 1 from g where f.k = g.k)");
        notGiven("select f.d, g.d from f join g on f.k <=> g.k");
        notGiven("select f.d, g.d from f join g on f.k > g.k");
    }

    @Test
    void keysThatComeUnchangedFromAScan() {
        given("select * from (select k, d + 1 from f where d > 3) f join g on f.k = g.k");
        given("select * from (select k, sum(d) from f group by k) f join g on f.k = g.k and f.k < 10");
        notGiven("select f.d, g.d from f join g on f.k + 1 = g.k + 1");
        notGiven("select * from (select k, d from f order by d limit 3) f join (select k from g order by d limit 3) g"
                + " on f.k = g.k");
    }

    @Test
    void keysOfOneForm() {
        given("select f.d, g.d from f join g on f.s = g.s");
        given("select f.d, g.d from f join g on f.d = g.k and f.k = g.d");
    }

    @Test
    void canBeSwitchedOff() {
        engine.run(session, "set hive.tez.dynamic.semijoin.reduction=false");
        notGiven("select f.d, g.d from f join g on f.k = g.k");
    }
}
