package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.engine.plan.PlanNode;
import io.skep.metastore.BasicStatistics;
import io.skep.metastore.ColumnStatistics;
import io.skep.ql.testing.RelFixture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which aggregates are answered, from statistics that a test makes up. */
class TestStatisticsAnswersRule {
    private static final String TABLE = "t";

    private final Map<String, List<CountedPlace>> known = new HashMap<>();
    private final List<ScanAssignment> asked = new ArrayList<>();

    private final RelFixture fixture = new RelFixture()
            .table(TABLE, "k int, v int, d double, s string")
            .table("u", "k int")
            .partitioned("p", "k int", "day int")
            .answers(new MetadataOnlyAggregates.Source() {
                @Override
                public Optional<List<CountedPlace>> places(ScanAssignment scan) {
                    asked.add(scan);
                    return Optional.ofNullable(known.get(scan.table().name()));
                }

                @Override
                public Answers withoutChanges(Supplier<Answers> asking) {
                    return asking.get();
                }
            });

    /** A part of a table with exact statistics of {@code k}, and others of {@code v}. */
    private static CountedPlace place(long rows, long nulls, long low, long high, Datum... keys) {
        BasicStatistics stats = new BasicStatistics(
                OptionalLong.of(rows),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                true,
                Set.of("k"));
        ColumnStatistics column =
                ColumnStatistics.of("any", nulls, 5).withBounds(new Datum.OfLong(low), new Datum.OfLong(high));
        return new CountedPlace(stats, List.of(keys), name -> Optional.of(column));
    }

    private static Datum number(long value) {
        return new Datum.OfLong(value);
    }

    /** Returns the only row of a query that reads no table. */
    private List<Datum> answer(String sql) {
        PhysicalPlan plan = fixture.planned(sql);
        assertThat(plan.scans()).isEmpty();
        List<List<Datum>> rows = PlanNodes.only(PlanNode.Values.class, plan).rows();
        assertThat(rows).hasSize(1);
        return rows.getFirst();
    }

    private void isRead(String sql) {
        PhysicalPlan plan = fixture.planned(sql);
        assertThat(plan.answered()).isEmpty();
        assertThat(plan.scans()).isNotEmpty();
        assertThat(PlanNodes.all(PlanNode.Scan.class, plan)).hasSameSizeAs(plan.scans());
    }

    @Test
    void countsAndExtremesOfAWholeTable() {
        known.put(TABLE, List.of(place(100, 10, 3, 77)));
        assertThat(answer("select count(*) from t")).containsExactly(number(100));
        assertThat(answer("select count(1), count(k), min(k), max(k) from t"))
                .containsExactly(number(100), number(90), number(3), number(77));
        assertThat(fixture.planned("select count(*) from t").answered()).containsExactly("default.t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*) from t where v > 3",
                "select k, count(*) from t group by k",
                "select count(distinct k) from t",
                "select sum(k) from t",
                "select count(*), sum(k) from t",
                "select max(k + 1) from t",
                "select max(d) from t",
                "select max(s) from t",
                "select count(v) from t",
                "select max(v) from t",
                "select count(*) from (select k from t limit 5) x",
                "select count(*) from t a join t b on a.k = b.k"
            })
    void readsWhatStatisticsDoNotHave(String sql) {
        known.put(TABLE, List.of(place(100, 10, 3, 77)));
        isRead(sql);
    }

    @Test
    void readsTablesThatNobodyHasCounted() {
        isRead("select count(*) from t");
        assertThat(asked).hasSize(1);
    }

    @Test
    void readsWhatCannotBeTrue() {
        known.put(TABLE, List.of(place(100, 200, 3, 77)));
        isRead("select count(k) from t");
        assertThat(answer("select count(*) from t")).containsExactly(number(100));
    }

    /** Other statements may change the table between the two reads. */
    @Test
    void aTableIsReadForAllAggregatesOrForNone() {
        known.put(TABLE, List.of(place(100, 0, 3, 77)));
        known.put("u", List.of(place(7, 0, 1, 7)));
        isRead("select (select count(*) from t), (select sum(v) from t)");
        isRead("select (select sum(v) from t), (select count(*) from t)");
        String inexact = "select (select count(*) from t), (select count(v) from t)";
        isRead(inexact);
        assertThat(fixture.planned(inexact).scans()).hasSize(2);
        PhysicalPlan mixed = fixture.planned("select (select count(*) from u), (select sum(v) from t)");
        assertThat(mixed.answered()).containsExactly("default.u");
        assertThat(mixed.scans()).extracting(scan -> scan.table().name()).containsExactly(TABLE);
    }

    @Test
    void partsAddUp() {
        known.put(
                "p",
                List.of(
                        place(10, 4, 5, 9, number(1)),
                        place(20, 20, 0, 100, number(2)),
                        place(0, 0, -50, 50, number(3)),
                        place(5, 0, 2, 6, Datum.NULL)));
        // All values of the second partition are null, and the third has no rows: their bounds do not count.
        assertThat(answer("select count(*), count(k), min(k), max(k) from p"))
                .containsExactly(number(35), number(11), number(2), number(9));
        assertThat(answer("select count(day), min(day), max(day) from p"))
                .containsExactly(number(30), number(1), number(2));
    }

    @Test
    void conditionsOnPartitionsChooseTheParts() {
        known.put("p", List.of(place(10, 4, 5, 9, number(1))));
        assertThat(answer("select count(*) from p where day = 1")).containsExactly(number(10));
        assertThat(asked.getLast().partitionPredicates()).hasSize(1);
        isRead("select count(*) from p where day = 1 and k > 3");
    }

    @Test
    void nothingIsCountedOfAnEmptyTable() {
        known.put(TABLE, List.of(place(0, 0, 3, 77)));
        assertThat(answer("select count(*), min(k) from t")).containsExactly(number(0), Datum.NULL);
    }
}
