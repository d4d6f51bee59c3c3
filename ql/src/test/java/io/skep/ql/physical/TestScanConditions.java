package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks that conditions are pushed down to scans through any projections. They prune partitions and row groups. */
class TestScanConditions {
    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private String plan(String query) {
        return engine.plan(session, query);
    }

    @Test
    void prunesForAggregationsJoinsAndSubqueries() {
        engine.run(
                session,
                "create table sales (item bigint, name string, amount bigint, cost bigint)"
                        + " partitioned by (day int) stored as orc");
        String conditions = " from sales where day >= 3 and day < 5 and item = 7";
        assertPushed(plan("select item, day, sum(amount)" + conditions + " group by item, day"));
        assertPushed(plan("select item, amount + 1" + conditions));
        assertPushed(plan("select a from (select item, day, amount + cost as a from sales) s"
                + " where day >= 3 and day < 5 and item = 7"));
        assertPushed(plan("select s.amount, o.name from (select *" + conditions + ") s join sales o"
                + " on s.item = o.item and o.day = s.day"));
    }

    private static void assertPushed(String plan) {
        assertThat(plan).contains("partitions where").contains("skips row groups by 1 conditions");
    }
}
