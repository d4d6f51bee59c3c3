package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.AggregateStep;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares aggregations of random rows with maps of plain objects. */
class TestAggregation {
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final List<SqlType> TYPES = List.of(
            PrimitiveType.INT,
            PrimitiveType.STRING,
            BIGINT,
            PrimitiveType.BOOLEAN,
            PrimitiveType.TIMESTAMP,
            new ArrayType(PrimitiveType.STRING));

    @TempDir
    private Path folder;

    @Test
    void oneKey() {
        check(List.of(0), batches(10_000, 0.1), Map.of());
    }

    @Test
    void manyKeys() {
        check(List.of(0, 1, 4), batches(10_000, 0.1), Map.of());
    }

    @Test
    void nestedKey() {
        check(List.of(5, 0), batches(3_000, 0.2), Map.of());
    }

    @Test
    void noKeysAndNoRows() {
        check(List.of(), batches(5_000, 0.1), Map.of());
        check(List.of(), List.of(), Map.of());
        check(List.of(0), List.of(), Map.of());
    }

    @Test
    void spilled() {
        check(List.of(1, 4, 0), batches(60_000, 0.05), Map.of("skep.operator.max-memory", "1"));
    }

    @Test
    void dictionariesAndConstantsAsKeys() {
        List<Batch> batches = new ArrayList<>();
        Random random = new Random(9);
        for (int dictionary = 0; dictionary < 3; dictionary++) {
            Vector entries = TestBatches.texts("a", "b", "c", "a" + dictionary);
            for (int i = 0; i < 4; i++) {
                Batch rows = TestBatches.random(random, TYPES, 300, 0.1);
                int[] ids = new int[300];
                long[] nulls = new long[5];
                for (int row = 0; row < 300; row++) {
                    if (random.nextInt(10) == 0) {
                        nulls[row >> 6] |= 1L << row;
                    } else {
                        ids[row] = random.nextInt(4);
                    }
                }
                Vector one = new ConstantVector(TestBatches.longs(i), 300);
                batches.add(Batch.of(
                        300,
                        one,
                        new DictionaryVector(ids, entries, nulls, 300),
                        rows.column(2),
                        rows.column(3),
                        rows.column(4),
                        rows.column(5)));
            }
        }
        check(List.of(1, 0), batches, Map.of());
        check(List.of(1), batches, Map.of());
    }

    @Test
    void aPartialStepThatDoesNotReduceGivesUpGrouping() {
        List<Batch> batches = new ArrayList<>();
        for (long from = 0; from < 120_000; from += 2000) {
            long[] values = new long[2000];
            for (int i = 0; i < values.length; i++) {
                values[i] = from + i;
            }
            batches.add(Batch.of(2000, TestBatches.longs(values), TestBatches.longs(values)));
        }
        try (PlanRunner runner = new PlanRunner(folder, 1 << 30).layout(1, 2, 2)) {
            PlanNode scan = runner.table(List.of(BIGINT, BIGINT), batches);
            AggregateCall max = call("max", false, 1, BIGINT, BIGINT);
            List<List<@Nullable Object>> rows = runner.run(distributed(scan, List.of(0), List.of(max)));
            assertThat(rows).hasSize(120_000).allMatch(row -> row.get(0) instanceof Long key && key.equals(row.get(1)));
        }
    }

    @Test
    void statesOfSmallerGroupsAreMerged() {
        List<Batch> batches = batches(30_000, 0.1);
        List<AggregateCall> calls = calls();
        for (List<Integer> keys : List.of(List.of(0), List.<Integer>of())) {
            for (String memory : List.of("1", "1000000000")) {
                try (PlanRunner runner = new PlanRunner(folder, 1 << 30)
                        .layout(2, 2, 2)
                        .settings(Map.of("skep.operator.max-memory", memory))) {
                    PlanNode scan = runner.table(TYPES, batches);
                    PlanNode smaller = new PlanNode.Aggregate(scan, AggregateStep.PARTIAL, List.of(0, 4), calls);
                    PlanNode merged = new PlanNode.Aggregate(
                            smaller, AggregateStep.INTERMEDIATE, keys, ofStates(calls, 2, OptionalInt.empty()));
                    PlanNode end = new PlanNode.Aggregate(
                            merged, AggregateStep.FINAL, keys, ofStates(calls, keys.size(), OptionalInt.empty()));
                    assertThat(sorted(runner.run(end))).isEqualTo(expected(keys, TestBatches.rows(batches)));
                }
            }
        }
    }

