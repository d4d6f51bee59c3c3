package io.skep.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.hive.HiveAggregates;
import io.skep.engine.function.hive.HiveArgument;
import io.skep.engine.function.hive.HiveFunctions;
import io.skep.engine.function.hive.StateKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the estimated size of the states of Hive's aggregates. */
class TestStateGrowth {
    private static final SqlType WORDS = new ArrayType(PrimitiveType.STRING);
    private static final long MB = 1 << 20;

    private final HiveAggregates aggregates = new HiveAggregates(
            FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC")).hive());

    private static HiveArgument constant(long value) {
        return new HiveArgument(PrimitiveType.INT, new Datum.OfLong(value));
    }

    private static Vector constants(long value, int rows) {
        long[] values = new long[rows];
        Arrays.fill(values, value);
        return new LongVector(values, null, rows);
    }

    private Accumulator accumulator(String name, HiveArgument... arguments) {
        HiveAggregates.Bound bound = new HiveAggregates.Bound(name, List.of(arguments), false, false);
        return new HiveAccumulator(aggregates, bound, aggregates.stateType(bound), aggregates.type(bound));
    }

    /** A function that a new version of Hive adds must be classified. */
    @Test
    void everyAggregateIsOfAKind() {
        for (String name : HiveFunctions.builtInNames()) {
            FunctionInfo info = HiveFunctions.builtIn(name);
            if (info != null && info.isGenericUDAF()) {
                assertThat(StateKind.of(name)).as(name).isPresent();
            }
        }
    }

    /** A histogram holds as many bins as rows, up to the requested number. */
    @ParameterizedTest
    @CsvSource({"2000000000, 1000000, 100000000", "20, 0, 20000"})
    void histogramsGrowUpToTheirBins(long bins, long least, long most) {
        int rows = 20_000;
        Accumulator histogram =
                accumulator("histogram_numeric", new HiveArgument(PrimitiveType.BIGINT, null), constant(bins));
        histogram.ensureGroups(1);
        long[] values = new long[rows];
        Arrays.setAll(values, i -> i);
        histogram.addAll(0, new Vector[] {new LongVector(values, null, rows), constants(bins, rows)}, rows);
        assertThat(histogram.retainedBytes()).isBetween(least, most);
        histogram.close();
    }

    /** A row of 20,000 words has 10,000 sequences of 10,000 words. */
    @Test
    void longSequencesOfWordsAreRefusedBeforeTheyAreMade() {
        Accumulator sequences =
                accumulator("ngrams", new HiveArgument(WORDS, null), constant(10_000), constant(1_000_000));
        sequences.ensureGroups(1);
        Vector words = new Datum.OfList(Collections.nCopies(20_000, Datum.ofText("word"))).toVector(WORDS);
        MemoryPool pool = MemoryPool.root("test", 64 * MB);
        try (ScratchMemory scratch = new ScratchMemory(pool, MB)) {
            assertThatThrownBy(() -> scratch.within(() -> {
                        sequences.addAll(0, new Vector[] {words, constants(10_000, 1), constants(1_000_000, 1)}, 1);
                        return 0;
                    }))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        }
        sequences.close();
    }

    @Test
    void sketchesAndNumbersStaySmall() {
        for (String name : new String[] {"approx_distinct", "corr"}) {
            HiveArgument value = new HiveArgument(PrimitiveType.DOUBLE, null);
            Accumulator accumulator = name.equals("corr")
                    ? accumulator(name, value, value)
                    : accumulator(name, new HiveArgument(PrimitiveType.BIGINT, null));
            accumulator.ensureGroups(1);
            assertThat(accumulator.retainedBytes()).as(name).isLessThan(1000);
            accumulator.close();
        }
    }
}
