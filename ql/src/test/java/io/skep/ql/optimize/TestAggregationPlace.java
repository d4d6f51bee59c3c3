package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.optimize.AggregationPlace.Level;
import io.skep.ql.optimize.AggregationPlace.Wanted;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.junit.jupiter.api.Test;

/** Tests what a place of an aggregation needs of its input, and the algebra that is built for it. */
class TestAggregationPlace {
    private final RelFixture fixture = new RelFixture()
            .table("sales", "item int, amount int", 1000)
            .table("items", "id int, size int", 1000)
            .choices(RelFixture.NONE);

    private final Join join =
            find(Join.class, fixture.analyzed("select 1 from sales join items on item = id and amount > size"));
    private final int leftColumns = join.getLeft().getRowType().getFieldCount();

    private static <T extends RelNode> T find(Class<T> type, RelNode root) {
        return type.isInstance(root) ? type.cast(root) : find(type, root.getInput(0));
    }

    private RexNode column(int index) {
        return RexInputRef.of(index, join.getRowType());
    }

    private RexNode sum(RexNode one, RexNode other) {
        return join.getCluster().getRexBuilder().makeCall(SqlStdOperatorTable.PLUS, one, other);
    }

    private static List<String> texts(List<RexNode> expressions) {
        return expressions.stream().map(RexNode::toString).toList();
    }

    @Test
    void aSideSuppliesWholeValuesAndTheColumnsOfTheCondition() {
        Level left = Level.of(join, true, List.of(sum(column(0), column(1))));
        assertThat(left.offset()).isZero();
        assertThat(texts(left.ofSide())).containsExactly("+($0, $1)", "$0", "$1");
    }

    @Test
    void theRightSideCountsFromItsOwnFirstColumn() {
        RexNode size = column(leftColumns + 1);
        Level right = Level.of(join, false, List.of(size));
        assertThat(right.offset()).isEqualTo(leftColumns);
        assertThat(texts(right.ofSide())).containsExactly("$1", "$0");
        assertThat(right.isOfSide(leftColumns)).isTrue();
        assertThat(right.isOfSide(0)).isFalse();
    }

    @Test
    void aValueOfBothSidesIsTakenByItsColumns() {
        RexNode mixed = sum(column(1), column(leftColumns + 1));
        Level left = Level.of(join, true, List.of(mixed));
        assertThat(left.isOfSide(mixed)).isFalse();
        assertThat(texts(left.ofSide())).containsExactly("$1", "$0");
    }

    @Test
    void aConstantIsOfNoSide() {
        RexNode one = join.getCluster().getRexBuilder().makeLiteral(true);
        Level left = Level.of(join, true, List.of(one));
        assertThat(left.isOfSide(one)).isFalse();
        assertThat(texts(left.ofSide())).containsExactly("$0", "$1");
    }

    @Test
    void aConditionNeedsItsColumns() {
        Filter filter = find(Filter.class, fixture.analyzed("select amount from sales where item > 3"));
        Level level = Level.of(filter, List.of(RexInputRef.of(1, filter.getRowType())));
        assertThat(texts(level.ofSide())).containsExactly("$1", "$0");
    }

    @Test
    void thePlaceIsBuiltBelowTheJoin() {
        Aggregate aggregate = find(
                LogicalAggregate.class,
                fixture.optimized("select size, sum(amount) from sales join items on item = id group by size"));
        RelNode project = aggregate.getInput();
        Join below = find(Join.class, project);
        int columns = below.getLeft().getRowType().getFieldCount();
        RexNode size = RexInputRef.of(columns + 1, below.getRowType());
        RexNode amount = RexInputRef.of(1, below.getRowType());
        Level level = Level.of(below, true, List.of(size));
        SplitAggregate split = SplitAggregate.of(aggregate).orElseThrow();
        AggregationPlace place =
                new AggregationPlace(List.of(level), level.side(), new Wanted(level.ofSide(), List.of(amount)));
        RelNode rebuilt = place.rebuilt(split);
        assertThat(RelFixture.text(rebuilt))
                .containsSubsequence(
                        "MergeAggregate(group=[{0}]",
                        "LogicalJoin(condition=[=($0, $2)], joinType=[inner])",
                        "PartialAggregate(group=[{0}], state0=[sum($1)])",
                        "items");
        assertThat(RelOptUtil.areRowTypesEqual(rebuilt.getRowType(), aggregate.getRowType(), false))
                .isTrue();
    }

    @Test
    void withoutValuesAConstantMakesOneGroup() {
        Aggregate aggregate = find(
                LogicalAggregate.class,
                fixture.optimized("select count(*), sum(amount) from sales join items on true"));
        Join below = find(Join.class, aggregate.getInput());
        Level level = Level.of(below, true, List.of());
        assertThat(level.ofSide()).isEmpty();
        RexNode amount = RexInputRef.of(0, below.getRowType());
        AggregationPlace place =
                new AggregationPlace(List.of(level), level.side(), new Wanted(List.of(), List.of(amount)));
        assertThat(RelFixture.text(place.rebuilt(SplitAggregate.of(aggregate).orElseThrow())))
                .contains("PartialAggregate(group=[{0}], state0=[count()], state1=[sum($1)])")
                .contains("[true]");
    }
}
