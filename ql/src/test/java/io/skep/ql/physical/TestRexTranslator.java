package io.skep.ql.physical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.ql.testing.RelFixture;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plan expressions for SQL expressions as they are written. */
class TestRexTranslator {
    private final RelFixture fixture = new RelFixture().table("t", "k int, v bigint, s string, b boolean");

    private static Expression translated(RelNode root, RexNode node) {
        return new RexTranslator(root.getCluster().getRexBuilder()).translate(node);
    }

    private Expression value(String expression) {
        RelNode root = fixture.analyzed("select " + expression + " from t");
        return translated(root, ((Project) root).getProjects().getFirst());
    }

    private Expression condition(String condition) {
        RelNode root = fixture.analyzed("select k from t where " + condition);
        while (!(root instanceof Filter)) {
            root = root.getInput(0);
        }
        return translated(root, ((Filter) root).getCondition());
    }

    /** Returns an expression with calls in prefix form, columns as {@code $n} and casts as their type. */
    private static String text(Expression expression) {
        return switch (expression) {
            case Expression.InputColumn column -> "$" + column.index();
            case Expression.Constant constant -> constant.value().isNull() ? "null" : number(constant);
            case Expression.Call call -> call.function() + texts(call.arguments());
            case Expression.Cast cast -> cast.type().displayName() + texts(List.of(cast.operand()));
            case Expression.And and -> "and" + texts(and.operands());
            case Expression.Or or -> "or" + texts(or.operands());
            case Expression.Case choice ->
                choice.branches().stream()
                                .map(branch -> text(branch.condition()) + "? " + text(branch.value()))
                                .collect(Collectors.joining(", ", "case(", ", "))
                        + text(choice.otherwise()) + ")";
            case Expression.In in -> "in(" + text(in.value()) + ", " + texts(in.candidates()) + ")";
        };
    }

    private static String number(Expression.Constant constant) {
        return constant.value() instanceof Datum.OfLong number
                ? Long.toString(number.value())
                : constant.value().toString();
    }

    private static String texts(List<? extends Expression> expressions) {
        return expressions.stream().map(TestRexTranslator::text).collect(Collectors.joining(", ", "(", ")"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "k + 1 | +($0, 1)",
                "-k | negative($0)",
                "k % 3 | %($0, 3)",
                "upper(s) | upper($2)",
                "cast(k as bigint) | bigint($0)",
                "cast(k as int) | $0",
                "k is null | isnull($0)",
                "k is not null | isnotnull($0)",
                "b is true | istrue($3)",
                "b is not false | isnotfalse($3)",
                "k <=> 3 | <=>($0, 3)",
                "not b | not($3)",
                "k between 2 and 5 | and(>=($0, 2), <=($0, 5))",
                "case when k > 1 then 'a' else 'b' end | case(>($0, 1)? a, b)",
                "if(b, k, 7) | case($3? $0, 7)"
            })
    void values(String sql, String expected) {
        assertThat(text(value(sql))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "k = 1 | =($0, 1)",
                "k in (1) | =($0, 1)",
                "k in (3, 1, 2) | in($0, (1, 2, 3))",
                "k not in (1, 2) | not(in($0, (1, 2)))",
                "k = 1 or k = 2 | in($0, (1, 2))",
                "k = 1 or v = 5 or k = 2 | or(in($0, (1, 2)), =($1, 5))",
                "k = 1 or k > 5 | or(=($0, 1), >($0, 5))",
                "k <> 1 and k <> 2 | and(<>($0, 1), <>($0, 2))",
                "k = 1 or k = v | or(=($0, 1), =(bigint($0), $1))"
            })
    void conditions(String sql, String expected) {
        assertThat(text(condition(sql))).isEqualTo(expected);
    }

    /** Each of a few comparisons is cheaper than a search. */
    @Test
    void manyInequalitiesBecomeASearch() {
        Expression few = condition(inequalities(16));
        assertThat(few)
                .isInstanceOfSatisfying(
                        Expression.And.class, and -> assertThat(and.operands()).hasSize(16));
        Expression many = condition(inequalities(17));
        assertThat(text(many)).startsWith("not(in($0, (0, 1, 2");
    }

    private static String inequalities(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k <> " + i).collect(Collectors.joining(" and "));
    }

    @Test
    void nestedCasesBecomeOne() {
        Expression nested = value("case when k = 1 then 'a' else case when k = 2 then 'b' else case when k = 3 then 'c'"
                + " else 'd' end end end");
        assertThat(text(nested)).isEqualTo("case(=($0, 1)? a, =($0, 2)? b, =($0, 3)? c, d)");
    }

    @Test
    void branchesHaveTheTypeOfTheCase() {
        Expression mixed = value("case when b then k else v end");
        assertThat(mixed.type()).isEqualTo(PrimitiveType.BIGINT);
        assertThat(text(mixed)).isEqualTo("case($3? bigint($0), $1)");
    }

    @Test
    void otherExpressionsAreRefused() {
        RelNode root = fixture.analyzed("select k from t");
        RexBuilder rex = root.getCluster().getRexBuilder();
        RexNode parameter = rex.makeDynamicParam(rex.getTypeFactory().createUnknownType(), 0);
        assertThat(catchThrowableOfType(SkepException.class, () -> translated(root, parameter))
                        .code())
                .isEqualTo(StandardErrorCode.NOT_SUPPORTED);
    }
}
