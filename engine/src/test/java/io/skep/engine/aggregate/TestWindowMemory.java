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
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.WindowFunctions;
import io.skep.engine.plan.WindowCall;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Aggregates over frames of many rows. Their results and states are accounted for, and their threads react to a
 * cancellation.
 */
@Timeout(120)
class TestWindowMemory {
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final long MB = 1 << 20;

    private final WindowFunctions functions =
            new WindowFunctions(FunctionRegistry.builtIn(Map.of("hive.local.time.zone", "UTC")));

    private WindowFunction function(String name, boolean distinct, SqlType result) {
        WindowCall.Frame frame = new WindowCall.Frame(
                WindowCall.Unit.ROWS, new WindowCall.Bound.UnboundedPreceding(), new WindowCall.Bound.CurrentRow());
        return functions.of(new WindowCall(name, distinct, false, List.of(0), List.of(BIGINT), frame, result));
    }

    private static Vector[] values(int rows, int different) {
        Random random = new Random(7);
        long[] values = new long[rows];
        Arrays.setAll(values, i -> random.nextInt(different));
        return new Vector[] {new LongVector(values, null, rows)};
    }

    /** Creates one partition in which each frame begins some rows before its row. */
    private static WindowRows rows(int count, int preceding) {
        int[] starts = new int[count];
        int[] ends = new int[count];
        int[] frameStarts = new int[count];
        int[] frameEnds = new int[count];
        for (int i = 0; i < count; i++) {
            ends[i] = count;
            frameStarts[i] = Math.max(0, i - preceding);
            frameEnds[i] = i + 1;
        }
        return new WindowRows(count, 0, starts, ends, starts, ends, frameStarts, frameEnds);
    }

    @Test
    void listsOfAllEarlierRowsAreRefusedWhenThereIsNoRoom() {
        MemoryPool pool = MemoryPool.root("test", 32 * MB);
        WindowFunction function = function("collect_list", false, new ArrayType(BIGINT));
        try (ScratchMemory scratch = new ScratchMemory(pool, MB)) {
            assertThat(scratch.within(() -> function.evaluate(values(500, 100), rows(500, 500)))
                            .length())
                    .isEqualTo(500);
            assertThatThrownBy(() -> scratch.within(() -> function.evaluate(values(20_000, 100), rows(20_000, 20_000))))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        }
        function.close();
        assertThat(pool.reservedBytes()).isZero();
    }

    @Test
    void differentValuesOfGrowingFramesAreCountedOnce() {
        int count = 200_000;
        Vector[] values = values(count, 50_000);
        Vector results = function("count", true, BIGINT)
                .evaluate(values, rows(count, count))
                .flatten();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < count; i++) {
            seen.add(((LongVector) values[0]).values()[i]);
            assertThat(((LongVector) results).values()[i]).isEqualTo(seen.size());
        }
    }

    @Test
    void differentValuesOfSlidingFramesAreThoseOfTheFrame() {
        int count = 300;
        int preceding = 20;
        Vector[] values = values(count, 15);
        Vector results = function("count", true, BIGINT)
                .evaluate(values, rows(count, preceding))
                .flatten();
        for (int i = 0; i < count; i++) {
            long different = Arrays.stream(((LongVector) values[0]).values(), Math.max(0, i - preceding), i + 1)
                    .distinct()
                    .count();
            assertThat(((LongVector) results).values()[i]).isEqualTo(different);
        }
    }

    @Test
    void aCancelledThreadLeaves() throws Exception {
        int count = 1_000_000;
        Vector[] values = values(count, count);
        for (String name : new String[] {"count", "collect_set"}) {
            boolean distinct = name.equals("count");
            WindowFunction function =
                    distinct ? function(name, true, BIGINT) : function("collect_set", false, new ArrayType(BIGINT));
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    function.evaluate(values, rows(count, 200_000));
                    end.complete(new AssertionError("not cancelled"));
                } catch (Throwable e) {
                    end.complete(e);
                }
            });
            thread.join(500);
            long start = System.nanoTime();
            thread.interrupt();
            assertThat(end.get(20, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
            assertThat(System.nanoTime() - start).as(name).isLessThan(TimeUnit.SECONDS.toNanos(2));
        }
    }
}
