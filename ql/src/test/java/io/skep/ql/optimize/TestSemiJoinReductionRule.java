package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.RelFixture;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.junit.jupiter.api.Test;

/** Tests where a semi join with a part of the other side is added, in otherwise optimized algebra. */
class TestSemiJoinReductionRule {
    private static final String TOTALS = "(select item, sum(amount) as total from sales group by item)";

    private final RelFixture fixture = new RelFixture()
            .table("sales", "item int, day int, amount int", 1_000_000)
            .distinct("sales", "item", 1000)
            .distinct("sales", "day", 300)
            .table("items", "id int, kind string, size int", 1000)
            .distinct("items", "id", 1000)
            .distinct("items", "kind", 1000)
            .table("small", "item int, amount int", 10_000)
            .distinct("small", "item", 1000)
            .table("unknown", "item int, amount int", 1_000_000)
            .choices(RelFixture.NONE);

    private RelNode reduced(RelNode root) {
        AlgebraMetadata metadata = fixture.metadata();
        return new SemiJoinReduction(
                        metadata.query(root.getCluster()),
                        metadata.estimates(),
                        RelFactories.LOGICAL_BUILDER.create(root.getCluster(), null))
                .reduce(root);
    }

    private void fires(String sql) {
        RelNode before = fixture.optimized(sql);
        RelNode after = reduced(before);
        assertThat(semiJoins(after)).isEqualTo(semiJoins(before) + 1);
        assertThat(RelFixture.text(after).split("default, items", -1)).hasSize(3);
        assertThat(after.getRowType()).isEqualTo(before.getRowType());
    }

    private void doesNotFire(String sql) {
        RelNode before = fixture.optimized(sql);
        assertThat(reduced(before)).isSameAs(before);
    }

    private static int semiJoins(RelNode root) {
        return RelFixture.text(root).split("joinType=\\[semi]", -1).length - 1;
    }

    @Test
    void belowTheAggregationOfAnInnerJoin() {
        fires("select kind, total from items join " + TOTALS + " s on s.item = id where kind = 'x'");
        fires("select kind, total from " + TOTALS + " s join items on s.item = id where kind = 'x'");
    }

    @Test
    void belowConditionsAndProjectionsOnTheAggregation() {
        fires("select kind, raised from items join (select item, total + 1 as raised from " + TOTALS
                + " t where total > 5) s on s.item = id where kind = 'x'");
    }

    @Test
    void onTheSideThatAnOuterJoinDoesNotKeep() {
        String ofOne = "(select * from items where kind = 'x')";
        fires("select kind, total from " + ofOne + " i left join " + TOTALS + " s on s.item = id");
        fires("select kind, total from " + TOTALS + " s right join " + ofOne + " i on s.item = id");
        doesNotFire("select kind, total from " + ofOne + " i right join " + TOTALS + " s on s.item = id");
        doesNotFire("select kind, total from " + ofOne + " i full join " + TOTALS + " s on s.item = id");
    }

    @Test
    void onTheRightSideOfSemiAndAntiJoins() {
        fires("select kind from items where kind = 'x' and exists (select 1 from sales"
                + " where item = id and amount > 3)");
        fires("select kind from items where kind = 'x'"
                + " and not exists (select 1 from sales where item = id and amount > 3)");
    }

    @Test
    void notWithoutAnAggregation() {
        doesNotFire("select kind, amount from items join sales on item = id where kind = 'x'");
    }

    @Test
    void notByAColumnThatIsNoKeyOfTheAggregation() {
        doesNotFire("select kind, total from items join " + TOTALS + " s on s.total = id where kind = 'x'");
        doesNotFire("select kind, total from items join (select item, sum(amount) as total from sales"
                + " group by item with rollup) s on s.item = id where kind = 'x'");
    }

    @Test
    void notWhereMostKeysAreNeeded() {
        doesNotFire("select kind, total from items join " + TOTALS + " s on s.item = id");
    }

    @Test
    void notWhereFewRowsWouldBeSaved() {
        doesNotFire("select kind, total from items join (select item, sum(amount) as total from small group by item) s"
                + " on s.item = id where kind = 'x'");
    }

    @Test
    void notWithoutStatistics() {
        doesNotFire("select kind, total from items join (select item, sum(amount) as total from unknown group by item)"
                + " s on s.item = id where kind = 'x'");
    }

    @Test
    void notByRowsThatMayDifferTheNextTime() {
        String join = " i join " + TOTALS + " s on s.item = id";
        doesNotFire("select kind, total from (select * from items where kind = 'x' and rand() < 2)" + join);
        doesNotFire("select kind, total from (select * from items order by kind limit 1)" + join);
        doesNotFire("select total from (select max(id) as id from items where kind = 'x')" + join);
    }

    @Test
    void notThroughOtherComparisons() {
        doesNotFire("select kind, total from items join " + TOTALS + " s on s.item <=> id where kind = 'x'");
        doesNotFire("select kind, total from items join " + TOTALS + " s on s.item > id where kind = 'x'");
    }
}
