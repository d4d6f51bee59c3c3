package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.MemoryWait;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.aggregate.AggregateFunction;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.function.AggregateFunctions;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.WindowFunctions;
import io.skep.engine.operator.join.HashJoin;
import io.skep.engine.operator.join.JoinBuildOperator;
import io.skep.engine.operator.join.JoinOperator;
import io.skep.engine.operator.window.WindowOperator;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.WindowCall;
import io.skep.engine.spill.SpillSpace;
import io.skep.engine.task.PlanRunner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another query requests the memory before each step of an operator. The output rows stay the same. */
class TestRevocation {
    private static final long MEMORY = 16 << 20;
    /**
     * The maximum number of runs. A run is short, so it is repeated until the other query has requested memory during
     * one of them.
     */
    private static final int MAX_ROUNDS = 500;

    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final List<SqlType> TYPES = List.of(BIGINT, PrimitiveType.STRING, BIGINT);
    private static final FunctionRegistry FUNCTIONS = FunctionRegistry.builtIn(Map.of());

    @TempDir
    private Path folder;

    /** One test run, concurrent with another query that requests nearly all memory at one step. */
    private final class Run implements AutoCloseable {
        private final MemoryPool daemon = MemoryPool.daemon("daemon", MEMORY, 0, Duration.ofMinutes(5));
        private final MemoryPool other = daemon.query("other", MEMORY, 0);
        private final SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1L << 30);
        private final OperatorContext context =
                new OperatorContext(daemon.query("q", MEMORY, 0).child("task"), spill, Long.MAX_VALUE, () -> false);
        private final List<Batch> result = new ArrayList<>();
        private final int revokeAt;
        private int steps;
        private @Nullable MemoryWait wait;
        private boolean asked;

        Run(int revokeAt) {
            this.revokeAt = revokeAt;
        }

        /** Called before each step. The operators are those that a driver would ask to release memory. */
        void step(Operator... operators) {
            if (steps++ == revokeAt) {
                long wanted = MEMORY - (64 << 10);
                MemoryWait made = other.reserveOrWait(wanted).orElse(null);
                if (made == null) {
                    other.release(wanted);
                    return;
                }
                wait = made;
                asked = !made.isGranted();
                for (Operator operator : operators) {
                    operator.revokeMemory();
                }
            }
            MemoryWait current = wait;
            if (current != null && current.isGranted()) {
                other.release(current.bytes());
                wait = null;
            }
        }

        void take(@Nullable Batch batch) {
            if (batch != null) {
                result.add(batch);
            }
        }

        void drive(Operator operator, List<Batch> input) {
            for (Batch batch : input) {
                drain(operator);
                step(operator);
                operator.add(batch);
            }
            drain(operator);
            step(operator);
            operator.finish();
            while (!operator.finished()) {
                step(operator);
                take(operator.output());
            }
            step(operator);
        }

        private void drain(Operator operator) {
            while (!operator.needsInput()) {
                step(operator);
                take(operator.output());
            }
        }

        List<String> rows() {
            List<String> rows = new ArrayList<>();
            TestBatches.rows(result).forEach(row -> rows.add(row.toString()));
            return rows;
        }

