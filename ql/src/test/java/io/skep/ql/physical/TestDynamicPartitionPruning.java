package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.testing.TestingEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests which scans may prune partitions by which values. */
final class TestDynamicPartitionPruning {
    private static final String FILTER = "; splits by ";

    private static TestingEngine sending;
    private static SqlSession sent;
    private static TestingEngine partitioning;
    private static SqlSession partitioned;

    /** Creates two engines. One sends the small sides of joins to all tasks, the other partitions them. */
    @BeforeAll
    static void start() {
        sending = new TestingEngine(new PlanningLimits(0, 1 << 30));
        sent = sending.session();
        create(sending, sent);
        partitioning = new TestingEngine(new PlanningLimits(0, 0));
        partitioned = partitioning.session();
        create(partitioning, partitioned);
    }

    private static void create(TestingEngine engine, SqlSession session) {
        engine.run(session, "set hive.exec.dynamic.partition.mode=nonstrict");
        engine.run(
                session,
                "create table sales (item int, amount int) partitioned by (day int, town string, ratio double)"
                        + " stored as orc");
        engine.run(
                session,
                "insert into sales partition (day, town, ratio) select pos, pos % 7, pos % 5, pos % 3, 0.5 from"
                        + " (select posexplode(split(space(999), ' ')) as (pos, x)) e");
        engine.run(session, "create table days (day int, month int, town varchar(20), ratio double) stored as orc");
        engine.run(session, "insert into days values (1, 1, 'x', 0.5), (2, 1, 'y', 0.5), (3, 2, 'z', 0.5)");
        engine.run(session, "create table towns (town string) partitioned by (country string) stored as orc");
        engine.run(session, "insert into towns partition (country) values ('x', 'a'), ('y', 'b')");
    }

    @AfterAll
    static void stop() {
        sent.close();
        sending.close();
        partitioned.close();
        partitioning.close();
    }

    private static void assertFiltered(boolean whenSent, boolean whenPartitioned, String query) {
        String plan = sending.plan(sent, query);
        assertThat(plan.contains(FILTER)).as(plan).isEqualTo(whenSent);
        String other = partitioning.plan(partitioned, query);
        assertThat(other.contains(FILTER)).as(other).isEqualTo(whenPartitioned);
    }

    @Test
    void joinsOnPartitionColumnsThatDropRows() {
        String join = " from sales s %s days d on s.day = d.day %s";
        assertFiltered(true, true, "select s.item, d.month" + join.formatted("join", "where d.month = 1"));
        assertFiltered(true, true, "select s.item" + join.formatted("left semi join", "and d.month = 1"));
        assertFiltered(false, false, "select s.item, d.month" + join.formatted("left join", "and d.month = 1"));
        assertFiltered(
                false, false, "select s.item from sales s where not exists (select 1 from days d where d.day = s.day)");
        assertFiltered(
                true,
                true,
                "select s.item, d.month from sales s right join (select * from days where month = 1) d"
                        + " on s.day = d.day");
        assertFiltered(
                false, false, "select s.item, d.month from sales s join days d on s.day <=> d.day where month = 1");
        assertFiltered(
                false, false, "select s.item, d.month from sales s join days d on s.item = d.day where month = 1");
    }

    @Test
    void itIsWaitedForWhatHasACondition() {
        assertFiltered(true, false, "select s.item, d.month from sales s join days d on s.day = d.day");
        assertFiltered(true, true, "select s.item from sales s join towns t on s.town = t.town where t.country = 'a'");
        assertFiltered(
                true,
                false,
                "select s.item from sales s join (select d.day from days d lateral view explode(array(1, 2)) e as n"
                        + " where d.month = 1) d on s.day = d.day");
    }

    @Test
    void valuesOfOneForm() {
        assertFiltered(true, true, "select s.item from sales s join days d on s.town = d.town where d.month = 1");
        assertFiltered(false, false, "select s.item from sales s join days d on s.ratio = d.ratio where d.month = 1");
        assertFiltered(false, false, "select s.item from sales s join days d on s.day + 1 = d.day where d.month = 1");
    }

    @Test
    void throughWhatLiesBetween() {
        assertFiltered(
                true,
                true,
                "select s.day, s.total, d.month from (select day, town, sum(amount) total from sales"
                        + " group by day, town) s join (select day, max(month) as month from days where month < 9"
                        + " group by day) d on s.day = d.day");
        assertFiltered(
                true,
                true,
                "select a.item, d.month from (select item, day from sales union all select amount, day from sales"
                        + " where item > 3) a join days d on a.day = d.day where d.month = 1");
        assertFiltered(
                false,
                false,
                "select s.item, d.month from (select item, day from sales order by item limit 10) s"
                        + " join days d on s.day = d.day where d.month = 1");
    }

    /** Tasks whose rows are lost run again, and may then return other rows. */
    @Test
    void notByValuesThatMayChange() {
        assertFiltered(
                false,
                false,
                "select s.item from sales s join (select day from days where month = 1 limit 1) d on s.day = d.day");
        assertFiltered(
                false, false, "select s.item from sales s join days d on s.day = d.day where d.month > rand() * 3");
    }

    /** A subplan that has other consumers must return all rows. */
    @Test
    void notWhereOthersReadTheRows() {
        String query = "with t as (select day, sum(amount) total from sales group by day)"
                + " select t.day, t.total, u.total from t join (select day from days where month = 1) d"
                + " on t.day = d.day, (select max(total) total from t) u";
        assertThat(partitioning.rows(partitioned, query)).hasSize(2);
        assertFiltered(false, false, query);
    }

    @Test
    void itIsASettingOfItsOwn() {
        String query = "select s.item, d.month from sales s join days d on s.day = d.day where d.month = 1";
        sending.run(sent, "set hive.tez.dynamic.partition.pruning=false");
        try {
            assertThat(sending.plan(sent, query)).doesNotContain(FILTER).doesNotContain("runtime filter");
        } finally {
            sending.run(sent, "set hive.tez.dynamic.partition.pruning=true");
        }
        sending.run(sent, "set hive.tez.dynamic.semijoin.reduction=false");
        try {
            assertThat(sending.plan(sent, query)).contains(FILTER).contains("runtime filter 0 on day");
            assertThat(sending.plan(sent, "select s.item from sales s join days d on s.item = d.day where d.month = 1"))
                    .doesNotContain("runtime filter");
        } finally {
            sending.run(sent, "set hive.tez.dynamic.semijoin.reduction=true");
        }
    }
}
