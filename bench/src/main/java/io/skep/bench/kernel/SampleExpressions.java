package io.skep.bench.kernel;

import static io.skep.common.type.PrimitiveType.BIGINT;
import static io.skep.common.type.PrimitiveType.BOOLEAN;
import static io.skep.common.type.PrimitiveType.DATE;
import static io.skep.common.type.PrimitiveType.DOUBLE;
import static io.skep.common.type.PrimitiveType.INT;
import static io.skep.common.type.PrimitiveType.STRING;

import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Expression.And;
import io.skep.engine.plan.Expression.Call;
import io.skep.engine.plan.Expression.Case;
import io.skep.engine.plan.Expression.Cast;
import io.skep.engine.plan.Expression.Constant;
import io.skep.engine.plan.Expression.In;
import io.skep.engine.plan.Expression.InputColumn;
import java.math.BigInteger;
import java.util.List;

/** Expressions by their text, over a batch with one column of each kind. */
final class SampleExpressions {
    private static final SqlType MONEY = new DecimalType(12, 2);
    private static final SqlType LARGE = new DecimalType(30, 2);

    private static final Expression A = new InputColumn(0, BIGINT);
    private static final Expression N = new InputColumn(1, BIGINT);
    private static final Expression D = new InputColumn(2, DOUBLE);
    private static final Expression M = new InputColumn(3, MONEY);
    private static final Expression L = new InputColumn(4, LARGE);
    private static final Expression T = new InputColumn(5, STRING);
    private static final Expression E = new InputColumn(6, STRING);
    private static final Expression DAY = new InputColumn(7, DATE);

    private SampleExpressions() {}

    /**
     * a: bigint; n: bigint with nulls; d: double; m: decimal(12,2); l: decimal(30,2); t: text of six words; e: text in
     * a dictionary of 100; day: date.
     */
    static Batch batch(int rows) {
        SampleVectors vectors = new SampleVectors(rows);
        List<Vector> columns = List.of(
                vectors.longs(1000),
                vectors.nullableLongs(1000),
                vectors.doubles(),
                vectors.longs(10_000_000),
                vectors.decimals(),
                vectors.texts(6),
                vectors.dictionary(100),
                vectors.longs(20_000));
        return new Batch(columns, rows);
    }

    static Expression named(String text) {
        return switch (text) {
            case "a < 500" -> compare("<", A, number(500));
            case "n < 500" -> compare("<", N, number(500));
            case "d < 500" -> compare("<", D, new Constant(new Datum.OfDouble(500), DOUBLE));
            case "m < 50000.00" -> compare("<", M, money(5_000_000));
            case "l < 50000000.00" ->
                compare("<", L, new Constant(new Datum.OfDecimal(BigInteger.valueOf(5_000_000_000L)), LARGE));
            case "a >= 100 and a < 900 and n = 7" ->
                new And(List.of(
                        compare(">=", A, number(100)), compare("<", A, number(900)), compare("=", N, number(7))));
            case "a in (8 values)" -> in(8);
            case "a in (100 values)" -> in(100);
            case "t like '%deposits%'" -> like(T, "%deposits%");
            case "t like '%special%requests%'" -> like(T, "%special%requests%");
            case "t like 'special%'" -> like(T, "special%");
            case "e like '%deposits%'" -> like(E, "%deposits%");
            case "t = 'special requests '" -> compare("=", T, text("special requests "));
            case "a + n" -> new Call("+", List.of(A, N), BIGINT);
            case "a * 3" -> new Call("*", List.of(A, number(3)), BIGINT);
            case "d * d" -> new Call("*", List.of(D, D), DOUBLE);
            case "m * (1.00 - m)" ->
                new Call(
                        "*",
                        List.of(M, new Call("-", List.of(money(100), M), new DecimalType(13, 2))),
                        new DecimalType(26, 4));
            case "l + l" -> new Call("+", List.of(L, L), new DecimalType(31, 2));
            case "case when a < 500 then m else 0 end" ->
                new Case(List.of(new Case.Branch(compare("<", A, number(500)), M)), money(0));
            case "year(day)" -> new Call("year", List.of(DAY), INT);
            case "cast(a as string)" -> new Cast(A, STRING);
            case "cast(a as double)" -> new Cast(A, DOUBLE);
            case "upper(t)" -> new Call("upper", List.of(T), STRING);
            case "substr(t, 3, 5)" -> new Call("substr", List.of(T, integer(3), integer(5)), STRING);
            case "concat(t, e)" -> new Call("concat", List.of(T, E), STRING);
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Expression compare(String operator, Expression left, Expression right) {
        return new Call(operator, List.of(left, right), BOOLEAN);
    }

    private static Expression like(Expression value, String pattern) {
        return new Call("like", List.of(value, text(pattern)), BOOLEAN);
    }

    private static Expression in(int candidates) {
        List<Constant> values = java.util.stream.LongStream.range(0, candidates)
                .mapToObj(i -> number(i * 7))
                .toList();
        return new In(A, values);
    }

    private static Constant number(long value) {
        return new Constant(new Datum.OfLong(value), BIGINT);
    }

    private static Constant integer(long value) {
        return new Constant(new Datum.OfLong(value), INT);
    }

    private static Constant text(String value) {
        return new Constant(Datum.ofText(value), STRING);
    }

    private static Constant money(long cents) {
        return new Constant(new Datum.OfLong(cents), MONEY);
    }
}
