package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.engine.plan.PlanNode;
import io.skep.ql.rel.TableSample;
import io.skep.ql.testing.RelFixture;
import io.skep.storage.scan.ColumnPredicate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the columns that scans read, and where each condition is checked. */
class TestScanPlanning {
    private final RelFixture fixture = new RelFixture()
            .partitioned("t", "a int, b int, c string, d double", "day int, town string")
            .partition("t", 1000, "1", "x");

    private PlanNode.Scan scan(String sql) {
        return PlanNodes.scan("t", fixture.planned(sql));
    }

    private List<String> columns(String sql) {
        PlanNode.Scan scan = scan(sql);
        return scan.request().columns().stream()
                .map(ordinal -> scan.request().table().column(ordinal).name())
                .toList();
    }

    private List<ColumnPredicate> predicates(String condition) {
        return scan("select a from t where " + condition).request().predicates();
    }

    private static Optional<Datum> number(long value) {
        return Optional.of(new Datum.OfLong(value));
    }

    @Test
    void readsOnlyWhatIsUsed() {
        assertThat(columns("select c from t")).containsExactly("c");
        assertThat(columns("select b + a, day from t")).containsExactly("a", "b", "day");
        assertThat(columns("select sum(1) from t")).isEmpty();
        assertThat(columns("select count(*) from t")).isEmpty();
        assertThat(columns("select count(*) from (select a, b from t) x")).isEmpty();
        assertThat(columns("select count(*), max(b) from t")).containsExactly("b");
        assertThat(columns("select x.c from (select * from t) x where x.b > 1")).containsExactly("c", "b");
    }

    /** A projection drops the columns that only the condition reads. */
    @Test
    void columnsOfTheConditionComeLast() {
        PhysicalPlan plan = fixture.planned("select c from t where b > 1");
        assertThat(PlanNodes.only(PlanNode.Project.class, plan).outputTypes()).hasSize(1);
        assertThat(columns("select c from t where b > 1")).containsExactly("c", "b");
    }

    /** The first rows are taken before conditions on rows are checked, but of the chosen partitions. */
    @Test
    void aSampleOfRowsIsBelowConditions() {
        String sql = "select c from t tablesample (3 rows) where b > 1 and day = 3";
        PhysicalPlan plan = fixture.planned(sql);
        PlanNode.Scan scan = scan(sql);
        assertThat(scan.filter()).isEmpty();
        assertThat(scan.request().predicates()).isEmpty();
        assertThat(columns(sql)).containsExactly("c", "b");
        assertThat(plan.scans().getFirst().partitionPredicates()).hasSize(1);
        PlanNode.Filter filter = PlanNodes.only(PlanNode.Filter.class, plan);
        assertThat(filter.input())
                .isInstanceOfSatisfying(
                        PlanNode.Limit.class, limit -> assertThat(limit.count()).isEqualTo(3));
    }

    @Test
    void aSampleOfBlocksIsPartOfTheScan() {
        String sql = "select c from t tablesample (2.5 percent) where b > 1 and day = 3";
        assertThat(scan(sql).filter()).isPresent();
        ScanAssignment scan = fixture.planned(sql).scans().getFirst();
        assertThat(scan.partitionPredicates()).hasSize(1);
        assertThat(scan.sample()).contains(new TableSample.Percent(2.5, 0));
        assertThat(fixture.planned("select c from t tablesample (3K)")
                        .scans()
                        .getFirst()
                        .sample())
                .contains(new TableSample.Bytes(3072, 0));
        assertThat(fixture.planned("select c from t").scans().getFirst().sample())
                .isEmpty();
    }

    @Test
    void conditionsOnPartitionColumnsChoosePartitions() {
        PhysicalPlan plan = fixture.planned("select a from t where day > 3 and town = 'x' and b = 1");
        assertThat(plan.scans().getFirst().partitionPredicates()).hasSize(2);
        assertThat(columns("select a from t where day > 3 and town = 'x'")).containsExactly("a");
        assertThat(scan("select a from t where day > 3").filter()).isEmpty();
    }

    @Test
    void conditionsOnBothKindsOfColumnsAreCheckedOnRows() {
        PhysicalPlan plan = fixture.planned("select a from t where day > b");
        assertThat(plan.scans().getFirst().partitionPredicates()).isEmpty();
        PlanNode.Scan scan = PlanNodes.scan("t", plan);
        assertThat(scan.filter()).isPresent();
        assertThat(scan.request().predicates()).isEmpty();
    }

    @Test
    void comparisonsWithConstantsSkipRowGroups() {
        assertThat(predicates("b = 7")).containsExactly(new ColumnPredicate.In(1, List.of(new Datum.OfLong(7))));
        assertThat(predicates("b > 7"))
                .containsExactly(new ColumnPredicate.Range(1, number(7), false, Optional.empty(), false));
        assertThat(predicates("7 >= b"))
                .containsExactly(new ColumnPredicate.Range(1, Optional.empty(), false, number(7), true));
        assertThat(predicates("b between 2 and 5"))
                .containsExactlyInAnyOrder(
                        new ColumnPredicate.Range(1, number(2), true, Optional.empty(), false),
                        new ColumnPredicate.Range(1, Optional.empty(), false, number(5), true));
        assertThat(predicates("c is null")).containsExactly(new ColumnPredicate.IsNull(2));
        assertThat(predicates("c is not null")).containsExactly(new ColumnPredicate.IsNotNull(2));
        assertThat(predicates("c in ('x', 'y')"))
                .containsExactly(new ColumnPredicate.In(2, List.of(Datum.ofText("x"), Datum.ofText("y"))));
    }

    @Test
    void alternativesOfOneColumnSkipRowGroups() {
        assertThat(predicates("b = 1 or b = 2 or b in (5, 6)"))
                .singleElement()
                .isInstanceOfSatisfying(
                        ColumnPredicate.In.class, in -> assertThat(in.values()).hasSize(4));
    }

    @Test
    void otherConditionsDoNot() {
        assertThat(predicates("b = a")).isEmpty();
        assertThat(predicates("b + 1 = 7")).isEmpty();
        assertThat(predicates("b <> 7")).isEmpty();
        assertThat(predicates("b = 1 or a = 2")).isEmpty();
        assertThat(predicates("b = 1 or b > 5")).isEmpty();
        assertThat(predicates("c like 'x%'")).isEmpty();
        assertThat(predicates("b <=> 7")).isEmpty();
    }

    @Test
    void oneOfSeveralConditionsIsEnough() {
        assertThat(predicates("b = 1 and a + 1 > b")).hasSize(1);
        assertThat(scan("select a from t where b = 1 and a + 1 > b").filter()).isPresent();
    }

    @Test
    void estimatedRowsAreThoseOfAllScans() {
        fixture.table("u", "k int", 500);
        assertThat(fixture.planned("select a from t join u on a = k").graph().estimatedRows())
                .isEqualTo(1500);
    }
}
