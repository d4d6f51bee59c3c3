package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.rows.RowOrder;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestSort {
    private static final List<SqlType> TYPES = TestBatches.ALL_TYPES;

    @TempDir
    private Path folder;

    @Test
    void everyTypeSortsInEveryDirection() {
        for (int column = 0; column < TYPES.size(); column++) {
            for (int variant = 0; variant < 4; variant++) {
                check(List.of(new SortKey(column, (variant & 1) == 0, (variant & 2) == 0)), 700, Map.of());
            }
        }
    }

    @Test
    void severalKeys() {
        check(
                List.of(new SortKey(0, false, true), new SortKey(2, true, false), new SortKey(1, true, true)),
                20_000,
                Map.of());
    }

    @Test
    void spilled() {
        List<SortKey> keys = List.of(new SortKey(2, true, false), new SortKey(0, false, false));
        check(keys, 40_000, Map.of("skep.operator.max-memory", "1"));
    }

    /**
     * A sort uses little more memory than a driver may use without a reservation, with the maximum number of runs and
     * with more, which the sort first merges to fewer runs.
     */
    @ParameterizedTest
    @ValueSource(ints = {31, 80})
    void runsAreMergedWithLittleMemory(int runs) {
        List<SortKey> keys = List.of(new SortKey(0, true, true));
        List<Batch> batches = TestBatches.longTexts(runs, 20);
        try (PlanRunner runner =
                new PlanRunner(folder, 1 << 20).layout(1, 1, 1).settings(Map.of("skep.operator.max-memory", "1"))) {
            PlanNode sort = new PlanNode.Sort(runner.table(List.of(PrimitiveType.STRING), batches), keys);
            List<Batch> sorted = runner.batches(
                    List.of(new Fragment(0, sort, Fragment.Distribution.SINGLE, new Fragment.Output.Gather())));
            assertThat(sortedTexts(TestBatches.rows(sorted))).isEqualTo(sortedTexts(TestBatches.rows(batches)));
            assertInOrder(sorted, keys);
            assertThat(runner.stats().spilledBytes()).isPositive();
        }
    }

    @Test
    void theFirstRows() {
        List<Batch> batches = batches(30_000);
        List<SortKey> keys =
                List.of(new SortKey(1, false, false), new SortKey(0, true, true), new SortKey(2, true, true));
        for (long count : new long[] {0, 1, 100, 15_000, 40_000, 200_000}) {
            try (PlanRunner runner = new PlanRunner(folder, 1 << 30).layout(1, 1, 2)) {
                PlanNode scan = runner.table(TYPES, batches);
                List<List<@Nullable Object>> all = runner.run(new PlanNode.Sort(scan, keys));
                List<List<@Nullable Object>> first = runner.run(new PlanNode.TopN(scan, keys, count));
                int expected = (int) Math.min(count, all.size());
                assertThat(keysOf(first, keys)).isEqualTo(keysOf(all.subList(0, expected), keys));
            }
        }
    }

    private static List<List<@Nullable Object>> keysOf(List<List<@Nullable Object>> rows, List<SortKey> keys) {
        List<List<@Nullable Object>> only = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            List<@Nullable Object> values = new ArrayList<>();
            keys.forEach(key -> values.add(row.get(key.column())));
            only.add(values);
        }
        return only;
    }

    private void check(List<SortKey> keys, int rows, Map<String, String> settings) {
        List<Batch> batches = batches(rows);
        List<String> expected = sortedTexts(TestBatches.rows(batches));
        for (int drivers = 1; drivers <= 2; drivers++) {
            try (PlanRunner runner =
                    new PlanRunner(folder, 1 << 30).layout(2, 1, drivers).settings(settings)) {
                PlanNode scan = runner.table(TYPES, batches);
                PlanNode sort = new PlanNode.Sort(scan, keys);
                Fragment single = new Fragment(0, sort, Fragment.Distribution.SINGLE, new Fragment.Output.Gather());
                List<Batch> sorted = runner.batches(List.of(single));
                assertThat(sortedTexts(TestBatches.rows(sorted))).isEqualTo(expected);
                assertInOrder(sorted, keys);
                if (!settings.isEmpty()) {
                    assertThat(runner.stats().spilledBytes()).isPositive();
                }
                List<Batch> merged = runner.batches(List.of(
                        new Fragment(0, sort, Fragment.Distribution.SOURCE, new Fragment.Output.Gather()),
                        new Fragment(
                                1,
                                new PlanNode.RemoteSource(List.of(0), TYPES, keys),
                                Fragment.Distribution.SINGLE,
                                new Fragment.Output.Gather())));
                assertThat(sortedTexts(TestBatches.rows(merged))).isEqualTo(expected);
                assertInOrder(merged, keys);
            }
        }
    }

    private static void assertInOrder(List<Batch> batches, List<SortKey> keys) {
        RowOrder order = new RowOrder(keys);
        Batch before = null;
        int rowBefore = 0;
        for (Batch batch : batches) {
            for (int row = 0; row < batch.rowCount(); row++) {
                if (before != null) {
                    assertThat(order.compare(before, rowBefore, batch, row)).isLessThanOrEqualTo(0);
                }
                before = batch;
                rowBefore = row;
            }
        }
    }

    private static List<Batch> batches(int rows) {
        Random random = new Random(23);
        List<Batch> batches = new ArrayList<>();
        for (int from = 0; from < rows; from += 500) {
            batches.add(TestBatches.random(random, TYPES, Math.min(500, rows - from), 0.1));
        }
        return batches;
    }

    private static List<String> sortedTexts(List<List<@Nullable Object>> rows) {
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.toString()));
        Collections.sort(texts);
        return texts;
    }
}
