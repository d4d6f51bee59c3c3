package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.testing.RelFixture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the limits by which the optimizer does without rewrites that take too long. */
class TestExpressionSize {
    private final RelFixture fixture = new RelFixture().table("t", "k int, v int, s string");

    private ExpressionSize size(String sql) {
        return ExpressionSize.of(fixture.analyzed(sql));
    }

    @Test
    void nodesOfTheLargestExpression() {
        // An OR over n comparisons, each with a column and a constant.
        String terms = IntStream.range(0, 10).mapToObj(i -> "v > " + i).collect(Collectors.joining(" or "));
        ExpressionSize size = size("select k from t where " + terms);
        assertThat(size.isWithin(31, 0)).isTrue();
        assertThat(size.isWithin(30, 0)).isFalse();
    }

    @Test
    void nodesOfAllProjectionsTogether() {
        ExpressionSize size = size("select k + 1, v + 2, k + v from t");
        assertThat(size.isWithin(9, 0)).isTrue();
        assertThat(size.isWithin(8, 0)).isFalse();
    }

    @Test
    void longTextsCountAsSeveralNodes() {
        ExpressionSize size = size("select k from t where s = '" + "x".repeat(640) + "'");
        assertThat(size.isWithin(13, 0)).isTrue();
        assertThat(size.isWithin(12, 0)).isFalse();
    }

    @Test
    void branchesAreOperatorsWithSeveralInputs() {
        ExpressionSize joins = size("select a.k from t a join t b on a.k = b.k join t c on b.k = c.k");
        assertThat(joins.isWithin(1000, 2)).isTrue();
        assertThat(joins.isWithin(1000, 1)).isFalse();
        assertThat(joins.isWide(1)).isTrue();
        assertThat(joins.isWide(2)).isFalse();
    }

    @Test
    void aQueryOfOneTableIsNotWide() {
        assertThat(size("select k from t where v > 3").isWide(0)).isFalse();
    }

    /** Each level doubles the expression if columns are replaced by their definitions. */
    @Test
    void expressionsThatGrowWhenTheyAreMerged() {
        String doubled = "(select v from t) q";
        for (int level = 0; level < 8; level++) {
            doubled = "(select v + v as v from " + doubled + ") q";
        }
        assertThat(size("select v from " + doubled).isWithin(2000, 48)).isTrue();
        for (int level = 0; level < 8; level++) {
            doubled = "(select v + v as v from " + doubled + ") q";
        }
        assertThat(size("select v from " + doubled).isWithin(2000, 48)).isFalse();
    }

    @Test
    void grownExpressionsCountThroughAggregations() {
        String doubled = "(select v from t) q";
        for (int level = 0; level < 16; level++) {
            doubled = "(select v + v as v from " + doubled + ") q";
        }
        assertThat(size("select v from (select v, count(*) as n from " + doubled + " group by v) g")
                        .isWithin(2000, 48))
                .isFalse();
    }
}
