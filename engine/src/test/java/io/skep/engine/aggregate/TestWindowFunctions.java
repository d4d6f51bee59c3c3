package io.skep.engine.aggregate;

import static io.skep.common.type.PrimitiveType.BIGINT;
import static io.skep.common.type.PrimitiveType.DOUBLE;
import static io.skep.common.type.PrimitiveType.INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.ArrayType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.RandomVectors;
import io.skep.engine.function.WindowFunctions;
import io.skep.engine.function.scalar.Values;
import io.skep.engine.plan.WindowCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class TestWindowFunctions {
    private final WindowFunctions functions =
            new WindowFunctions(FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC")));

    /** Two partitions of 4 rows and 1 row. In the first, rows 1 and 2 are peers. */
    private final WindowRows rows = new WindowRows(
            5,
            0,
            new int[] {0, 0, 0, 0, 4},
            new int[] {4, 4, 4, 4, 5},
            new int[] {0, 1, 1, 3, 4},
            new int[] {1, 3, 3, 4, 5},
            new int[] {0, 0, 0, 0, 4},
            new int[] {1, 3, 3, 4, 5});

    @Test
    void ranks() {
        assertThat(longs(run("row_number", INT))).containsExactly(1L, 2L, 3L, 4L, 1L);
        assertThat(longs(run("rank", INT))).containsExactly(1L, 2L, 2L, 4L, 1L);
        assertThat(longs(run("dense_rank", INT))).containsExactly(1L, 2L, 2L, 3L, 1L);
        assertThat(values(run("percent_rank", DOUBLE)))
                .containsExactly(real(0), real(1 / 3.0), real(1 / 3.0), real(1), real(0));
        assertThat(values(run("cume_dist", DOUBLE)))
                .containsExactly(real(0.25), real(0.75), real(0.75), real(1), real(1));
        assertThat(longs(run("ntile", INT, numbers(3, 3, 3, 3, 3)))).containsExactly(1L, 1L, 2L, 3L, 1L);
    }

    @Test
    void navigation() {
        Vector column = numbers(10, 20, 30, 40, 50);
        assertThat(values(run("lag", BIGINT, column)))
                .containsExactly(Datum.NULL, number(10), number(20), number(30), Datum.NULL);
        assertThat(longs(run("lead", BIGINT, column, numbers(2, 2, 2, 2, 2), numbers(-1, -1, -1, -1, -1))))
                .containsExactly(30L, 40L, -1L, -1L, -1L);
        assertThat(longs(run("first_value", BIGINT, column))).containsExactly(10L, 10L, 10L, 10L, 50L);
        assertThat(longs(run("last_value", BIGINT, column))).containsExactly(10L, 30L, 30L, 40L, 50L);
        Vector holes = new LongVector(new long[] {0, 20, 0, 0, 0}, new long[] {0b11101}, 5);
        assertThat(values(run("last_value", BIGINT, holes, numbers(1, 1, 1, 1, 1))))
                .containsExactly(Datum.NULL, number(20), number(20), number(20), Datum.NULL);
    }

    @Test
    void aggregatesOverGrowingFrames() {
        Vector column = numbers(1, 2, 3, 4, 5);
        assertThat(longs(run("sum", BIGINT, column))).containsExactly(1L, 6L, 6L, 10L, 5L);
        assertThat(longs(run("count", BIGINT))).containsExactly(1L, 3L, 3L, 4L, 1L);
        assertThat(values(run("collect_list", new ArrayType(BIGINT), column)).get(3))
                .isEqualTo(new Datum.OfList(List.of(number(1), number(2), number(3), number(4))));
    }

    @Test
    void distinctCountsOncePerFrame() {
        WindowCall call = new WindowCall("count", true, false, List.of(0), List.of(BIGINT), frame(), BIGINT);
        assertThat(longs(functions.of(call).evaluate(new Vector[] {numbers(1, 1, 2, 2, 2)}, rows)))
                .containsExactly(1L, 2L, 2L, 2L, 1L);
    }

    /** A frame of any shape returns the same result as adding its rows to a new accumulator. */
    @Test
    void framesOfEveryShape() {
        int count = 60;
        List<IntUnaryOperator[]> shapes = List.of(
                new IntUnaryOperator[] {i -> Math.max(0, i - 3), i -> Math.min(count, i + 2)},
                new IntUnaryOperator[] {i -> 0, i -> i + 1},
                new IntUnaryOperator[] {i -> i, i -> count},
                new IntUnaryOperator[] {i -> Math.min(count, i + 2), i -> Math.min(count, i + 4)},
                new IntUnaryOperator[] {i -> Math.max(0, i - 9), i -> Math.max(0, i - 5)});
        SqlType decimal = new DecimalType(20, 2);
        Map<String, SqlType> results =
                Map.of("sum", new DecimalType(30, 2), "avg", new DecimalType(24, 6), "max", decimal);
        Vector column = new RandomVectors(7).vector(decimal, count);
        for (IntUnaryOperator[] shape : shapes) {
            int[] starts = new int[count];
            int[] ends = new int[count];
            Arrays.setAll(starts, shape[0]);
            Arrays.setAll(ends, shape[1]);
            int[] zeros = new int[count];
            int[] alls = new int[count];
            Arrays.fill(alls, count);
            WindowRows framed = new WindowRows(count, 0, zeros, alls, zeros, alls, starts, ends);
            results.forEach((name, type) -> {
                WindowCall call = new WindowCall(name, false, false, List.of(0), List.of(decimal), frame(), type);
                Vector actual = functions.of(call).evaluate(new Vector[] {column}, framed);
                AggregateFunction function = new AggregateFunctions(FunctionRegistry.builtIn(Map.of()))
                        .of(name, List.of(decimal), false, decimal, type);
                for (int row = 0; row < count; row++) {
                    Accumulator accumulator = function.newAccumulator();
                    accumulator.ensureGroups(1);
                    int size = Math.max(0, ends[row] - starts[row]);
                    accumulator.addAll(0, new Vector[] {column.slice(Math.min(starts[row], count - size), size)}, size);
                    assertThat(Values.datum(actual, row)).isEqualTo(Values.datum(accumulator.results(0, 1), 0));
                }
            });
        }
    }

    private Vector run(String name, SqlType type, Vector... arguments) {
        List<SqlType> types = new ArrayList<>();
        Arrays.stream(arguments).forEach(argument -> types.add(BIGINT));
        WindowCall call = new WindowCall(name, false, false, List.of(), types, frame(), type);
        return functions.of(call).evaluate(arguments, rows);
    }

    private static WindowCall.Frame frame() {
        return new WindowCall.Frame(
                WindowCall.Unit.RANGE, new WindowCall.Bound.UnboundedPreceding(), new WindowCall.Bound.CurrentRow());
    }

    private static Vector numbers(long... values) {
        return new LongVector(values, null, values.length);
    }

    private static Datum number(long value) {
        return new Datum.OfLong(value);
    }

    private static Datum real(double value) {
        return new Datum.OfDouble(value);
    }

    private static List<Datum> values(Vector vector) {
        List<Datum> values = new ArrayList<>();
        for (int i = 0; i < vector.length(); i++) {
            values.add(Values.datum(vector, i));
        }
        return values;
    }

    private static List<Long> longs(Vector vector) {
        List<Long> longs = new ArrayList<>();
        for (int i = 0; i < vector.length(); i++) {
            longs.add(((LongVector) vector.flatten()).values()[i]);
        }
        return longs;
    }
}
