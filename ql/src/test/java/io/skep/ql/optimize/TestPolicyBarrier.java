package io.skep.ql.optimize;

import static io.skep.ql.testing.RelFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.engine.plan.PlanNode;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.testing.RelFixture;
import io.skep.storage.scan.ColumnPredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What passes a barrier, and what must not. */
final class TestPolicyBarrier {
    private static final String FILTER = "skep.row-filter";

    private final RelFixture rels = new RelFixture()
            .table("t", "a int, b int, s string, d date")
            .properties("t", Map.of(FILTER, "b = 1", "skep.mask.s", "concat('*', s)"))
            .table("u", "a int, s string");

    /** Returns the operators below barriers. */
    private String below(String sql) {
        return side(sql, true);
    }

    private String above(String sql) {
        return side(sql, false);
    }

    private String side(String sql, boolean below) {
        String algebra = text(rels.optimized(sql));
        assertThat(algebra).contains("PolicyBarrier");
        List<String> lines = new ArrayList<>();
        int barrier = Integer.MAX_VALUE;
        for (String line : algebra.lines().toList()) {
            int depth = line.length() - line.stripLeading().length();
            barrier = depth <= barrier ? Integer.MAX_VALUE : barrier;
            if (line.contains("PolicyBarrier")) {
                barrier = depth;
            } else if (depth > barrier == below) {
                lines.add(line.strip());
            }
        }
        return String.join("\n", lines);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = 5",
                "a > 5 and a <= 7",
                "a in (5, 6, 7)",
                "a between 5 and 6",
                "a is null or a = 5",
                "not a = 5",
                "d = '2026-01-01'",
                "a <> b",
                "d is not null"
            })
    void leakproofConditionsPass(String condition) {
        String sql = "select a, d from t where " + condition;
        assertThat(above(sql)).doesNotContain("Filter");
        assertThat(below(sql)).contains("LogicalFilter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assert_true(a = 5) is null",
                "a + 1 = 5",
                "1 / a = 5",
                "cast(s as int) = 5",
                "abs(a) = 5",
                "s = 'x'",
                "s is null",
                "length(s) = 3",
                "a = 5 or assert_true(b = 1) is null",
                "case when a = 5 then assert_true(b = 2) is null else true end",
                "rand() < 0.5"
            })
    void othersStayAbove(String condition) {
        String sql = "select a, s from t where " + condition;
        assertThat(above(sql)).contains("Filter");
        assertThat(below(sql)).contains("LogicalFilter(condition=[=($1, 1)])");
    }

    @Test
    void conjunctsPartWays() {
        String sql = "select a from t where a < 5 and assert_true(a <> 6) is null";
        assertThat(above(sql)).contains("assert_true").doesNotContain("5");
        assertThat(below(sql)).contains("5").doesNotContain("assert_true");
    }

    @Test
    void expressionsOfTheQueryStayAbove() {
        for (String sql : List.of(
                "select 10 / a from t",
                "select sum(10 / a) from t group by b",
                "select u.a from u join t on u.a = 10 / t.a",
                "select u.a from u left join t on u.a = t.a and assert_true(t.b = 2) is null",
                "select u.a from u where exists (select 1 from t where t.a = u.a and 10 / t.a = 2)",
                "select a from (select a, 10 / a x from t) q where x = 2 or a = 1",
                "select a from t union all select 10 / a from t",
                "select rank() over (partition by 10 / a order by b) from t")) {
            assertThat(below(sql)).as(sql).doesNotContain("10", "assert_true");
        }
    }

    @Test
    void predicatesOfThePolicyAreNotKnownAbove() {
        assertThat(above("select b from t where b = 1 or assert_true(b = 2) is null"))
                .contains("OR");
        assertThat(above("select b, 10 / (b - 1) from t")).contains("$");
    }

    @Test
    void policiesThatHideNothingLeaveNothing() {
        rels.properties("t", Map.of("skep.mask.s", "concat('*', s)"));
        assertThat(text(rels.optimized("select a from t where assert_true(a = 5) is null")))
                .doesNotContain("PolicyBarrier");
        assertThat(text(rels.optimized("select count(*) from t"))).doesNotContain("PolicyBarrier");
        assertThat(text(rels.optimized("select a, s from t"))).contains("PolicyBarrier");
        rels.properties("t", Map.of("skep.mask.s", "'hidden'"));
        assertThat(text(rels.optimized("select a, s from t where assert_true(s = 'x') is null")))
                .doesNotContain("PolicyBarrier")
                .doesNotContain("$2");
        rels.properties("t", Map.of(FILTER, "current_user() = 'hive_test_user' or b = 1"));
        assertThat(text(rels.optimized("select * from t"))).doesNotContain("PolicyBarrier");
        rels.properties("t", Map.of("skep.mask.s", "if(is_member('x'), 'hidden', s)"));
        assertThat(text(rels.optimized("select * from t"))).doesNotContain("PolicyBarrier");
    }

    @Test
    void unusedColumnsAreNotRead() {
        assertThat(below("select a from t")).doesNotContain("$2").doesNotContain("concat");
        assertThat(scans(rels.planned("select a from t")).getFirst().request().columns())
                .containsExactly(0, 1);
    }

    @Test
    void conditionsOfBothSidesPruneTogether() {
        PlanNode.Scan scan = scans(rels.planned("select a from t where a = 5")).getFirst();
        assertThat(scan.request().predicates())
                .extracting(ColumnPredicate::column)
                .containsExactlyInAnyOrder(0, 1);
        PlanNode.Scan unpruned =
                scans(rels.planned("select a from t where a + 0 = 5")).getFirst();
        assertThat(unpruned.request().predicates())
                .extracting(ColumnPredicate::column)
                .containsExactly(1);
    }

    @Test
    void correlatedPoliciesArePlannedApart() {
        rels.properties("t", Map.of(FILTER, "exists (select 1 from (select a x, s y from u) q where x = b)"));
        String sql = "select u.a from u where exists (select 1 from t where t.a = u.a and 10 / t.a = 2)";
        assertThat(text(rels.optimized(sql))).contains("PolicyBarrier").doesNotContain("Correlate", "$cor");
        assertThat(scans(rels.planned(sql))).hasSize(3);
    }

    private static List<PlanNode.Scan> scans(PhysicalPlan plan) {
        List<PlanNode.Scan> scans = new ArrayList<>();
        plan.graph().fragments().forEach(fragment -> collect(fragment.root(), scans));
        return scans;
    }

    private static void collect(PlanNode node, List<PlanNode.Scan> scans) {
        if (node instanceof PlanNode.Scan scan) {
            scans.add(scan);
        }
        node.inputs().forEach(input -> collect(input, scans));
    }
}
