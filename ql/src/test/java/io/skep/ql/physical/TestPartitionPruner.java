package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Datum;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which partitions are left of the conditions of a query. */
class TestPartitionPruner {
    private static final String NULL = PartitionPruner.DEFAULT_PARTITION;

    private final RelFixture fixture = new RelFixture()
            .partitioned("t", "k int", "day int, town string")
            .partition("t", 10, "1", "x")
            .partition("t", 10, "2", "x")
            .partition("t", 10, "2", "y")
            .partition("t", 10, "10", "y")
            .partition("t", 10, NULL, NULL);
    private final PartitionPruner pruner =
            new PartitionPruner(RelFixture.expressions(), new PartitionColumns(fixture.catalog(), 1000), "UTC");

    /** Returns the values of the partitions that are left. */
    private List<List<String>> left(String condition) {
        PhysicalPlan plan = fixture.planned("select k from t where " + condition);
        return pruner.partitions(plan.scans().getFirst(), fixture.catalog()).stream()
                .map(Partition::values)
                .toList();
    }

    @Test
    void allWithoutAConditionOnPartitionColumns() {
        assertThat(left("true")).hasSize(5);
        assertThat(left("k = 3")).hasSize(5);
    }

    @Test
    void valuesAreComparedByTheirType() {
        assertThat(left("day > 2")).containsExactly(List.of("10", "y"));
        assertThat(left("day in (1, 10)")).containsExactlyInAnyOrder(List.of("1", "x"), List.of("10", "y"));
        assertThat(left("town = 'x' and day < 2")).containsExactly(List.of("1", "x"));
        assertThat(left("day + 1 = 3 and town <> 'y'")).containsExactly(List.of("2", "x"));
    }

    @Test
    void conditionsOnOtherColumnsDoNotCount() {
        assertThat(left("day = 1 and k = 3")).containsExactly(List.of("1", "x"));
        assertThat(left("day = 1 or k = 3")).hasSize(5);
    }

    @Test
    void theDefaultPartitionIsNullUnlessTheKeyIsText() {
        assertThat(left("day is null")).containsExactly(List.of(NULL, NULL));
        assertThat(left("day is not null")).hasSize(4);
        assertThat(left("town is null")).isEmpty();
        assertThat(left("town = '" + NULL + "'")).containsExactly(List.of(NULL, NULL));
    }

    @Test
    void nothingIsLeftOfAContradiction() {
        assertThat(left("day = 77")).isEmpty();
    }

    @Test
    void newPartitionsAreSeen() {
        assertThat(left("day = 77")).isEmpty();
        fixture.partition("t", 10, "77", "z");
        assertThat(left("day = 77")).containsExactly(List.of("77", "z"));
    }

    @Test
    void valuesOfPartitions() {
        Table table = fixture.table("t");
        List<Partition> partitions = fixture.catalog().partitions(table, values -> !values.contains("2"));
        assertThat(pruner.values(table, partitions))
                .containsExactlyInAnyOrder(
                        List.of(new Datum.OfLong(1), Datum.ofText("x")),
                        List.of(new Datum.OfLong(10), Datum.ofText("y")),
                        List.of(Datum.NULL, Datum.ofText(NULL)));
    }

    @Test
    void theNameOfTheDefaultPartitionIsAnOrdinaryText() {
        assertThat(PartitionPruner.isNull(NULL, PrimitiveType.INT)).isTrue();
        assertThat(PartitionPruner.isNull(NULL, PrimitiveType.STRING)).isFalse();
        assertThat(PartitionPruner.isNull(NULL, new VarcharType(30))).isFalse();
        assertThat(PartitionPruner.isNull("1", PrimitiveType.INT)).isFalse();
    }
}
