package io.skep.ql.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.junit.jupiter.api.Test;

class TestHiveSqlParser {
    private final HiveSqlParser parser = new HiveSqlParser(Map.of());

    @Test
    void nodesKnowTheirPlaceAndText() {
        SyntaxNode query = parser.parse("select k,\n  upper( S ) from t");
        SyntaxNode call = query.descendants(HiveParser.TOK_FUNCTION).getFirst();
        assertThat(call.position()).isEqualTo(new TextPosition(2, 2));
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
        assertThat(sum.child(1).position()).isEqualTo(new TextPosition(1, 4));
    }

    @Test
    void signsInARowHaveOneOperandEach() {
        assertThat(parser.parseExpression("- + ~ a").shape())
                .isEqualTo(parser.parseExpression("- (+ (~ a))").shape());
        assertThat(parser.parseExpression("a - - 1").shape())
                .isEqualTo(parser.parseExpression("a - (- 1)").shape());
    }

    @Test
    void longListsOfConstantsAreReadAsShortOnes() {
        String values = "1, 'a b' , 2.5 ,\n -7, 12L, ";
        String list = values.repeat(50) + "3";
        SyntaxNode in = parser.parse("select a from t where a not in (" + list + ") and b in (1, 2)")
                .descendants(HiveParser.TOK_FUNCTION)
                .getFirst();
        assertThat(in.childCount()).isEqualTo(2 + 251);
        SyntaxNode few = parser.parseExpression("a in (" + values + "3)");
        for (int i = 0; i < 250; i++) {
            SyntaxNode one = in.child(2 + i);
            assertThat(one.shape()).isEqualTo(few.child(2 + i % 5).shape());
            assertThat(one.source()).isEqualTo(few.child(2 + i % 5).source());
        }
        assertThat(in.child(2 + 8).position()).isEqualTo(new TextPosition(3, 1));
        assertThat(in.child(2 + 8).offset())
                .isEqualTo("select a from t where a not in (".length() + values.length() + values.indexOf('-'));
        assertThat(in.source()).endsWith(", 3)");
    }

    @Test
    void longListsOfOtherThingsAreTheGrammars() {
        String list = "1, ".repeat(200);
        assertThat(parser.parseExpression("a in (" + list + "b)").childCount()).isEqualTo(2 + 201);
        assertThat(parser.parse("select a in (" + list + "1 + 2) from t")
                        .descendants(HiveParser.TOK_FUNCTION)
                        .getFirst()
                        .childCount())
                .isEqualTo(2 + 201);
        SkepException error =
                catchThrowableOfType(SkepException.class, () -> parser.parse("select a in (" + list + "1) form t"));
        assertThat(error.code()).isEqualTo(StandardErrorCode.SYNTAX_ERROR);
    }

    @Test
    void negationsInARowHaveOneOperandEach() {
        assertThat(parser.parseExpression("not not ! a").shape())
                .isEqualTo(parser.parseExpression("not (not (! a))").shape());
        assertThat(parser.parseExpression("b and not not a in (1)").shape())
                .isEqualTo(parser.parseExpression("b and not (not (a in (1)))").shape());
        assertThat(parser.parseExpression("not - - a").shape())
                .isEqualTo(parser.parseExpression("not (- (- a))").shape());
    }

    @Test
    void interruptsEndTheReadingOfALongToken() {
        String text = "select 1 -- " + "x".repeat(1_000_000);
        Thread.currentThread().interrupt();
        try {
            assertThat(catchThrowableOfType(SkepException.class, () -> parser.parse(text))
                            .code())
                    .isEqualTo(StandardErrorCode.OPERATION_CANCELED);
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void literalsHaveABound() {
        String longest = "x".repeat(InterruptibleTokens.MAX_LITERAL - 2);
        assertThat(parser.parse("select '" + longest + "'").text()).isNotNull();
        SkepException error =
                catchThrowableOfType(SkepException.class, () -> parser.parse("select\n 'x" + longest + "'"));
        assertThat(error.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED);
        assertThat(error.position()).contains(new TextPosition(2, 1));
    }

    @Test
    void syntaxErrorsBehindALongListHaveTheirPlace() {
        String list = IntStream.range(0, 10_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
        SkepException error = catchThrowableOfType(
                SkepException.class, () -> parser.parse("select 1\nfrom t where a in (" + list + ")\n form u"));
        assertThat(error.code()).isEqualTo(StandardErrorCode.SYNTAX_ERROR);
        assertThat(error.position().map(TextPosition::line)).contains(3);
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
