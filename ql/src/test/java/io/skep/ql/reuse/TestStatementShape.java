package io.skep.ql.reuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestStatementShape {
    private static List<Long> numbers(String statement) {
        return StatementShape.of(statement).orElseThrow().numbers().stream()
                .map(StatementShape.Literal::value)
                .toList();
    }

    private static String text(String statement) {
        return StatementShape.of(statement).orElseThrow().text();
    }

    @Test
    void takesOutWholeNumbers() {
        assertThat(numbers("select a from t where b = 17 and c<8")).containsExactly(17L, 8L);
        assertThat(text("select a from t where b = 17")).isEqualTo(text("select a from t where b = 18"));
    }

    @Test
    void tellsIntFromBigint() {
        assertThat(text("select 2147483647")).isNotEqualTo(text("select 2147483648"));
    }

    @Test
    void leavesOtherConstantsAndNames() {
        assertThat(numbers("select t1, 1.5, 2., .5, 3L, 4e2, '6', \"7\", `8`, 9_x, t.10, 1234567890123456789"))
                .isEmpty();
        assertThat(numbers("select '\\'1', 2")).containsExactly(2L);
        assertThat(numbers("select `a\\`, 3")).containsExactly(3L);
    }

    @Test
    void hasNoneForWhatItCannotTell() {
        assertThat(StatementShape.of("insert into t values (1)")).isEmpty();
        assertThat(StatementShape.of("select 1 -- 2")).isEmpty();
        assertThat(StatementShape.of("select 1 /* 2 */")).isEmpty();
        assertThat(StatementShape.of("select '1")).isEmpty();
        assertThat(StatementShape.of("select \u0001")).isEmpty();
    }

    @Test
    void knowsWhereNumbersAre() {
        String statement = "select a from t where b = 17";
        assertThat(StatementShape.of(statement)
                        .orElseThrow()
                        .numbers()
                        .getFirst()
                        .offset())
                .isEqualTo(statement.indexOf("17"));
    }
}
