package io.skep.ql.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.testing.AnalysisFixture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestSemanticErrors {
    private final AnalysisFixture session = new AnalysisFixture();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "selec 1 | SYNTAX_ERROR | 1 | 0 | did you mean 'select'?",
                "select nosuch from pv2 | COLUMN_NOT_FOUND | 1 | 7 | -",
                "select dbll from pv | COLUMN_NOT_FOUND | 1 | 7 | did you mean dbl?",
                "select x.k from pv | COLUMN_NOT_FOUND | 1 | 7 | -",
                "select * from pv3 | TABLE_NOT_FOUND | 1 | 14 | did you mean pv or pv2 or pvp?",
                "select * from nodb.pv | TABLE_NOT_FOUND | 1 | 14 | -",
                "select k from pv a, pv2 b | COLUMN_AMBIGUOUS | 1 | 7 | it is one of a.k, b.k",
                "select k from pv group by s | NOT_IN_GROUP_BY | 1 | 7 | -",
                "select k, sum(b) from pv | NOT_IN_GROUP_BY | 1 | 7 | -",
                "select uper(s) from pv | FUNCTION_NOT_FOUND | 1 | 7 | -",
                "select noop(1) | FUNCTION_NOT_FOUND | 1 | 7 | "
                        + "it is a partitioned table function: write it in FROM, as noop(on t partition by k)",
                "select k from pv where noop(k) | FUNCTION_NOT_FOUND | 1 | 23 | "
                        + "it is a partitioned table function: write it in FROM, as noop(on t partition by k)",
                "select sum(sum(k)) from pv | SEMANTIC_ERROR | 1 | 11 | -",
                "select k from pv where sum(k) > 1 | SEMANTIC_ERROR | 1 | 23 | -",
                "select rank() from pv | SEMANTIC_ERROR | 1 | 7 | -",
                "select arr = 1 from t1 | TYPE_MISMATCH | 1 | 7 | -",
                "select a from t1 where st | TYPE_MISMATCH | 1 | 23 | -",
                "select cast(1 as date) | TYPE_MISMATCH | 1 | 7 | -",
                "select st.nope from t1 | COLUMN_NOT_FOUND | 1 | 7 | -",
                "select k.x from pv | TYPE_MISMATCH | 1 | 7 | -",
                "select 1 as c union all select 'a' | TYPE_MISMATCH | - | - | CAST one of them",
                "select 1, 2 union all select 1 | SEMANTIC_ERROR | - | - | -",
                "select k from pv where k in (select k, v from pv2) | SEMANTIC_ERROR | 1 | 23 | -",
                "select * from pv join pv on true | SEMANTIC_ERROR | - | - | give one of them another alias",
                "select k from pv order by 3 | SEMANTIC_ERROR | 1 | 26 | -",
                "select distinct k from pv order by s | COLUMN_NOT_FOUND | 1 | 35 | -",
                "select distinct upper(s) u from pv order by lower(s) | COLUMN_NOT_FOUND | 1 | 44 | -",
                "select rank() over (order by (select max(k) from pv2), k) from pv | NOT_SUPPORTED | - | - | -",
                "select transform(k) using 'cat' as (x, x) from pv | SEMANTIC_ERROR | - | - | -",
                "select explode(array(1)), 2 | SEMANTIC_ERROR | 1 | 26 | -",
                "select sum(k) over w from pv | SEMANTIC_ERROR | - | - | -",
                "select count(*) from pv group by k,k+1,k+2,k+3,k+4,k+5,k+6,k+7,k+8,k+9,k+10,k+11,k+12"
                        + " with cube | SEMANTIC_ERROR | - | - | -",
                "select substr() | INVALID_ARGUMENT | 1 | 7 | -",
                "with q as (select * from q) select * from q | RECURSIVE_VIEW | - | - | -",
                "select k from pv2 group by k grouping sets ((v)) | NOT_IN_GROUP_BY | 1 | 45 | -"
            })
    void errorsHaveCodePlaceAndHint(String query, StandardErrorCode code, Integer line, Integer column, String hint) {
        SkepException error = catchThrowableOfType(SkepException.class, () -> session.analyze(query));
        assertThat(error).isNotNull();
        assertThat(error.code()).isEqualTo(code);
        if (line != null) {
            assertThat(error.position()).hasValueSatisfying(at -> {
                assertThat(at.line()).isEqualTo(line);
                assertThat(at.column()).isEqualTo(column);
            });
        } else {
            assertThat(error.position()).isPresent();
        }
        if (hint != null) {
            assertThat(error.hint()).contains(hint);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"select date '%s'", "select substr('%s')"})
    void errorsHaveTheBeginningOfALongLiteral(String query) {
        String literal = "x".repeat(1_000_000);
        SkepException error =
                catchThrowableOfType(SkepException.class, () -> session.analyze(query.formatted(literal)));
        assertThat(error.getMessage()).hasSizeLessThan(1_000);
        assertThat(error.hint().orElse("")).hasSizeLessThan(1_000);
    }
}
