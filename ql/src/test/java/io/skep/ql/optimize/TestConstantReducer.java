package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.rel.TypeMapping;
import io.skep.ql.testing.RelFixture;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the values of constant expressions, and which expressions stay for the execution. */
class TestConstantReducer {
    private final RelFixture fixture = new RelFixture().table("t", "s string, k int");
    private final ConstantReducer reducer = new ConstantReducer(RelFixture.expressions());

    /** Returns an expression as it is written, then after the reduction. */
    private List<RexNode> reduced(String expression) {
        RelNode root = fixture.analyzed("select " + expression + " from t");
        while (!(root instanceof Project)) {
            root = root.getInput(0);
        }
        RexNode before = ((Project) root).getProjects().getFirst();
        List<RexNode> after = new ArrayList<>();
        reducer.reduce(root.getCluster().getRexBuilder(), List.of(before), after);
        return List.of(before, after.getFirst());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 + 2 | 3",
                "concat('a', 'b') | ab",
                "cast('12' as int) | 12",
                "cast('x' as int) | null",
                "1 / 0 | null",
                "7 % 4 | 3",
                "upper(substr('hello', 2, 3)) | ELL",
                "date_add('2020-02-28', 2) | 2020-03-01",
                "1 = 2 | false",
                "nvl(null, 5) | 5",
                "cast(1.25 as decimal(5,1)) | 1.3",
                "if(1 > 2, 'a', 'b') | b"
            })
    void folds(String expression, String value) {
        RexNode after = reduced(expression).getLast();
        assertThat(after.toString()).contains(value);
        assertThat(withoutCast(after)).isInstanceOf(RexLiteral.class);
    }

    /** A text literal of another length than its type is a cast of a literal. */
    private static RexNode withoutCast(RexNode node) {
        return node instanceof RexCall call && call.getOperands().size() == 1
                ? call.getOperands().getFirst()
                : node;
    }

    @Test
    void keepsTheType() {
        for (String expression : List.of("1Y + 1Y", "cast(null as date)", "concat('a', 'b')", "2.50 * 2")) {
            List<RexNode> both = reduced(expression);
            assertThat(TypeMapping.toSql(both.getLast().getType()))
                    .as(expression)
                    .isEqualTo(TypeMapping.toSql(both.getFirst().getType()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Fails, and may never be reached.
                "assert_true(1 > 2)",
                // No literal of the algebra.
                "array(1, 2)",
                "map('a', 1)",
                "1e308 * 10",
                // Expensive.
                "repeat('x', 5)",
            })
    void leavesOthers(String expression) {
        List<RexNode> both = reduced(expression);
        assertThat(both.getLast()).isSameAs(both.getFirst());
    }
}
