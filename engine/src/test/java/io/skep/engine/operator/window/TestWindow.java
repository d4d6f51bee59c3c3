package io.skep.engine.operator.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import io.skep.engine.plan.WindowCall.Bound;
import io.skep.engine.plan.WindowCall.Frame;
import io.skep.engine.plan.WindowCall.Unit;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestWindow {
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final List<SqlType> TYPES = List.of(BIGINT, BIGINT, BIGINT);
    private static final int FUNCTIONS = 6;
    private static final Frame WHOLE =
            new Frame(Unit.ROWS, new Bound.UnboundedPreceding(), new Bound.UnboundedFollowing());

    @TempDir
    private Path folder;

    @Test
    void framesByRowsAndByRange() {
        // One partition: keys 1, 1, 3, 4, 8, null. The value of each row is its number.
        Batch rows = Batch.of(
                6,
                TestBatches.longs(0, 0, 0, 0, 0, 0),
                TestBatches.nullableLongs(1L, 1L, 3L, 4L, 8L, null),
                TestBatches.longs(1, 2, 4, 8, 16, 32));
        Bound preceding = new Bound.UnboundedPreceding();
        Bound current = new Bound.CurrentRow();
        List<WindowCall> calls = List.of(
                sum(new Frame(Unit.ROWS, preceding, current)),
                sum(new Frame(Unit.RANGE, preceding, current)),
                sum(new Frame(Unit.ROWS, new Bound.Offset(-1), new Bound.Offset(1))),
                sum(new Frame(Unit.RANGE, new Bound.Offset(-1), new Bound.Offset(2))),
                sum(new Frame(Unit.ROWS, new Bound.Offset(5), new Bound.UnboundedFollowing())),
                sum(WHOLE));
        try (PlanRunner runner = new PlanRunner(folder, 1 << 28)) {
            PlanNode node = new PlanNode.Window(
                    runner.table(TYPES, List.of(rows)), List.of(0), List.of(new SortKey(1, true, false)), calls);
            List<List<@Nullable Object>> result = runner.run(node);
            assertThat(column(result, 3)).containsExactly(1L, 3L, 7L, 15L, 31L, 63L);
            assertThat(column(result, 4)).containsExactly(3L, 3L, 7L, 15L, 31L, 63L);
            assertThat(column(result, 5)).containsExactly(3L, 7L, 14L, 28L, 56L, 48L);
            assertThat(column(result, 6)).containsExactly(7L, 7L, 12L, 12L, 16L, 32L);
            assertThat(column(result, 7)).containsExactly(32L, null, null, null, null, null);
            assertThat(column(result, 8)).containsOnly(63L);
        }
    }

    @Test
    void descendingRanges() {
        Batch rows = Batch.of(3, TestBatches.longs(0, 0, 0), TestBatches.longs(1, 2, 5), TestBatches.longs(1, 2, 4));
        Frame frame = new Frame(Unit.RANGE, new Bound.Offset(-1), new Bound.CurrentRow());
        try (PlanRunner runner = new PlanRunner(folder, 1 << 28)) {
            PlanNode node = new PlanNode.Window(
                    runner.table(TYPES, List.of(rows)),
                    List.of(),
                    List.of(new SortKey(1, false, true)),
                    List.of(sum(frame)));
            assertThat(column(runner.run(node), 3)).containsExactly(4L, 2L, 3L);
        }
    }

    @Test
    void manyPartitionsInMemoryAndSpilled() {
        Random random = new Random(3);
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            batches.add(TestBatches.random(random, TYPES, 1000, 0.05));
        }
        Map<Object, Long> sizes = new HashMap<>();
        TestBatches.rows(batches).forEach(row -> sizes.merge(String.valueOf(row.getFirst()), 1L, Long::sum));
        WindowCall number = new WindowCall("row_number", false, false, List.of(), List.of(), WHOLE, PrimitiveType.INT);
        WindowCall count = new WindowCall("count", false, false, List.of(), List.of(), WHOLE, BIGINT);
        for (Map<String, String> settings :
                List.of(Map.<String, String>of(), Map.of("skep.operator.max-memory", "1"))) {
            try (PlanRunner runner = new PlanRunner(folder, 1 << 28).settings(settings)) {
                PlanNode node = new PlanNode.Window(
                        runner.table(TYPES, batches),
                        List.of(0),
                        List.of(new SortKey(1, true, true)),
                        List.of(number, count));
                List<List<@Nullable Object>> rows = runner.run(node);
                assertThat(rows)
                        .hasSize(60_000)
                        .allMatch(
                                row -> java.util.Objects.equals(row.get(4), sizes.get(String.valueOf(row.getFirst()))));
                Map<Object, Long> last = new HashMap<>();
                for (List<@Nullable Object> row : rows) {
                    long before = last.merge(String.valueOf(row.getFirst()), 1L, Long::sum);
                    assertThat(row.get(3)).isEqualTo(before);
                }
                assertThat(runner.stats().spilledBytes() > 0).isEqualTo(!settings.isEmpty());
            }
        }
    }

    /**
     * Functions that do not need a whole partition return the same results as together with one that does, and use far
     * less memory.
     */
    @Test
    void largePartitionsInPieces() {
        Random random = new Random(5);
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long[][] columns = new long[3][1000];
            for (int row = 0; row < 1000; row++) {
                columns[0][row] = random.nextInt(20) / 19;
                columns[1][row] = random.nextInt(15_000);
                columns[2][row] = random.nextInt();
            }
            batches.add(Batch.of(
                    1000, TestBatches.longs(columns[0]), TestBatches.longs(columns[1]), TestBatches.longs(columns[2])));
        }
        Bound preceding = new Bound.UnboundedPreceding();
        Frame rows = new Frame(Unit.ROWS, preceding, new Bound.CurrentRow());
        Frame range = new Frame(Unit.RANGE, preceding, new Bound.CurrentRow());
        List<WindowCall> byPeers = List.of(
                ranking("row_number"),
                ranking("rank"),
                ranking("dense_rank"),
                sum(range),
                value("min", range),
                value("max", range));
        List<WindowCall> byRows = List.of(
                ranking("row_number"),
                sum(rows),
                value("last_value", rows),
                value("first_value", rows),
                value("min", rows),
                value("count", rows));
        SortKey key = new SortKey(1, true, true);
        assertThat(rowsButNumbers(batches, List.of(key), byPeers, Map.of("skep.operator.max-memory", "1"), 1 << 20))
                .containsExactlyInAnyOrderElementsOf(
                        rowsButNumbers(batches, List.of(key), andWhole(byPeers), Map.of(), 1 << 28));
        List<SortKey> total = List.of(key, new SortKey(2, true, true));
        assertThat(rowsButNumbers(batches, total, byRows, Map.of("skep.operator.max-memory", "1"), 1 << 20))
                .containsExactlyInAnyOrderElementsOf(
                        rowsButNumbers(batches, total, andWhole(byRows), Map.of(), 1 << 28));
    }

    private static List<WindowCall> andWhole(List<WindowCall> calls) {
        List<WindowCall> all = new ArrayList<>(calls);
        all.add(sum(WHOLE));
        return all;
    }

    /**
     * Returns the input's columns and the values of the functions except the first one, row_number. The order of peers
     * is undefined.
     */
    private List<List<@Nullable Object>> rowsButNumbers(
            List<Batch> batches,
            List<SortKey> order,
            List<WindowCall> calls,
            Map<String, String> settings,
            long memory) {
        try (PlanRunner runner = new PlanRunner(folder, memory).settings(settings)) {
            List<List<@Nullable Object>> rows =
                    runner.run(new PlanNode.Window(runner.table(TYPES, batches), List.of(0), order, calls));
            Map<@Nullable Object, Integer> last = new HashMap<>();
            rows.forEach(row -> assertThat(row.get(3)).isEqualTo((long) last.merge(row.getFirst(), 1, Integer::sum)));
            return rows.stream()
                    .map(row -> {
                        List<@Nullable Object> rest = new ArrayList<>(row.subList(0, 3 + FUNCTIONS));
                        rest.remove(3);
                        return rest;
                    })
                    .toList();
        }
    }

    private static WindowCall ranking(String function) {
        return new WindowCall(function, false, false, List.of(), List.of(), WHOLE, PrimitiveType.INT);
    }

    private static WindowCall value(String function, Frame frame) {
        return new WindowCall(function, false, false, List.of(2), List.of(BIGINT), frame, BIGINT);
    }

    @Test
    void withoutKeysAndWithoutRows() {
        try (PlanRunner runner = new PlanRunner(folder, 1 << 28)) {
            PlanNode some = runner.table(
                    TYPES,
                    List.of(Batch.of(2, TestBatches.longs(1, 2), TestBatches.longs(3, 4), TestBatches.longs(5, 6))));
            assertThat(runner.run(new PlanNode.Window(some, List.of(), List.of(), List.of(sum(WHOLE)))))
                    .containsExactlyInAnyOrder(Arrays.asList(1L, 3L, 5L, 11L), Arrays.asList(2L, 4L, 6L, 11L));
            PlanNode none = runner.table(TYPES, List.of());
            assertThat(runner.run(new PlanNode.Window(none, List.of(0), List.of(), List.of(sum(WHOLE)))))
                    .isEmpty();
        }
    }

    private static WindowCall sum(Frame frame) {
        return new WindowCall("sum", false, false, List.of(2), List.of(BIGINT), frame, BIGINT);
    }

    private static List<@Nullable Object> column(List<List<@Nullable Object>> rows, int column) {
        List<@Nullable Object> values = new ArrayList<>();
        rows.forEach(row -> values.add(row.get(column)));
        return values;
    }
}
