package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests aggregations and existence checks over large inputs of which a join needs only a small part. */
class TestSemiJoinReduction {
    private static final String AGGREGATED = "(select item, avg(amount) as usual from sales group by item)";

    private final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    private final SqlSession session = engine.session();

    @BeforeEach
    void create() {
        engine.run(session, "create table sales (item int, amount int) stored as orc");
        engine.run(session, "create table items (id int, kind string) stored as orc");
        engine.run(
                session,
                "insert into sales select b.n * 10 + c.n, a.n * 100 + d.n from"
                        + " (select posexplode(split(space(49), ' ')) as (n, x)) a,"
                        + " (select posexplode(split(space(49), ' ')) as (n, x)) b,"
                        + " (select posexplode(split(space(9), ' ')) as (n, x)) c,"
                        + " (select posexplode(split(space(9), ' ')) as (n, x)) d");
        engine.run(session, "insert into items select distinct item, concat('kind ', item) from sales");
        engine.run(session, "analyze table sales compute statistics for columns");
        engine.run(session, "analyze table items compute statistics for columns");
    }

    @AfterEach
    void close() {
        session.close();
        engine.close();
    }

    private String plan(String query) {
        return engine.plan(session, query);
    }

    /** Checks that the plan uses the small table twice, and that the rows are those of the plan that does not. */
    private void reduced(String query) {
        engine.run(session, "set hive.tez.dynamic.semijoin.reduction=true");
        var rows = engine.run(session, query);
        engine.run(session, "set hive.optimize.shared.work=false");
        assertThat(plan(query).split("Scan [a-z.]*items", -1)).hasSize(3);
        engine.run(session, "set hive.optimize.shared.work=true");
        engine.run(session, "set hive.tez.dynamic.semijoin.reduction=false");
        assertThat(plan(query).split("Scan [a-z.]*items", -1)).hasSize(2);
        assertThat(rows).isNotEmpty().containsExactlyInAnyOrderElementsOf(engine.run(session, query));
    }

    private void notReduced(String query) {
        assertThat(plan(query).split("Scan [a-z.]*items", -1)).hasSize(2);
    }

    @Test
    void belowAggregates() {
        reduced("select i.kind, s.usual from items i join " + AGGREGATED
                + " s on s.item = i.id where i.kind = 'kind 7'");
        reduced("select i.kind, s.usual from items i left join " + AGGREGATED
                + " s on s.item = i.id where i.kind like 'kind 7'");
        reduced("select sum(s.amount) from sales s join items i on s.item = i.id where i.kind = 'kind 7'"
                + " and s.amount < (select 0.2 * avg(amount) from sales t where t.item = i.id)");
    }

    @Test
    void rightSidesOfSemiJoins() {
        reduced("select i.kind from items i where i.kind = 'kind 7'"
                + " and exists (select 1 from sales s where s.item = i.id and s.amount > 3)");
    }

    @Test
    void notWhereMostKeysAreNeeded() {
        notReduced("select i.kind, s.usual from items i join " + AGGREGATED + " s on s.item = i.id");
        notReduced("select i.kind, s.usual from items i right join " + AGGREGATED
                + " s on s.item = i.id and i.kind = 'kind 7'");
    }

    @Test
    void notByWhatMayDifferWhenAskedAgain() {
        notReduced("select i.kind, s.usual from (select * from items where kind = 'kind 7' and rand() < 2) i join "
                + AGGREGATED + " s on s.item = i.id");
        notReduced("select i.kind, s.usual from (select * from items order by kind limit 1) i join " + AGGREGATED
                + " s on s.item = i.id");
    }
}