    /**
     * The filter is on the flag by which states are grouped. Every group is a separate row, so that the operator stops
     * grouping.
     */
    @Test
    void statesAreFilteredAlsoWhereTheyAreNotGroupedAnyMore() {
        List<Batch> batches = new ArrayList<>();
        for (long from = 0; from < 120_000; from += 2000) {
            long[] values = new long[2000];
            long[] flags = new long[2000];
            for (int i = 0; i < values.length; i++) {
                values[i] = from + i;
                flags[i] = i % 2;
            }
            batches.add(Batch.of(2000, TestBatches.longs(values), TestBatches.longs(flags)));
        }
        try (PlanRunner runner = new PlanRunner(folder, 1 << 30).layout(1, 1, 2)) {
            PlanNode scan = runner.table(List.of(BIGINT, PrimitiveType.BOOLEAN), batches);
            List<AggregateCall> calls = List.of(call("max", false, 0, BIGINT, BIGINT));
            PlanNode partial = new PlanNode.Aggregate(scan, AggregateStep.PARTIAL, List.of(0, 1), calls);
            PlanNode merged = new PlanNode.Aggregate(
                    partial, AggregateStep.INTERMEDIATE, List.of(0), ofStates(calls, 2, OptionalInt.of(1)));
            PlanNode end = new PlanNode.Aggregate(
                    merged, AggregateStep.FINAL, List.of(0), ofStates(calls, 1, OptionalInt.empty()));
            assertThat(runner.run(end))
                    .hasSize(120_000)
                    .allMatch(row -> row.get(0) instanceof Long key
                            && (key % 2 == 1 ? key.equals(row.get(1)) : row.get(1) == null));
        }
    }

    @Test
    void distinctAndFilteredCalls() {
        List<Batch> batches = batches(8_000, 0.1);
        AggregateCall distinct = call("count", true, 2, BIGINT, BIGINT);
        AggregateCall filtered =
                new AggregateCall("count", false, List.of(2), OptionalInt.of(3), List.of(BIGINT), BIGINT, BIGINT);
        Map<Object, Set<Object>> seen = new HashMap<>();
        Map<Object, Long> counted = new HashMap<>();
        for (List<@Nullable Object> row : TestBatches.rows(batches)) {
            String key = String.valueOf(row.get(0));
            seen.computeIfAbsent(key, _ -> new HashSet<>());
            if (row.get(2) instanceof Long value) {
                java.util.Objects.requireNonNull(seen.get(key)).add(value);
                counted.merge(key, row.get(3) instanceof Long flag && flag != 0 ? 1L : 0L, Long::sum);
            }
        }
        for (int drivers = 1; drivers <= 2; drivers++) {
            try (PlanRunner runner = new PlanRunner(folder, 1 << 30).layout(1, 2, drivers)) {
                PlanNode scan = runner.table(TYPES, batches);
                PlanNode node =
                        new PlanNode.Aggregate(scan, AggregateStep.SINGLE, List.of(0), List.of(distinct, filtered));
                List<List<@Nullable Object>> rows = runner.run(node);
                assertThat(rows).hasSize(seen.size()).allSatisfy(row -> {
                    String key = String.valueOf(row.get(0));
                    assertThat(row.get(1)).isEqualTo((long)
                            java.util.Objects.requireNonNull(seen.get(key)).size());
                    assertThat(row.get(2)).isEqualTo(counted.getOrDefault(key, 0L));
                });
            }
        }
    }

    @Test
    void whatCannotSpillNamesTheLimit() {
        List<Batch> batches = batches(200_000, 0);
        try (PlanRunner runner = new PlanRunner(folder, 400_000).layout(1, 1, 1)) {
            PlanNode scan = runner.table(TYPES, batches);
            AggregateCall distinct = call("count", true, 1, PrimitiveType.STRING, BIGINT);
            AggregateCall other = call("count", true, 4, PrimitiveType.TIMESTAMP, BIGINT);
            PlanNode node = new PlanNode.Aggregate(scan, AggregateStep.SINGLE, List.of(0, 2), List.of(distinct, other));
            assertThatThrownBy(() -> runner.run(node))
                    .rootCause()
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        }
    }

    private void check(List<Integer> keys, List<Batch> batches, Map<String, String> settings) {
        List<AggregateCall> calls = calls();
        List<String> expected = expected(keys, TestBatches.rows(batches));
        for (int drivers = 1; drivers <= 2; drivers++) {
            try (PlanRunner runner =
                    new PlanRunner(folder, 1 << 30).layout(2, 2, drivers).settings(settings)) {
                PlanNode scan = runner.table(TYPES, batches);
                PlanNode single = new PlanNode.Aggregate(scan, AggregateStep.SINGLE, keys, calls);
                assertThat(sorted(runner.run(single))).isEqualTo(expected);
                if (!settings.isEmpty()) {
                    assertThat(runner.stats().spilledBytes()).isPositive();
                }
                assertThat(sorted(runner.run(distributed(scan, keys, calls)))).isEqualTo(expected);
            }
        }
    }

