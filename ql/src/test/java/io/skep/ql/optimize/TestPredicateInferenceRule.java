package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.rel.SkepTable;
import io.skep.ql.testing.RelFixture;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.TableScan;
import org.junit.jupiter.api.Test;

/** Tests which conditions each scan has in the optimized algebra. */
class TestPredicateInferenceRule {
    private final RelFixture fixture = new RelFixture()
            .table("a", "k int, x int, d double, s string", 1000)
            .range("a", "k", 1000, 0, 0, 1000)
            .table("b", "k int, y int, d double, s string", 1000)
            .range("b", "k", 1000, 0, 0, 1000)
            .table("c", "k int, z int, l bigint", 1000);

    /** Returns the condition on each scan of a table, or an empty text for a scan without one. */
    private List<String> conditions(String table, String sql) {
        List<String> found = new ArrayList<>();
        collect(fixture.optimized(sql), "", table, found);
        return found;
    }

    private static void collect(RelNode rel, String condition, String table, List<String> found) {
        if (rel instanceof TableScan scan) {
            if (scan.getTable().unwrapOrThrow(SkepTable.class).table().name().equals(table)) {
                found.add(condition);
            }
            return;
        }
        String here = rel instanceof Filter filter ? filter.getCondition().toString() : "";
        rel.getInputs().forEach(input -> collect(input, here, table, found));
    }

    @Test
    void equalColumnsShareTheirConditions() {
        String sql = "select a.x, b.y, c.z from a join b on a.k = b.k join c on b.k = c.k where c.k < 10";
        assertThat(conditions("a", sql)).containsExactly("<($0, 10)");
        assertThat(conditions("b", sql)).containsExactly("<($0, 10)");
        assertThat(conditions("c", sql)).containsExactly("<($0, 10)");
    }

    @Test
    void twoColumnsOfOneFactorThatEqualTheSameColumnAreEqual() {
        assertThat(conditions("a", "select b.y from a join b on a.k = b.k and a.x = b.k"))
                .containsExactly("=($0, $1)");
    }

    @Test
    void branchesOfAnOrRestrictEachFactor() {
        String sql = "select a.x, b.y from a join b on a.k = b.k where (a.x = 1 and b.y = 2) or (a.x = 3 and b.y = 4)";
        assertThat(conditions("a", sql)).containsExactly("SEARCH($1, Sarg[1, 3])");
        assertThat(conditions("b", sql)).containsExactly("SEARCH($1, Sarg[2, 4])");
    }

    @Test
    void notFromAnOrThatHasABranchWithoutACondition() {
        String sql = "select a.x, b.y from a join b on a.k = b.k where (a.x = 1 and b.y = 2) or b.y = 4";
        assertThat(conditions("a", sql)).containsExactly("");
        assertThat(conditions("b", sql)).containsExactly("SEARCH($1, Sarg[2, 4])");
    }

    @Test
    void notWhereHardlyAnyRowWouldBeRejected() {
        String sql = "select a.x, b.y from a join b on a.k = b.k where a.k %s";
        assertThat(conditions("b", sql.formatted("> 100"))).containsExactly(">($0, 100)");
        assertThat(conditions("b", sql.formatted("> 10"))).containsExactly("");
    }

    @Test
    void outerJoinsRestrictTheSideThatTheyDoNotKeep() {
        String left = "select a.x, b.y from a left join b on a.k = b.k where a.k < 10";
        assertThat(conditions("b", left)).containsExactly("<($0, 10)");
        String right = "select a.x, b.y from a right join b on a.k = b.k where b.k < 10";
        assertThat(conditions("a", right)).containsExactly("<($0, 10)");
        String inCondition = "select a.x, b.y from a left join b on a.k = b.k and a.k < 10";
        assertThat(conditions("b", inCondition)).containsExactly("<($0, 10)");
    }

    @Test
    void notTheSideThatAnOuterJoinKeeps() {
        assertThat(conditions("a", "select a.x, b.y from a left join b on a.k = b.k and b.k < 10"))
                .containsExactly("");
        assertThat(conditions("b", "select a.x, b.y from (select * from a where k < 10) a full join b on a.k = b.k"))
                .containsExactly("");
        assertThat(conditions("a", "select x from a where not exists (select 1 from b where b.k = a.k and b.k < 10)"))
                .containsExactly("");
    }

    @Test
    void semiJoinsRestrictBothSides() {
        assertThat(conditions("b", "select x from a where k in (select k from b) and k < 10"))
                .containsExactly("<($0, 10)");
        assertThat(conditions("a", "select x from a where k in (select k from b where k < 10)"))
                .containsExactly("<($0, 10)");
    }

    @Test
    void antiJoinsRestrictTheRightSide() {
        assertThat(conditions(
                        "b", "select x from a where k < 10 and not exists (select 1 from b where b.k = a.k and y > 0)"))
                .singleElement()
                .asString()
                .contains("<($0, 10)");
    }

    @Test
    void notBetweenColumnsWhoseEqualValuesMayDiffer() {
        assertThat(conditions("b", "select a.x from a join b on a.d = b.d where a.d < 1"))
                .containsExactly("");
        assertThat(conditions("c", "select a.x from a join c on a.k = c.l where a.k < 10"))
                .containsExactly("");
    }

    @Test
    void notConditionsThatDifferEachTime() {
        assertThat(conditions("b", "select a.x from a join b on a.k = b.k where a.k < 1000 * rand()"))
                .containsExactly("");
    }

    @Test
    void notConditionsOnOtherColumns() {
        assertThat(conditions("b", "select a.x from a join b on a.k = b.k where a.x < 10"))
                .containsExactly("");
        assertThat(conditions("b", "select a.x from a join b on a.k = b.k where a.k < a.x"))
                .containsExactly("");
    }

    @Test
    void notThroughANullSafeEquality() {
        assertThat(conditions("b", "select a.x, b.y from a left join b on a.k <=> b.k where a.k < 10"))
                .containsExactly("");
    }
}
