package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests which aggregations have their first step pushed below joins, which do not, and that the rows stay the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EagerAggregationCases {
    private static final String NUMBERS = "(select posexplode(split(space(19), ' ')) as (n, x))";
    /** Appears in a plan only if the first step of an aggregation is pushed down. */
    private static final String STEP = "Aggregate (intermediate)";

    private final TestingEngine engine;
    private final SqlSession session;

    EagerAggregationCases(PlanningLimits limits) {
        engine = new TestingEngine(limits);
        session = engine.session();
        // If no server sets a value, Hive's own default applies.
        engine.run(session, "set hive.transpose.aggr.join=true");
        create();
    }

    private void create() {
        engine.run(
                session,
                "create table sales (item int, day int, amount int, price decimal(7,2), big decimal(38,2),"
                        + " ratio double, note string) stored as orc");
        engine.run(session, "create table items (id int, brand string, size int) stored as orc");
        engine.run(session, "create table days (day int, year int) stored as orc");
        engine.run(session, "create table wanted (id int) stored as orc");
        engine.run(
                session,
                "insert into sales select if(c.n = 3, null, a.n), if(b.n > 15, null, b.n * 2), a.n * 100 + d.n - 500,"
                        + " if(d.n = 7, null, cast(a.n * 1.25 as decimal(7,2))), cast(b.n as decimal(38,2)), d.n / 4,"
                        + " concat('n', c.n, '-', d.n % 3) from " + NUMBERS + " a, " + NUMBERS + " b, " + NUMBERS
                        + " c, (select posexplode(split(space(9), ' ')) as (n, x)) d");
        // Some items occur twice, one is NULL, and some have no sales. Some sales have no item.
        engine.run(
                session,
                "insert into items select if(a.n = 0, null, a.n + 5), if(a.n = 4, null, concat('b', a.n % 5)), a.n % 3"
                        + " from " + NUMBERS + " a union all select a.n + 10, 'twice', 1 from " + NUMBERS
                        + " a where a.n < 4");
        engine.run(session, "insert into days select a.n, 2000 + int(a.n / 6) from " + NUMBERS + " a where a.n <> 4");
        engine.run(session, "insert into wanted select a.n from " + NUMBERS + " a where a.n % 2 = 0");
        for (String table : List.of("sales", "items", "days", "wanted")) {
            engine.run(session, "analyze table " + table + " compute statistics for columns");
        }
    }

    @AfterAll
    void close() {
        session.close();
        engine.close();
    }

    private String plan(String query) {
        return engine.plan(session, query);
    }

    /** Checks that the first step is below a join, and that the rows are those of the plan that keeps it above. */
    private void below(String query) {
        assertThat(plan(query)).contains(STEP);
        var rows = engine.rows(session, query);
        above(() -> {
            assertThat(plan(query)).doesNotContain(STEP);
            assertThat(rows).isNotEmpty().containsExactlyInAnyOrderElementsOf(engine.rows(session, query));
        });
    }

    private void above(Runnable asking) {
        engine.run(session, "set hive.transpose.aggr.join=false");
        try {
            asking.run();
        } finally {
            engine.run(session, "set hive.transpose.aggr.join=true");
        }
    }

    private void notBelow(String query) {
        assertThat(plan(query)).doesNotContain(STEP);
    }

    @Test
    void ontoTheSideOfTheArguments() {
        below("select brand, sum(amount), count(*), min(price), max(note) from sales s join items i on s.item = i.id"
                + " group by brand");
        below("select brand, sum(amount * 2 + item), avg(price), avg(amount), round(stddev(amount), 6), count(price)"
                + " from items i join sales s on s.item = i.id group by brand");
        below("select day, brand, sum(amount) from sales s join items i on s.item = i.id group by day, brand");
        below("select size + day % 7, sum(amount) from sales s join items i on s.item = i.id group by size + day % 7");
    }

    @Test
    void isShown() {
        String plan = plan("select brand, sum(amount) from sales s join items i on s.item = i.id group by brand");
        assertThat(plan).containsSubsequence("Aggregate (final)", STEP, "Join", "Aggregate (partial)", "Scan");
    }

    @Test
    void withoutKeys() {
        below("select sum(amount), count(*) from sales s join items i on s.item = i.id");
        below("select sum(amount), count(*) from sales s join items i on s.item = i.id where brand = 'none'");
        below("select count(*) from sales, days");
        below("select year, count(*), sum(amount) from sales, days group by year");
        below("select count(*) from sales s join items i on s.item = i.id having count(*) > 1");
    }

    @Test
    void filtersOfJoinsReachTheScan() {
        String query =
                "select size, sum(amount) from sales s join items i on s.item = i.id where brand = 'b2' group by size";
        below(query);
        String with = plan(query);
        // If both sides are hashed, the scan is in another fragment, which filters do not reach.
        above(() -> assertThat(with.contains("runtime filter 0 on item"))
                .isEqualTo(plan(query).contains("runtime filter 0 on item")));
    }

    @Test
    void belowSeveralJoins() {
        below("select brand, year, sum(amount) from sales s join items i on s.item = i.id join days d on s.day = d.day"
                + " group by brand, year");
        below("select year, count(*), sum(price) from sales s join items i on s.item = i.id"
                + " left join days d on s.day = d.day where year is null or year > 2001 group by year");
    }

    @Test
    void ontoTheSideThatAnOuterJoinKeeps() {
        below("select brand, sum(amount), count(*) from sales s left join items i on s.item = i.id group by brand");
        below("select brand, sum(amount), count(*) from items i right join sales s on s.item = i.id and s.day > i.size"
                + " group by brand");
        notBelow("select brand, sum(amount) from items i left join sales s on s.item = i.id group by brand");
        notBelow("select brand, sum(amount) from items i full join sales s on s.item = i.id group by brand");
    }

    @Test
    void belowSemiAndAntiJoins() {
        below("select s.day, sum(amount) from sales s left semi join wanted w on s.item = w.id group by s.day");
        below("select s.day, sum(amount) from sales s where not exists (select 1 from wanted w where s.item = w.id)"
                + " group by s.day");
    }

    @Test
    void withConditionsThatAreNoKeys() {
        below("select brand, count(*) from sales s join items i on s.item = i.id and s.day > i.size group by brand");
        below("select brand, count(*) from sales s join items i on s.item <=> i.id group by brand");
        below("select brand, count(*) from sales s join items i on s.item + 1 = i.id group by brand");
    }

    @Test
    void groupingSets() {
        below("select brand, day, sum(amount), count(*), grouping__id from sales s join items i on s.item = i.id"
                + " group by brand, day with rollup");
        below("select brand, day, avg(amount), grouping(brand) from sales s join items i on s.item = i.id"
                + " where brand = 'none' group by brand, day with cube");
        below("select brand, day, max(note) from sales s join items i on s.item = i.id"
                + " group by brand, day grouping sets ((brand), (day))");
    }

    @Test
    void filteredAggregates() {
        below("select brand, sum(if(day > 3, amount, 0)), count(case when price > 3 then 1 end)"
                + " from sales s join items i on s.item = i.id group by brand");
    }

    @Test
    void userFunctions() {
        below("select brand, round(corr(amount, day), 6), round(covar_pop(amount, day), 4)"
                + " from sales s join items i on s.item = i.id group by brand");
    }

    /** The optimizer expands DISTINCT into a grouping without aggregates. */
    @Test
    void distinct() {
        below("select distinct brand, day from sales s join items i on s.item = i.id");
        below("select brand, count(distinct amount) from sales s join items i on s.item = i.id group by brand");
    }

    @Test
    void notWithoutStatesThatAreSmallAndSayAll() {
        String from = " from sales s join items i on s.item = i.id group by brand";
        notBelow("select brand, size(collect_list(amount))" + from);
        notBelow("select brand, percentile(amount, 0.5)" + from);
        notBelow("select brand, percentile_approx(amount, 0.5)" + from);
        notBelow("select brand, sum(big)" + from);
    }

    @Test
    void notWhereArgumentsComeFromBothSides() {
        notBelow("select brand, sum(amount * size) from sales s join items i on s.item = i.id group by brand");
        notBelow("select brand, sum(amount), sum(size) from sales s join items i on s.item = i.id group by brand");
    }

    @Test
    void notWhereRowsAreFewForTheirGroups() {
        notBelow("select brand, count(amount) from sales s join items i on s.item = i.id"
                + " group by brand, note, day, price");
        notBelow("select year, count(d.year) from days d join items i on d.day = i.id group by year");
    }

    @Test
    void notByNumbersOfWhichOneStandsForOthers() {
        notBelow("select brand, ratio, count(amount) from sales s join items i on s.item = i.id group by brand, ratio");
    }

    @Test
    void notWithFunctionsThatDifferEachTime() {
        notBelow("select brand, sum(amount + rand()) from sales s join items i on s.item = i.id group by brand");
        notBelow("select brand, sum(amount) from sales s join items i on s.item = i.id and rand() < 2 group by brand");
    }
}
