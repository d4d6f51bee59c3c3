package io.skep.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.RandomVectors;
import io.skep.engine.function.scalar.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** bool_and is the least of the values, bool_or the greatest: the accumulators of min and max say what is right. */
final class TestBooleanAccumulator {
    private static final int ROWS = 300;
    private static final int GROUPS = 40;

    private static Accumulator accumulator(String function) {
        Accumulator accumulator = new AggregateFunctions(FunctionRegistry.builtIn(Map.of()))
                .of(function, List.of(PrimitiveType.BOOLEAN), false, PrimitiveType.BOOLEAN, PrimitiveType.BOOLEAN)
                .newAccumulator();
        accumulator.ensureGroups(GROUPS);
        return accumulator;
    }

    @ParameterizedTest
    @CsvSource({"bool_and, min", "every, min", "bool_or, max"})
    void rowsAndStates(String function, String oracle) {
        Vector values = new RandomVectors(5).vector(PrimitiveType.BOOLEAN, ROWS);
        // No row belongs to the last group.
        int[] groups = new Random(5).ints(ROWS, 0, GROUPS - 1).toArray();
        assertThat(results(once(function, groups, values))).isEqualTo(results(once(oracle, groups, values)));
        Accumulator end = accumulator(function);
        int half = ROWS / 2;
        int[] each = new int[GROUPS];
        Arrays.setAll(each, i -> i);
        for (int from = 0; from < ROWS; from += half) {
            int[] part = Arrays.copyOfRange(groups, from, from + half);
            end.merge(each, once(function, part, values.slice(from, half)).states(0, GROUPS), GROUPS);
        }
        assertThat(results(end)).isEqualTo(results(once(oracle, groups, values)));
        assertThat(end.retainedBytes()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"bool_and, min", "bool_or, max"})
    void framesThatSlide(String function, String oracle) {
        Vector values = new RandomVectors(6).vector(PrimitiveType.BOOLEAN, ROWS);
        int width = 3;
        Accumulator sliding = accumulator(function);
        sliding.addAll(0, new Vector[] {values.slice(0, width)}, width);
        for (int start = 0; start + width < ROWS; start++) {
            Accumulator expected = accumulator(oracle);
            expected.addAll(0, new Vector[] {values.slice(start, width)}, width);
            assertThat(results(sliding).getFirst()).isEqualTo(results(expected).getFirst());
            sliding.removeAll(0, new Vector[] {values.slice(start, 1)}, 1);
            sliding.addAll(0, new Vector[] {values.slice(start + width, 1)}, 1);
        }
    }

    private static Accumulator once(String function, int[] groups, Vector values) {
        Accumulator accumulator = accumulator(function);
        accumulator.add(groups, new Vector[] {values}, groups.length);
        return accumulator;
    }

    private static List<Datum> results(Accumulator accumulator) {
        Vector results = accumulator.results(0, GROUPS);
        List<Datum> values = new ArrayList<>();
        for (int group = 0; group < GROUPS; group++) {
            values.add(Values.datum(results, group));
        }
        return values;
    }
}
