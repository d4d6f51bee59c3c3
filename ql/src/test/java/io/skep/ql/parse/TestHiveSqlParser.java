package io.skep.ql.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import java.util.Map;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.junit.jupiter.api.Test;

class TestHiveSqlParser {
    private final HiveSqlParser parser = new HiveSqlParser(Map.of());

    @Test
    void nodesKnowTheirPlaceAndText() {
        SyntaxNode query = parser.parse("select k,\n  upper( S ) from t");
        SyntaxNode call = query.descendants(HiveParser.TOK_FUNCTION).getFirst();
        assertThat(call.position()).isEqualTo(new TextPosition(2, 3));
        assertThat(call.source()).isEqualTo("upper( S )");
        assertThat(query.source()).isEqualTo("select k,\n  upper( S ) from t");
    }

    @Test
    void shapesIgnoreCaseOfNamesOnly() {
        assertThat(parser.parse("select Upper(K) from T").shape())
                .isEqualTo(parser.parse("select upper(k) from t").shape());
        assertThat(parser.parse("select 'A'").shape())
                .isNotEqualTo(parser.parse("select 'a'").shape());
    }

    @Test
    void statementsParseAsWell() {
        assertThat(parser.parse("create table t (a int) stored as orc").is(HiveParser.TOK_CREATETABLE))
                .isTrue();
    }

    @Test
    void expressionsCountFromTheirOwnStart() {
        SyntaxNode sum = parser.parseExpression("a + 1");
        assertThat(sum.is(HiveParser.PLUS)).isTrue();
        assertThat(sum.child(1).position()).isEqualTo(new TextPosition(1, 5));
    }

    @Test
    void signsInARowHaveOneOperandEach() {
        assertThat(parser.parseExpression("- + ~ a").shape())
                .isEqualTo(parser.parseExpression("- (+ (~ a))").shape());
        assertThat(parser.parseExpression("a - - 1").shape())
                .isEqualTo(parser.parseExpression("a - (- 1)").shape());
    }

    @Test
    void syntaxErrorsHavePlaceAndHint() {
        SkepException error = catchThrowableOfType(SkepException.class, () -> parser.parse("select 1\nform t where"));
        assertThat(error.code()).isEqualTo(StandardErrorCode.SYNTAX_ERROR);
        assertThat(error.position()).isPresent();
        SkepException bad = catchThrowableOfType(SkepException.class, () -> parser.parseExpression("a +"));
        assertThat(bad.code()).isEqualTo(StandardErrorCode.SYNTAX_ERROR);
    }
}
