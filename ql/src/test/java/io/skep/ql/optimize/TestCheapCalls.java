package io.skep.ql.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.ql.physical.RexTranslator;
import io.skep.ql.testing.RelFixture;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which calls are evaluated while a statement compiles. */
class TestCheapCalls {
    private final RelFixture fixture = new RelFixture().table("t", "s string, k int");

    private boolean isCheap(String expression) {
        RelNode root = fixture.analyzed("select " + expression + " from t");
        while (!(root instanceof Project)) {
            root = root.getInput(0);
        }
        RexTranslator rex = new RexTranslator(root.getCluster().getRexBuilder());
        return CheapCalls.isFoldableCheaply(
                rex.translate(((Project) root).getProjects().getFirst()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 + 2",
                "k + 1",
                "upper('abc')",
                "cast('12' as int)",
                "case when k > 1 then 'a' else lower('B') end",
                "k in (1, 2, 3)",
                "k > 1 and (k < 5 or s = 'x')",
                "concat('a', 'b', 'c')",
                "regexp_replace('abc', 'b+', 'x')",
                "split('a,b', ',')",
                "'abc' rlike '^a'",
                "date_format('2020-01-01', 'yyyy')",
                "levenshtein('abc', 'abd')",
                "sort_array(array(3, 1, 2))",
                "'a' like any ('a%', 'b%')"
            })
    void callsThatEndSoonWithSmallValues(String expression) {
        assertThat(isCheap(expression)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The result may be much longer than the arguments.
                "repeat('x', 1000000)",
                "space(1000000)",
                "lpad('x', 1000000, 'y')",
                "replace('x', 'x', 'yyy')",
                "printf('%1000000d', 1)",
                // Several quantifiers may need exponential time.
                "'aaaaaaaaaaaaaaaa' rlike '(a+)+b'",
                "regexp_replace('abc', 'a*b*', '')",
                // A text that is not known may be of any length.
                "s rlike 'a'",
                "regexp_extract(s, 'a', 0)",
                "regexp_replace('abc', s, '')",
                // Trees of objects.
                "get_json_object('{}', '$.a')",
                "xpath_string('<a/>', 'a')",
                "sentences('a b')",
                // Calls of any Java method.
                "reflect('java.lang.Math', 'random')",
                // An expensive call in any place.
                "concat('a', repeat('x', 10))",
                "case when k > 1 then space(5) else 'a' end",
                "k > 1 and s = space(5)",
                "cast(space(5) as varchar(3))"
            })
    void notOthers(String expression) {
        assertThat(isCheap(expression)).isFalse();
    }

    @Test
    void notCallsWithLongConstants() {
        String text = "x".repeat(40_000);
        assertThat(isCheap("upper('" + text + "')")).isTrue();
        assertThat(isCheap("concat('" + text + "', '" + text + "')")).isFalse();
    }

    @Test
    void notGrowingCallsOfMoreThanShortConstants() {
        String text = "x".repeat(600);
        assertThat(isCheap("levenshtein('" + text + "', 'y')")).isTrue();
        assertThat(isCheap("levenshtein('" + text + "', '" + text + "')")).isFalse();
        assertThat(isCheap("'" + text + text + "' rlike 'y'")).isFalse();
    }
}
