package io.skep.engine.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.spill.SpillSpace;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares joins of random rows with nested loops over the same rows. */
class TestJoin {
    private static final List<SqlType> TYPES =
            List.of(PrimitiveType.INT, PrimitiveType.STRING, new DecimalType(38, 2), PrimitiveType.BIGINT);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void oneKey(JoinKind kind) {
        check(kind, new int[] {0}, false, false, 900, 700, Map.of());
    }

    @ParameterizedTest
    @EnumSource
    void nullSafeKeysOfSeveralTypes(JoinKind kind) {
        check(kind, new int[] {0, 1, 2}, true, false, 1500, 1200, Map.of());
        check(kind, new int[] {0, 1, 2}, false, false, 1500, 1200, Map.of());
    }

    @ParameterizedTest
    @EnumSource
    void residualCondition(JoinKind kind) {
        check(kind, new int[] {0}, false, true, 900, 700, Map.of());
    }

    @ParameterizedTest
    @EnumSource
    void noKeys(JoinKind kind) {
        check(kind, new int[] {}, false, true, 150, 120, Map.of());
        check(kind, new int[] {}, false, false, 20, 1, Map.of());
    }

    @ParameterizedTest
    @EnumSource
    void emptySides(JoinKind kind) {
        check(kind, new int[] {0}, false, false, 100, 0, Map.of());
        check(kind, new int[] {0}, false, false, 0, 100, Map.of());
        check(kind, new int[] {}, false, false, 0, 0, Map.of());
    }

    @ParameterizedTest
    @EnumSource
    void spilled(JoinKind kind) {
        check(kind, new int[] {1, 2}, false, false, 2000, 3500, Map.of("skep.operator.max-memory", "1"));
    }

