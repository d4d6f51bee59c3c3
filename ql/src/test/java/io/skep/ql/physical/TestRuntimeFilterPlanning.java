package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.RuntimeFilter;
import io.skep.ql.query.QueryCompiler.Choices;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which joins give filters to which columns of scans. The large table is always the probe side. */
class TestRuntimeFilterPlanning {
    private static final Choices ON_ROWS = new Choices(true, false, true, false);
    private static final Choices ON_PARTITIONS = new Choices(false, true, true, false);

    private final RelFixture fixture = new RelFixture()
            .table("f", "k int, l bigint, v int, n decimal(10,2), s string, c char(5), d double", 100_000)
            .table(
                    "g",
                    "k int, l bigint, v int, n decimal(10,2), m decimal(12,3), s varchar(9), c char(5), d double",
                    10)
            .table("h", "k int, v int", 5)
            .partitioned("p", "k int, v int", "day int")
            .partition("p", 100_000, "1")
            .choices(ON_ROWS);

    /** Returns the filtered columns of the scans of a table. */
    private List<String> filtered(String table, String sql) {
        PhysicalPlan plan = fixture.planned(sql);
        List<Integer> given = PlanNodes.all(PlanNode.Join.class, plan).stream()
                .flatMap(join -> join.runtimeFilters().stream())
                .map(RuntimeFilter::id)
                .toList();
        List<String> columns = PlanNodes.scans(table, plan).stream()
                .flatMap(scan -> scan.runtimeFilters().stream()
                        .peek(filter -> assertThat(given).contains(filter.id()))
                        .map(filter -> PlanNodes.column(scan, filter.column())))
                .toList();
        List<Integer> received = PlanNodes.all(PlanNode.Scan.class, plan).stream()
                .flatMap(scan -> scan.runtimeFilters().stream())
                .map(RuntimeFilter::id)
                .toList();
        assertThat(received).as("no join collects values that no scan uses").containsAll(given);
        return columns;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select f.v, g.v from f join g on f.k = g.k",
                "select f.v, g.v from g join f on f.k = g.k",
                "select f.v, g.v from f right join g on f.k = g.k",
                "select f.v from f left semi join g on f.k = g.k",
                "select f.v from f where k in (select k from g)"
            })
    void joinsThatDropProbeRows(String sql) {
        assertThat(filtered("f", sql)).containsExactly("k");
        assertThat(filtered("g", sql)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select f.v, g.v from f left join g on f.k = g.k",
                "select f.v, g.v from f full join g on f.k = g.k",
                "select f.v from f where not exists (select 1 from g where f.k = g.k)",
                "select f.v, g.v from f join g on f.k <=> g.k",
                "select f.v, g.v from f join g on f.k > g.k",
                "select f.v, g.v from f join g on f.k + 1 = g.k"
            })
    void notOthers(String sql) {
        assertThat(filtered("f", sql)).isEmpty();
    }

    @Test
    void severalKeysAndJoins() {
        assertThat(filtered("f", "select f.s, g.s from f join g on f.k = g.k and f.v = g.v"))
                .containsExactlyInAnyOrder("k", "v");
        assertThat(filtered("f", "select f.s, g.s from f join g on f.k = g.k join h on f.v = h.v"))
                .containsExactlyInAnyOrder("k", "v");
    }

    @Test
    void throughOperatorsThatPassTheColumn() {
        assertThat(filtered("f", "select * from (select k, v + 1 from f where v > 3) x join g on x.k = g.k"))
                .containsExactly("k");
        assertThat(filtered("f", "select * from (select k, sum(v) from f group by k) x join g on x.k = g.k"))
                .containsExactly("k");
        assertThat(filtered(
                        "f",
                        "select * from (select k, rank() over (partition by k order by v) from f) x"
                                + " join g on x.k = g.k"))
                .containsExactly("k");
        assertThat(filtered("f", "select * from (select k from f union all select v from f) x join g on x.k = g.k"))
                .containsExactly("k", "v");
        assertThat(filtered("f", "select x.k from (select f.k from f left join h on f.v = h.v) x join g on x.k = g.k"))
                .containsExactly("k");
    }

    @Test
    void notThroughOperatorsWhoseOtherRowsWouldChange() {
        assertThat(filtered("f", "select * from (select k from f order by v limit 3000) x join g on x.k = g.k"))
                .isEmpty();
        assertThat(filtered("f", "select * from (select k, sum(v) as t from f group by k) x join g on x.t = g.l"))
                .isEmpty();
        assertThat(filtered(
                        "f",
                        "select * from (select k, rank() over (partition by v order by k) from f) x"
                                + " join g on x.k = g.k"))
                .isEmpty();
        assertThat(filtered("f", "select x.k from (select f.k from f full join h on f.v = h.v) x join g on x.k = g.k"))
                .isEmpty();
    }

    @Test
    void typesWhoseEqualValuesLookAlike() {
        assertThat(filtered("f", "select 1 from f join g on f.s = g.s")).containsExactly("s");
        assertThat(filtered("f", "select 1 from f join g on f.c = g.c")).containsExactly("c");
        assertThat(filtered("f", "select 1 from f join g on f.d = g.d")).containsExactly("d");
        assertThat(filtered("f", "select 1 from f join g on f.n = g.n")).containsExactly("n");
    }

    @Test
    void notTypesWhoseEqualValuesLookDifferent() {
        assertThat(filtered("f", "select 1 from f join g on f.n = g.m")).isEmpty();
        assertThat(filtered("f", "select 1 from f join g on f.c = g.s")).isEmpty();
        assertThat(filtered("f", "select 1 from f join g on f.k = g.d")).isEmpty();
    }

    @Test
    void rowsAndPartitionsAreSwitchedSeparately() {
        String onRows = "select p.v from p join g on p.k = g.k";
        String onPartitions = "select p.v from p join g on p.day = g.k";
        assertThat(filtered("p", onRows)).containsExactly("k");
        assertThat(filtered("p", onPartitions)).isEmpty();
        fixture.choices(ON_PARTITIONS);
        assertThat(filtered("p", onRows)).isEmpty();
        assertThat(filtered("p", onPartitions)).containsExactly("day");
        fixture.choices(RelFixture.NONE);
        assertThat(filtered("p", onPartitions)).isEmpty();
    }

    /** Filters stay in their fragment. */
    @Test
    void notBeyondAnExchange() {
        String sql = "select f.v, g.v from f join g on f.k = g.k";
        fixture.limits(new PlanningLimits(0, 1 << 30));
        assertThat(filtered("f", sql)).containsExactly("k");
        fixture.limits(new PlanningLimits(0, 0));
        assertThat(filtered("f", sql)).isEmpty();
    }
}
