package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestStatementShape {
    private static List<List<String>> literals(String statement) {
        return StatementShape.of(statement).orElseThrow().literals().stream()
                .map(StatementShape.Literal::texts)
                .toList();
    }

    private static String text(String statement) {
        return StatementShape.of(statement).orElseThrow().text();
    }

    @Test
    void takesOutNumbersAndTexts() {
        assertThat(literals("select a from t where b = 17 and c<8")).containsExactly(List.of("17"), List.of("8"));
        assertThat(literals("select 'it\\'s', \"a'b\", '', 1.50, 2147483648, 007, '" + "\u0001" + "'"))
                .containsExactly(
                        List.of("'it\\'s'"),
                        List.of("\"a'b\""),
                        List.of("''"),
                        List.of("1.50"),
                        List.of("2147483648"),
                        List.of("007"),
                        List.of("'\u0001'"));
        assertThat(text("select a from t where b = 17")).isEqualTo(text("select a from t where b = 18"));
        assertThat(text("select a from t where b = 'x'")).isEqualTo(text("select a from t where b = 'a\\'b'"));
    }

    @Test
    void tellsKindsApart() {
        assertThat(List.of(
                        text("select 2147483647"),
                        text("select 2147483648"),
                        text("select 1.5"),
                        text("select '1'"),
                        text("select \"1\""),
                        text("select `1`")))
                .doesNotHaveDuplicates();
    }

    @Test
    void takesOutListsWhole() {
        assertThat(literals("select 1 from t where a in (1, 2,3000000000) and b IN('x' , 'y') and c in (\"z\")"))
                .containsExactly(
                        List.of("1"), List.of("1", "2", "3000000000"), List.of("'x'", "'y'"), List.of("\"z\""));
        assertThat(text("select a from t where b in (1, 2)")).isEqualTo(text("select a from t where b in (1,2, 3)"));
        assertThat(text("select a from t where b in ('x')")).isEqualTo(text("select a from t where b in ('y', 'z')"));
        assertThat(text("select a from t where b in (1)")).isNotEqualTo(text("select a from t where b = (1)"));
    }

    @Test
    void leavesOtherListsAsTheyAre() {
        for (String list :
                List.of("(1, 'x')", "(1, null)", "(1, a)", "(1, -2)", "((1, 2))", "('a''b', 'c')", "('a' 'b')", "(1")) {
            assertThat(StatementShape.of("select a from t where b in " + list)
                            .orElseThrow()
                            .literals())
                    .as(list)
                    .noneMatch(StatementShape.Literal::isList);
        }
        assertThat(literals("select min (1, 2), xin(3), t.in (4)"))
                .containsExactly(List.of("1"), List.of("2"), List.of("3"), List.of("4"));
    }

    @Test
    void leavesOtherConstantsAndNames() {
        assertThat(literals("select t1, 2., .5, 3L, 4e2, 1.5e3, 1.5.2, `8`, 9_x, t.10, 1234567890123456789, 1.5BD"))
                .isEmpty();
        assertThat(literals("select `a\\`, 3")).containsExactly(List.of("3"));
    }

    @Test
    void hasNoneForWhatItCannotTell() {
        assertThat(StatementShape.of("insert into t values (1)")).isEmpty();
        assertThat(StatementShape.of("\u017felect 1 from t")).isEmpty();
        assertThat(StatementShape.of("sel")).isEmpty();
        assertThat(StatementShape.of("select 1 -- 2")).isEmpty();
        assertThat(StatementShape.of("select 1 /* 2 */")).isEmpty();
        assertThat(StatementShape.of("select '1")).isEmpty();
        assertThat(StatementShape.of("select '1\\'")).isEmpty();
        assertThat(StatementShape.of("select \u0001")).isEmpty();
        assertThat(StatementShape.of("select a from t where a in ('1")).isEmpty();
    }

    @Test
    void knowsWhereLiteralsAre() {
        String statement = "select a from t where b = 17";
        assertThat(StatementShape.of(statement)
                        .orElseThrow()
                        .literals()
                        .getFirst()
                        .tokens()
                        .getFirst()
                        .offset())
                .isEqualTo(statement.indexOf("17"));
    }
}
