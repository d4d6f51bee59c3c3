package io.skep.engine.expression;

import static io.skep.common.type.PrimitiveType.BIGINT;
import static io.skep.common.type.PrimitiveType.BOOLEAN;
import static io.skep.common.type.PrimitiveType.INT;
import static io.skep.common.type.PrimitiveType.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.scalar.ScalarFunction;
import io.skep.engine.function.scalar.Values;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Expression.Call;
import io.skep.engine.plan.Expression.Case;
import io.skep.engine.plan.Expression.Constant;
import io.skep.engine.plan.Expression.InputColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TestExpressionCompiler {
    private final ExpressionCompiler compiler =
            new ExpressionCompiler(FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC")));

    @Test
    void callsRunOverFlatColumns() {
        Expression upper = new Call("upper", List.of(new InputColumn(0, STRING)), STRING);
        assertThat(texts(compiler.compile(upper).evaluate(strings("a", null, "é"))))
                .containsExactly("A", null, "É");
    }

    @Test
    void dictionariesAreEvaluatedOnTheirEntries() {
        Vector entries = strings("a", "b").column(0);
        long[] nulls = {1L << 2};
        Batch batch = Batch.of(4, new DictionaryVector(new int[] {1, 0, 0, 1}, entries, nulls, 4));
        Expression upper = new Call("upper", List.of(new InputColumn(0, STRING)), STRING);
        assertThat(texts(compiler.compile(upper).evaluate(batch))).containsExactly("B", "A", null, "B");
        Batch withoutNulls = Batch.of(4, new DictionaryVector(new int[] {1, 0, 0, 1}, entries, null, 4));
        Vector encoded = compiler.compile(upper).evaluate(withoutNulls);
        assertThat(encoded).isInstanceOf(DictionaryVector.class);
        assertThat(texts(encoded)).containsExactly("B", "A", "A", "B");
    }

    @Test
    void functionsWithSideEffectsSeeTheEntriesOfRowsOnly() {
        List<String> seen = new ArrayList<>();
        ScalarFunction witness = new ScalarFunction() {
            @Override
            public Vector evaluate(Vector[] arguments, int rows) {
                for (int row = 0; row < rows; row++) {
                    seen.add(
                            arguments[0].isNull(row)
                                    ? "null"
                                    : Datum.of(arguments[0], row, STRING).toString());
                }
                return arguments[0];
            }

            @Override
            public boolean hasSideEffects() {
                return true;
            }
        };
        Evaluator evaluator = new FunctionEvaluator(witness, compiler.compileAll(List.of(new InputColumn(0, STRING))));
        Vector entries = strings("hidden", "a", "hidden too", "b").column(0);
        int[] ids = {3, 1, 1, 3, 3};
        for (long @Nullable [] nulls : new long @Nullable [] @Nullable [] {null, {1L << 2}}) {
            seen.clear();
            Vector result = evaluator.evaluate(Batch.of(5, new DictionaryVector(ids, entries, nulls, 5)));
            assertThat(seen).contains("a", "b").doesNotContain("hidden", "hidden too");
            assertThat(texts(result)).containsExactly("b", "a", nulls == null ? "a" : null, "b", "b");
        }
    }

    @Test
    void constantsAreEvaluatedOnce() {
        Expression call = new Call("upper", List.of(new Constant(Datum.ofText("x"), STRING)), STRING);
        assertThat(compiler.compile(call).evaluate(longs(1, 2, 3))).isInstanceOf(ConstantVector.class);
    }

    @Test
    void branchesSeeOnlyTheirRows() {
        Expression column = new InputColumn(0, BIGINT);
        Expression positive = new Call(">", List.of(column, number(0)), BOOLEAN);
        Expression failing = new Call("assert_true", List.of(positive), io.skep.common.type.PrimitiveType.VOID);
        Expression checked = new Case(
                List.of(new Case.Branch(positive, new Call("isnull", List.of(failing), BOOLEAN))),
                new Constant(Datum.ofBoolean(false), BOOLEAN));
        assertThat(numbers(compiler.compile(checked).evaluate(longs(5, -1, 7)))).containsExactly(1L, 0L, 1L);
    }

    @Test
    void logicIsThreeValued() {
        Datum[] all = {Datum.ofBoolean(true), Datum.ofBoolean(false), Datum.NULL};
        VectorAppender left = VectorAppender.of(BOOLEAN);
        VectorAppender right = VectorAppender.of(BOOLEAN);
        for (Datum a : all) {
            for (Datum b : all) {
                a.appendTo(left, BOOLEAN);
                b.appendTo(right, BOOLEAN);
            }
        }
        Batch batch = Batch.of(9, left.build(), right.build());
        List<Expression> columns = List.of(new InputColumn(0, BOOLEAN), new InputColumn(1, BOOLEAN));
        assertThat(numbers(compiler.compile(new Expression.And(columns)).evaluate(batch)))
                .containsExactly(1L, 0L, null, 0L, 0L, 0L, null, 0L, null);
        assertThat(numbers(compiler.compile(new Expression.Or(columns)).evaluate(batch)))
                .containsExactly(1L, 1L, 1L, 1L, 0L, null, 1L, null, null);
        int[] positions = new int[9];
        assertThat(compiler.compileFilter(new Expression.And(columns)).filter(batch, positions))
                .isEqualTo(1);
        assertThat(positions[0]).isZero();
        int count = compiler.compileFilter(new Expression.Or(columns)).filter(batch, positions);
        assertThat(IntStream.range(0, count).map(i -> positions[i])).containsExactly(0, 1, 2, 3, 6);
    }

    @Test
    void conjunctsSeeTheRowsThatArePassed() {
        long[] ones = new long[100];
        long[] twos = new long[100];
        for (int i = 0; i < 100; i++) {
            ones[i] = i;
            twos[i] = i % 7;
        }
        Batch batch = Batch.of(
                100,
                strings("x").column(0).select(new int[100], 100),
                new LongVector(twos, null, 100),
                new LongVector(ones, null, 100));
        Expression filter = new Expression.And(List.of(
                new Call(">", List.of(new InputColumn(2, BIGINT), number(50)), BOOLEAN),
                new Expression.Or(List.of(
                        new Call("=", List.of(new InputColumn(1, BIGINT), number(3)), BOOLEAN),
                        new Call("=", List.of(new InputColumn(2, BIGINT), number(51)), BOOLEAN))),
                new Case(
                        List.of(new Case.Branch(
                                new Call("<", List.of(new InputColumn(2, BIGINT), number(90)), BOOLEAN),
                                new Constant(Datum.ofBoolean(true), BOOLEAN))),
                        new Constant(Datum.ofBoolean(false), BOOLEAN))));
        int[] positions = new int[100];
        int count = compiler.compileFilter(filter).filter(batch, positions);
        assertThat(IntStream.range(0, count).map(i -> positions[i])).containsExactly(51, 52, 59, 66, 73, 80, 87);
    }

    @Test
    void coalesceTakesTheFirstThatIsThere() {
        Batch batch = Batch.of(
                3,
                column(STRING, Datum.NULL, Datum.ofText("b"), Datum.NULL),
                column(STRING, Datum.ofText("x"), Datum.ofText("y"), Datum.NULL));
        Expression call = new Call("coalesce", List.of(new InputColumn(0, STRING), new InputColumn(1, STRING)), STRING);
        assertThat(texts(compiler.compile(call).evaluate(batch))).containsExactly("x", "b", null);
    }

    @Test
    void inKnowsNulls() {
        Expression in = new Expression.In(
                new InputColumn(0, BIGINT),
                List.of(new Constant(new Datum.OfLong(2), BIGINT), Constant.ofNull(BIGINT)));
        assertThat(numbers(compiler.compile(in).evaluate(longs(1, 2)))).containsExactly(null, 1L);
        Expression text =
                new Expression.In(new InputColumn(0, STRING), List.of(new Constant(Datum.ofText("b"), STRING)));
        assertThat(numbers(compiler.compile(text).evaluate(strings("a", "b", null))))
                .containsExactly(0L, 1L, null);
        List<Constant> many = IntStream.range(0, 40)
                .mapToObj(i -> new Constant(Datum.ofText("b" + i), STRING))
                .toList();
        assertThat(numbers(compiler.compile(new Expression.In(new InputColumn(0, STRING), many))
                        .evaluate(strings("b", "b7", null, "b39"))))
                .containsExactly(0L, 1L, null, 1L);
        assertThat(numbers(compiler.compile(new Expression.In(new InputColumn(0, STRING), many.subList(0, 9)))
                        .evaluate(strings("b", "b7", null, ""))))
                .containsExactly(0L, 1L, null, 0L);
    }

    @Test
    void castsAreHives() {
        Expression cast = new Expression.Cast(new InputColumn(0, STRING), INT);
        assertThat(numbers(compiler.compile(cast).evaluate(strings(" 12 ", "x", null, "3000000000"))))
                .containsExactly(12L, null, null, null);
    }

    private static Expression number(long value) {
        return new Constant(new Datum.OfLong(value), BIGINT);
    }

    private static Batch longs(long... values) {
        return Batch.of(values.length, new LongVector(values, null, values.length));
    }

    private static Batch strings(@Nullable String... values) {
        VectorAppender appender = VectorAppender.of(STRING);
        for (@Nullable String value : values) {
            (value == null ? Datum.NULL : Datum.ofText(value)).appendTo(appender, STRING);
        }
        return Batch.of(values.length, appender.build());
    }

    private static Vector column(SqlType type, Datum... values) {
        VectorAppender appender = VectorAppender.of(type);
        for (Datum value : values) {
            value.appendTo(appender, type);
        }
        return appender.build();
    }

    private static List<@Nullable String> texts(Vector vector) {
        List<@Nullable String> texts = new ArrayList<>();
        for (int i = 0; i < vector.length(); i++) {
            texts.add(vector.isNull(i) ? null : Values.datum(vector, i).toString());
        }
        return texts;
    }

    private static List<@Nullable Long> numbers(Vector vector) {
        List<@Nullable Long> numbers = new ArrayList<>();
        for (int i = 0; i < vector.length(); i++) {
            numbers.add(vector.isNull(i) ? null : ((Datum.OfLong) Values.datum(vector, i)).value());
        }
        return numbers;
    }
}
