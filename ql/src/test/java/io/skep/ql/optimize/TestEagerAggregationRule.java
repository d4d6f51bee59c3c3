package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.RelFixture;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;

/**
 * Tests where the first step of an aggregation is pushed below joins in otherwise optimized algebra, and by which
 * estimates.
 */
class TestEagerAggregationRule {
    private final RelFixture fixture = new RelFixture()
            .table("sales", "item int, day int, hour int, amount int, ratio double, note string", 1_000_000)
            .distinct("sales", "item", 1000)
            .distinct("sales", "day", 300)
            .distinct("sales", "hour", 24)
            .distinct("sales", "amount", 400_000)
            .distinct("sales", "ratio", 10)
            .table("items", "id int, brand string, size int", 1000)
            .distinct("items", "id", 1000)
            .distinct("items", "brand", 50)
            .distinct("items", "size", 10)
            .table("days", "day int, year int", 300)
            .distinct("days", "day", 300)
            .distinct("days", "year", 5)
            .choices(RelFixture.NONE);

    private RelNode rewritten(RelNode root) {
        AlgebraMetadata metadata = fixture.metadata();
        return new EagerAggregation(new EagerAggregationCost(metadata.query(root.getCluster()), metadata.estimates()))
                .rewrite(root);
    }

    /** Checks that the first step is below a join. Returns the algebra. */
    private String fires(String sql) {
        RelNode before = fixture.optimized(sql);
        RelNode after = rewritten(before);
        assertThat(RelFixture.text(after)).containsSubsequence("MergeAggregate", "LogicalJoin", "PartialAggregate");
        assertThat(RelOptUtil.areRowTypesEqual(after.getRowType(), before.getRowType(), false))
                .isTrue();
        return RelFixture.text(after);
    }

    private void doesNotFire(String sql) {
        RelNode before = fixture.optimized(sql);
        assertThat(rewritten(before)).isSameAs(before);
    }

    @Test
    void groupsByTheKeysOfTheJoinsAbove() {
        assertThat(fires("select brand, sum(amount) from sales join items on item = id group by brand"))
                .contains("PartialAggregate(group=[{0}], state0=[sum($1)])");
        assertThat(fires("select brand, sales.hour, sum(amount) from sales join items on item = id"
                        + " group by brand, sales.hour"))
                .contains("PartialAggregate(group=[{0, 1}], state0=[sum($2)])");
    }

    @Test
    void belowSeveralJoins() {
        fixture.distinct("sales", "item", 10);
        assertThat(fires("select brand, year, sum(amount), count(*) from sales join items on item = id"
                        + " join days on sales.day = days.day group by brand, year"))
                .containsSubsequence("LogicalJoin", "LogicalJoin", "PartialAggregate(group=[{0, 1}]");
    }

    @Test
    void belowConditionsThatAreNoKeys() {
        assertThat(fires("select brand, sum(amount) from sales join items on item = id and sales.hour > size"
                        + " group by brand"))
                .contains("PartialAggregate(group=[{0, 1}]");
    }

    @Test
    void withoutKeysAConstantMakesOneGroup() {
        assertThat(fires("select count(*) from sales, days")).contains("PartialAggregate(group=[{0}]");
    }

    @Test
    void onTheSideThatAnOuterJoinKeeps() {
        fires("select brand, sum(amount) from sales left join items on item = id group by brand");
        doesNotFire("select brand, sum(amount) from items left join sales on item = id group by brand");
        doesNotFire("select brand, sum(amount) from items full join sales on item = id group by brand");
    }

    @Test
    void notWhereArgumentsComeFromBothSides() {
        doesNotFire("select brand, sum(amount * size) from sales join items on item = id group by brand");
    }

    @Test
    void notWhereARowMayNotBePartOfAGroup() {
        doesNotFire("select brand, sum(amount + rand()) from sales join items on item = id group by brand");
        doesNotFire("select brand, sum(amount) from sales join items on item = id and rand() < 2 group by brand");
        doesNotFire("select brand, ratio, count(amount) from sales join items on item = id group by brand, ratio");
    }

    @Test
    void notWithStatesThatAreLarge() {
        doesNotFire("select brand, size(collect_list(amount)) from sales join items on item = id group by brand");
    }

    @Test
    void notWithoutAJoin() {
        doesNotFire("select item, sum(amount) from sales group by item");
    }

    @Test
    void notWhereGroupsHaveFewRows() {
        doesNotFire("select brand, amount, count(ratio) from sales join items on item = id group by brand, amount");
    }

    /** A grouping that leaves every third row pays by its cost, but its estimate is the least certain. */
    @Test
    void notWhereGroupsHaveLessThanFourRows() {
        fixture.table("visits", "item int, seconds int", 100_000);
        String sql = "select brand, sum(seconds) from visits join items on item = id group by brand";
        fixture.distinct("visits", "item", 10_000);
        fires(sql);
        fixture.distinct("visits", "item", 40_000);
        doesNotFire(sql);
    }

    @Test
    void notWithoutStatisticsOfAKey() {
        doesNotFire("select brand, note, sum(amount) from sales join items on item = id group by brand, note");
    }

    @Test
    void notForFewRows() {
        fixture.table("few", "item int, amount int", 900).distinct("few", "item", 10);
        doesNotFire("select brand, sum(amount) from few join items on item = id group by brand");
    }

    /** The runtime filter of an inner join leaves too few rows for a grouping. */
    @Test
    void notWhereAJoinFiltersTheRowsFirst() {
        fixture.distinct("sales", "item", 50_000);
        fixture.table("parts", "id int, brand string", 50_000)
                .distinct("parts", "id", 50_000)
                .distinct("parts", "brand", 5000);
        String sql = "select brand, sum(amount) from sales %s join parts on item = id %s group by brand";
        fires(sql.formatted("", ""));
        fires(sql.formatted("left", "and brand = 'x'"));
        doesNotFire(sql.formatted("", "and brand = 'x'"));
    }
}