    private static List<AggregateCall> calls() {
        return List.of(
                call("sum", false, 2, BIGINT, BIGINT),
                new AggregateCall("count", false, List.of(), OptionalInt.empty(), List.of(), BIGINT, BIGINT),
                call("min", false, 1, PrimitiveType.STRING, PrimitiveType.STRING));
    }

    /** Returns the calls over their states, which are the columns from {@code first} on. */
    private static List<AggregateCall> ofStates(List<AggregateCall> calls, int first, OptionalInt filter) {
        List<AggregateCall> merging = new ArrayList<>();
        for (AggregateCall call : calls) {
            merging.add(new AggregateCall(
                    call.function(),
                    false,
                    List.of(first + merging.size()),
                    filter,
                    call.argumentTypes(),
                    call.stateType(),
                    call.type()));
        }
        return merging;
    }

    /**
     * A partial step in the scan's tasks, and a final step in tasks by the hash of the keys, or in one task without
     * keys.
     */
    private static List<Fragment> distributed(PlanNode scan, List<Integer> keys, List<AggregateCall> calls) {
        PlanNode partial = new PlanNode.Aggregate(scan, AggregateStep.PARTIAL, keys, calls);
        List<Integer> keyColumns = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            keyColumns.add(i);
        }
        List<AggregateCall> finals = ofStates(calls, keys.size(), OptionalInt.empty());
        PlanNode end = new PlanNode.Aggregate(
                new PlanNode.RemoteSource(List.of(0), partial.outputTypes(), List.of()),
                AggregateStep.FINAL,
                keyColumns,
                finals);
        boolean global = keys.isEmpty();
        return List.of(
                new Fragment(
                        0,
                        partial,
                        Fragment.Distribution.SOURCE,
                        global ? new Fragment.Output.Gather() : new Fragment.Output.Hash(keyColumns)),
                new Fragment(
                        1,
                        end,
                        global ? Fragment.Distribution.SINGLE : Fragment.Distribution.HASH,
                        new Fragment.Output.Gather()),
                new Fragment(
                        2,
                        new PlanNode.RemoteSource(List.of(1), end.outputTypes(), List.of()),
                        Fragment.Distribution.SINGLE,
                        new Fragment.Output.Gather()));
    }

    private static AggregateCall call(String name, boolean distinct, int column, SqlType argument, SqlType result) {
        return new AggregateCall(
                name, distinct, List.of(column), OptionalInt.empty(), List.of(argument), result, result);
    }

    private static List<String> expected(List<Integer> keys, List<List<@Nullable Object>> rows) {
        Map<List<@Nullable Object>, List<@Nullable Object>> groups = new HashMap<>();
        if (keys.isEmpty()) {
            groups.put(new ArrayList<>(), emptyGroup());
        }
        for (List<@Nullable Object> row : rows) {
            List<@Nullable Object> key = new ArrayList<>();
            keys.forEach(column -> key.add(row.get(column)));
            List<@Nullable Object> group = groups.computeIfAbsent(key, _ -> emptyGroup());
            if (row.get(2) instanceof Long value) {
                group.set(0, group.get(0) instanceof Long sum ? sum + value : value);
            }
            group.set(1, group.get(1) instanceof Long count ? count + 1 : null);
            if (row.get(1) instanceof String text
                    && !(group.get(2) instanceof String least && least.compareTo(text) <= 0)) {
                group.set(2, text);
            }
        }
        List<String> texts = new ArrayList<>();
        groups.forEach((key, group) -> {
            List<@Nullable Object> row = new ArrayList<>(key);
            row.addAll(group);
            texts.add(row.toString());
        });
        Collections.sort(texts);
        return texts;
    }

    private static List<@Nullable Object> emptyGroup() {
        List<@Nullable Object> group = new ArrayList<>();
        group.add(null);
        group.add(0L);
        group.add(null);
        return group;
    }

    private static List<Batch> batches(int rows, double nulls) {
        Random random = new Random(11);
        List<Batch> batches = new ArrayList<>();
        for (int from = 0; from < rows; from += 1000) {
            batches.add(TestBatches.random(random, TYPES, Math.min(1000, rows - from), nulls));
        }
        return batches;
    }

    private static List<String> sorted(List<List<@Nullable Object>> rows) {
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.toString()));
        Collections.sort(texts);
        return texts;
    }
}