    @ParameterizedTest
    @EnumSource
    void spilledWithOneKeyForAllRows(JoinKind kind) {
        Random random = new Random(5);
        List<Batch> left = new ArrayList<>();
        List<Batch> right = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            left.add(skewed(random, 8));
            right.add(skewed(random, 1500));
        }
        compare(kind, new int[] {1}, false, true, left, right, Map.of("skep.operator.max-memory", "1"));
    }

    private static Batch skewed(Random random, int rows) {
        Batch batch = TestBatches.random(random, TYPES, rows, 0);
        String[] same = new String[rows];
        Arrays.fill(same, "x");
        return Batch.of(rows, batch.column(0), TestBatches.texts(same), batch.column(2), batch.column(3));
    }

    @ParameterizedTest
    @EnumSource
    void spilledWithoutKeys(JoinKind kind) {
        check(kind, new int[] {}, false, true, 60, 4000, Map.of("skep.operator.max-memory", "1"));
    }

    @Test
    void anInnerJoinWithAnEmptyBuildSideDoesNotReadTheProbeSide() {
        try (PlanRunner runner = new PlanRunner(folder, 1 << 30).layout(1, 1, 1)) {
            PlanNode left = runner.table(TYPES, batches(new Random(1), 10_000, 0));
            PlanNode right = runner.table(TYPES, List.of());
            assertThat(runner.run(join(JoinKind.INNER, left, right, new int[] {0}, false, false)))
                    .isEmpty();
            assertThat(runner.stats().scan().rows()).isZero();
        }
    }

    @Test
    void aDriverThatEndsEarlyKeepsNobodyWaiting() {
        Random random = new Random(3);
        PlanNode.Join join = join(JoinKind.INNER, values(), values(), new int[] {0}, false, false);
        BitSet used = new BitSet();
        used.set(0, join.outputTypes().size());
        MemoryPool memory = MemoryPool.root("task", 1 << 20);
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1 << 24);
                HashJoin.Shared shared = new HashJoin.Shared(join, used, List.of(), 1, 2)) {
            OperatorContext context = new OperatorContext(memory, spill, 1, () -> false);
            ExpressionCompiler compiler = new ExpressionCompiler(FunctionRegistry.builtIn(Map.of()));
            JoinOperator early = new JoinOperator(shared, compiler, context);
            JoinOperator late = new JoinOperator(shared, compiler, context);
            JoinBuildOperator build = new JoinBuildOperator(shared, context);
            build.add(TestBatches.random(random, TYPES, 5000, 0));
            build.finish();
            early.add(TestBatches.random(random, TYPES, 10, 0));
            late.add(TestBatches.random(random, TYPES, 10, 0));
            late.finish();
            assertThat(late.output()).isNull();
            assertThat(late.blocked().isDone()).isFalse();
            early.close();
            assertThat(late.blocked().isDone()).isTrue();
            late.close();
        }
        assertThat(memory.reservedBytes()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    private static PlanNode values() {
        return new PlanNode.RemoteSource(List.of(0), TYPES, List.of());
    }

    private void check(
            JoinKind kind,
            int[] keys,
            boolean nullSafe,
            boolean residual,
            int leftRows,
            int rightRows,
            Map<String, String> settings) {
        Random random = new Random(42);
        compare(
                kind,
                keys,
                nullSafe,
                residual,
                batches(random, leftRows, 0.1),
                batches(random, rightRows, 0.1),
                settings);
    }

    private void compare(
            JoinKind kind,
            int[] keys,
            boolean nullSafe,
            boolean residual,
            List<Batch> left,
            List<Batch> right,
            Map<String, String> settings) {
        List<String> expected =
                expected(kind, keys, nullSafe, residual, TestBatches.rows(left), TestBatches.rows(right));
        for (int drivers = 1; drivers <= 2; drivers++) {
            try (PlanRunner runner =
                    new PlanRunner(folder, 1 << 30).layout(2, 2, drivers).settings(settings)) {
                PlanNode leftScan = runner.table(TYPES, left);
                PlanNode rightScan = runner.table(TYPES, right);
                assertThat(sorted(runner.run(join(kind, leftScan, rightScan, keys, nullSafe, residual))))
                        .isEqualTo(expected);
                if (!settings.isEmpty()) {
                    assertThat(runner.stats().spilledBytes()).isPositive();
                }
                if (keys.length > 0) {
                    assertThat(sorted(runner.run(distributed(kind, leftScan, rightScan, keys, nullSafe, residual))))
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static List<Fragment> distributed(
            JoinKind kind, PlanNode left, PlanNode right, int[] keys, boolean nullSafe, boolean residual) {
        Fragment.Output byKey =
                new Fragment.Output.Hash(Arrays.stream(keys).boxed().toList());
        PlanNode join = join(
                kind,
                new PlanNode.RemoteSource(List.of(0), TYPES, List.of()),
                new PlanNode.RemoteSource(List.of(1), TYPES, List.of()),
                keys,
                nullSafe,
                residual);
        return List.of(
                new Fragment(0, left, Fragment.Distribution.SOURCE, byKey),
                new Fragment(1, right, Fragment.Distribution.SOURCE, byKey),
                new Fragment(2, join, Fragment.Distribution.HASH, new Fragment.Output.Gather()),
                new Fragment(
                        3,
                        new PlanNode.RemoteSource(List.of(2), join.outputTypes(), List.of()),
                        Fragment.Distribution.SINGLE,
                        new Fragment.Output.Gather()));
    }

    private static PlanNode.Join join(
            JoinKind kind, PlanNode left, PlanNode right, int[] keys, boolean nullSafe, boolean residual) {
        List<Integer> columns = Arrays.stream(keys).boxed().toList();
        // The residual condition: left column 3 is less than right column 3.
        Expression below = new Expression.Call(
                "<",
                List.of(
                        new Expression.InputColumn(3, PrimitiveType.BIGINT),
                        new Expression.InputColumn(7, PrimitiveType.BIGINT)),
                PrimitiveType.BOOLEAN);
        return new PlanNode.Join(
                kind,
                left,
                right,
                columns,
                columns,
                columns.stream().map(_ -> nullSafe).toList(),
                residual ? Optional.of(below) : Optional.empty());
    }

    private static List<Batch> batches(Random random, int rows, double nulls) {
        List<Batch> batches = new ArrayList<>();
        for (int from = 0; from < rows; from += 500) {
            batches.add(TestBatches.random(random, TYPES, Math.min(500, rows - from), nulls));
        }
        return batches;
    }

    private static List<String> expected(
            JoinKind kind,
            int[] keys,
            boolean nullSafe,
            boolean residual,
            List<List<@Nullable Object>> left,
            List<List<@Nullable Object>> right) {
        List<String> rows = new ArrayList<>();
        boolean[] rightMatched = new boolean[right.size()];
        List<@Nullable Object> none = Collections.nCopies(TYPES.size(), null);
        for (List<@Nullable Object> l : left) {
            boolean matched = false;
            for (int r = 0; r < right.size(); r++) {
                if (matches(l, right.get(r), keys, nullSafe, residual)) {
                    matched = true;
                    rightMatched[r] = true;
                    if (kind != JoinKind.SEMI && kind != JoinKind.ANTI) {
                        rows.add(joined(l, right.get(r)));
                    }
                }
            }
            if (kind == JoinKind.SEMI && matched || kind == JoinKind.ANTI && !matched) {
                rows.add(l.toString());
            } else if (!matched && (kind == JoinKind.LEFT || kind == JoinKind.FULL)) {
                rows.add(joined(l, none));
            }
        }
        for (int r = 0; r < right.size(); r++) {
            if (!rightMatched[r] && (kind == JoinKind.RIGHT || kind == JoinKind.FULL)) {
                rows.add(joined(none, right.get(r)));
            }
        }
        Collections.sort(rows);
        return rows;
    }

    private static boolean matches(
            List<@Nullable Object> left, List<@Nullable Object> right, int[] keys, boolean nullSafe, boolean residual) {
        for (int key : keys) {
            Object l = left.get(key);
            Object r = right.get(key);
            if (l == null || r == null ? !(nullSafe && l == null && r == null) : !l.equals(r)) {
                return false;
            }
        }
        return !residual || left.get(3) instanceof Long l && right.get(3) instanceof Long r && l < r;
    }

    private static String joined(List<@Nullable Object> left, List<@Nullable Object> right) {
        List<@Nullable Object> row = new ArrayList<>(left);
        row.addAll(right);
        return row.toString();
    }

    private static List<String> sorted(List<List<@Nullable Object>> rows) {
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.toString()));
        Collections.sort(texts);
        return texts;
    }
}