        @Override
        public void close() {
            assertThat(wait).as("the other query was given its memory").isNull();
            spill.close();
            assertThat(daemon.reservedBytes()).isZero();
        }
    }

    /** The output rows, the number of steps, whether memory was revoked, and the bytes written to disk. */
    private record Outcome(List<String> rows, int steps, boolean asked, long spilledBytes) {}

    private Outcome run(int revokeAt, Function<Run, AutoCloseable> work) throws Exception {
        try (Run run = new Run(revokeAt)) {
            work.apply(run).close();
            assertThat(run.daemon.reservedBytes())
                    .isEqualTo(run.wait == null ? 0 : run.wait.isGranted() ? run.wait.bytes() : 0);
            run.step();
            return new Outcome(run.rows(), run.steps, run.asked, run.spill.writtenBytes());
        }
    }

    private void check(boolean ordered, Function<Run, AutoCloseable> work) throws Exception {
        Outcome plain = run(-1, work);
        assertThat(plain.spilledBytes()).isZero();
        List<String> expected = ordered ? plain.rows() : sorted(plain.rows());
        int times = 0;
        for (int step = 0; step < plain.steps(); step++) {
            Outcome revoked = run(step, work);
            assertThat(ordered ? revoked.rows() : sorted(revoked.rows()))
                    .as("asked before step %s", step)
                    .isEqualTo(expected);
            times += revoked.asked() ? 1 : 0;
        }
        assertThat(times).as("times that memory was asked back").isGreaterThan(plain.steps() / 3);
    }

    private static List<String> sorted(List<String> rows) {
        List<String> copy = new ArrayList<>(rows);
        Collections.sort(copy);
        return copy;
    }

    @Test
    void sort() throws Exception {
        List<SortKey> keys =
                List.of(new SortKey(0, false, true), new SortKey(1, true, true), new SortKey(2, true, true));
        check(true, run -> {
            SortOperator sort = new SortOperator(TYPES, keys, run.context);
            run.drive(sort, batches(1, 6, 5000));
            assertThat(run.result.stream().mapToInt(Batch::rowCount).sum()).isEqualTo(6 * 900);
            return sort;
        });
    }

    @Test
    void window() throws Exception {
        WindowCall.Frame whole = new WindowCall.Frame(
                WindowCall.Unit.ROWS, new WindowCall.Bound.UnboundedPreceding(), new WindowCall.Bound.CurrentRow());
        WindowCall sum = new WindowCall("sum", false, false, List.of(2), List.of(BIGINT), whole, BIGINT);
        PlanNode.Window node = new PlanNode.Window(
                new PlanNode.RemoteSource(List.of(0), TYPES, List.of()),
                List.of(0),
                List.of(new SortKey(2, true, false)),
                List.of(sum));
        WindowFunctions functions = new WindowFunctions(FUNCTIONS);
        check(true, run -> {
            WindowOperator window = new WindowOperator(node, List.of(functions.of(sum)), run.context);
            run.drive(window, batches(2, 6, 500));
            return window;
        });
    }

    @Test
    void aggregation() throws Exception {
        check(false, run -> {
            FinalAggregationOperator operator =
                    new FinalAggregationOperator(keyTypes(), List.of(0, 1), calls(2), functions(), null, run.context);
            run.drive(operator, batches(3, 6, 5000));
            return operator;
        });
    }

    @Test
    void aggregationOfStates() throws Exception {
        check(false, run -> {
            PartialAggregationOperator partial =
                    new PartialAggregationOperator(keyTypes(), List.of(0, 1), calls(2), functions(), null, run.context);
            run.drive(partial, batches(4, 6, 5000));
            partial.close();
            List<Batch> states = List.copyOf(run.result);
            run.result.clear();
            FinalAggregationOperator operator = new FinalAggregationOperator(
                    keyTypes(), List.of(0, 1), calls(2), functions(), List.of(2), run.context);
            run.drive(operator, states);
            return operator;
        });
    }

    private static List<SqlType> keyTypes() {
        return List.of(BIGINT, PrimitiveType.STRING);
    }

    private static List<AggregateCall> calls(int column) {
        return List.of(
                new AggregateCall("sum", false, List.of(column), OptionalInt.empty(), List.of(BIGINT), BIGINT, BIGINT));
    }

    private static List<AggregateFunction> functions() {
        AggregateFunctions functions = new AggregateFunctions(FUNCTIONS);
        return calls(2).stream().map(functions::of).toList();
    }

    @ParameterizedTest
    @EnumSource
    void join(JoinKind kind) throws Exception {
        check(false, run -> join(kind, run));
    }

    /** Fills a build side and probes it with two drivers, which take turns. */
    private AutoCloseable join(JoinKind kind, Run run) {
        PlanNode values = new PlanNode.RemoteSource(List.of(0), TYPES, List.of());
        PlanNode.Join join =
                new PlanNode.Join(kind, values, values, List.of(0), List.of(0), List.of(false), Optional.empty());
        BitSet used = new BitSet();
        used.set(0, join.outputTypes().size());
        HashJoin.Shared shared = new HashJoin.Shared(join, used, List.of(), 1, 2);
        ExpressionCompiler compiler = new ExpressionCompiler(FUNCTIONS);
        JoinOperator first = new JoinOperator(shared, compiler, run.context);
        JoinOperator second = new JoinOperator(shared, compiler, run.context);
        JoinBuildOperator build = new JoinBuildOperator(shared, run.context);
        for (Batch batch : batches(5, 5, 600)) {
            run.step(build, first, second);
            build.add(batch);
        }
        run.step(build, first, second);
        build.finish();
        List<Batch> probes = new ArrayList<>(batches(6, 3, 700));
        boolean moved = true;
        while (!first.finished() || !second.finished()) {
            assertThat(moved).as("somebody goes on").isTrue();
            moved = false;
            for (JoinOperator one : List.of(first, second)) {
                moved |= turn(run, one, one == first ? second : first, probes);
            }
        }
        return () -> {
            first.close();
            second.close();
            shared.close();
        };
    }

    private static boolean turn(Run run, JoinOperator one, JoinOperator two, List<Batch> probes) {
        run.step(one, two);
        if (one.finished() || !one.blocked().isDone()) {
            return false;
        }
        run.take(one.output());
        if (one.needsInput() && !probes.isEmpty()) {
            one.add(probes.removeFirst());
        } else if (one.needsInput()) {
            one.finish();
        }
        return true;
    }

    /** Several threads fill, probe and sort, while another query repeatedly reserves and releases nearly all memory. */
    @ParameterizedTest
    @EnumSource
    void manyThreads(JoinKind kind) {
        MemoryPool daemon = MemoryPool.daemon("daemon", MEMORY, 0, Duration.ofMinutes(5));
        try (PlanRunner runner = new PlanRunner(folder, daemon).layout(2, 2, 2)) {
            PlanNode left = runner.table(TYPES, batches(7, 12, 900));
            PlanNode right = runner.table(TYPES, batches(8, 12, 1000));
            PlanNode.Join join =
                    new PlanNode.Join(kind, left, right, List.of(0), List.of(0), List.of(false), Optional.empty());
            PlanNode groups = new PlanNode.Aggregate(join, PlanNode.AggregateStep.SINGLE, List.of(0, 1, 2), calls(2));
            PlanNode sort = new PlanNode.Sort(groups, List.of(new SortKey(3, true, true)));
            List<String> expected = sorted(texts(runner.run(sort)));
            MemoryPool other = daemon.query("other", MEMORY, 0);
            AtomicBoolean ended = new AtomicBoolean();
            CompletableFuture<Void> asking = CompletableFuture.runAsync(
                    () -> {
                        while (!ended.get()) {
                            long wanted = MEMORY - (256 << 10);
                            other.reserveOrWait(wanted)
                                    .ifPresent(wait -> wait.done().join());
                            other.release(wanted);
                        }
                    },
                    Thread::startVirtualThread);
            try {
                long spilledBytes = 0;
                for (int round = 0; round < 3 || spilledBytes == 0 && round < MAX_ROUNDS; round++) {
                    assertThat(sorted(texts(runner.run(sort)))).isEqualTo(expected);
                    spilledBytes += runner.stats().spilledBytes();
                }
                assertThat(spilledBytes).isPositive();
            } finally {
                ended.set(true);
                // Fails where the other query has failed, after which nothing has to spill.
                asking.join();
                other.close();
            }
        }
        assertThat(daemon.reservedBytes()).isZero();
    }

    private static List<String> texts(List<List<@Nullable Object>> rows) {
        return rows.stream().map(List::toString).toList();
    }

    /** Returns batches of 900 rows: a key, which may be null, a text and a number. */
    private static List<Batch> batches(int seed, int count, int keys) {
        Random random = new Random(seed);
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            @Nullable Long[] key = new Long[900];
            String[] text = new String[900];
            long[] number = new long[900];
            for (int row = 0; row < 900; row++) {
                key[row] = random.nextInt(50) == 0 ? null : Long.valueOf(random.nextInt(keys));
                text[row] = "a text to make the rows wide enough " + random.nextInt(40);
                number[row] = i * 900L + row;
            }
            batches.add(
                    Batch.of(900, TestBatches.nullableLongs(key), TestBatches.texts(text), TestBatches.longs(number)));
        }
        return batches;
    }
}
