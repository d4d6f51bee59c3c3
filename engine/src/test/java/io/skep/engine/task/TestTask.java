package io.skep.engine.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.MemoryWait;
import io.skep.common.query.OperatorKind;
import io.skep.common.query.OperatorStats;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.exchange.PageInput;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.operator.scan.SplitQueue;
import io.skep.engine.plan.AggregateCall;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.SortKey;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.spill.SpillSpace;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests tasks from a daemon's point of view: parked drivers, memory that other tasks hold, full disks, cancellation.
 */
class TestTask {
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final List<SqlType> TYPES = List.of(BIGINT, PrimitiveType.STRING);

    @TempDir
    private Path folder;

    /** An input that is filled by hand. */
    private static final class ManualInput implements PageInput {
        private final List<Batch> batches = new ArrayList<>();
        private boolean ended;
        private boolean closed;
        private @Nullable CompletableFuture<Optional<Batch>> waiting;

        @Override
        public CompletableFuture<Optional<Batch>> next() {
            if (!batches.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.of(batches.removeFirst()));
            }
            if (ended) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            CompletableFuture<Optional<Batch>> future = new CompletableFuture<>();
            waiting = future;
            return future;
        }

        void add(Batch batch) {
            CompletableFuture<Optional<Batch>> future = waiting;
            waiting = null;
            if (future == null) {
                batches.add(batch);
            } else {
                future.complete(Optional.of(batch));
            }
        }

        void end() {
            ended = true;
            if (waiting != null) {
                waiting.complete(Optional.empty());
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private Task task(
            PlanNode root,
            ManualInput input,
            MemoryOutput output,
            MemoryPool memory,
            SpillSpace spill,
            AtomicBoolean cancelled) {
        StageGraph graph = new StageGraph(
                List.of(new Fragment(1, root, Fragment.Distribution.SINGLE, new Fragment.Output.Gather())),
                List.of(),
                List.of(),
                List.of(),
                0);
        return new Task(
                graph,
                1,
                new TaskEnvironment(
                        new QueryId("q"),
                        0,
                        0,
                        (_, _, _) -> {
                            throw new IllegalStateException("no scans here");
                        },
                        (_, _) -> {
                            throw new IllegalStateException("no writes here");
                        },
                        FunctionRegistry.builtIn(Map.of()),
                        Map.of(0, List.of(input)),
                        output,
                        Map.of(0, new SplitQueue(List.of())),
                        memory,
                        spill,
                        Map.of(),
                        ZoneOffset.UTC,
                        List.of(),
                        1,
                        cancelled::get,
                        Path::of));
    }

    @Test
    void aDriverParksUntilItsInputComes() {
        ManualInput input = new ManualInput();
        MemoryOutput output = new MemoryOutput(1, 1);
        MemoryPool memory = MemoryPool.root("task", 1 << 20);
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1 << 20);
                Task task = task(
                        new PlanNode.RemoteSource(List.of(0), TYPES, List.of()),
                        input,
                        output,
                        memory,
                        spill,
                        new AtomicBoolean())) {
            Driver driver = task.drivers().getFirst();
            CompletableFuture<?> wait = driver.process(1_000_000_000);
            assertThat(wait).isNotDone();
            input.add(Batch.of(1, TestBatches.longs(7), TestBatches.texts("x")));
            assertThat(wait).isDone();
            assertThat(driver.process(1_000_000_000)).isNotDone();
            assertThat(task.finished()).isFalse();
            input.end();
            assertThat(driver.process(1_000_000_000)).isDone();
            assertThat(driver.finished()).isTrue();
            assertThat(task.finished()).isTrue();
            assertThat(task.statistics().outputRows()).isEqualTo(1);
            OperatorStats source = task.statistics().operators().getFirst();
            assertThat(source.tasks()).isEqualTo(1);
            assertThat(source.outputRows()).isEqualTo(1);
            assertThat(source.nanos()).isPositive();
        }
        assertThat(input.closed).isTrue();
    }

    @Test
    void closingAParkedTaskEndsIt() {
        ManualInput input = new ManualInput();
        MemoryPool memory = MemoryPool.root("task", 64 << 20);
        PlanNode sort = new PlanNode.Sort(
                new PlanNode.RemoteSource(List.of(0), TYPES, List.of()), List.of(new SortKey(0, true, true)));
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1 << 20)) {
            Task task = task(sort, input, new MemoryOutput(1, 1), memory, spill, new AtomicBoolean());
            Random random = new Random(1);
            for (int i = 0; i < 20; i++) {
                input.add(TestBatches.random(random, TYPES, 2000, 0));
            }
            Driver driver = task.drivers().getFirst();
            CompletableFuture<?> wait = driver.process(10_000_000_000L);
            assertThat(memory.reservedBytes()).isPositive();
            task.close();
            task.close();
            assertThat(memory.reservedBytes()).isZero();
            assertThat(input.closed).isTrue();
            assertThat(wait).isDone();
            assertThat(driver.process(1)).isDone();
            assertThat(driver.finished()).isTrue();
        }
    }

    @Test
    void aParkedDriverGivesBackWhatOthersWant() {
        ManualInput input = new ManualInput();
        MemoryPool daemon = MemoryPool.daemon("daemon", 64 << 20, 0, Duration.ofMinutes(5));
        MemoryPool other = daemon.query("other", 64 << 20, 0);
        MemoryPool query = daemon.query("q", 64 << 20, 0);
        PlanNode sort = new PlanNode.Sort(
                new PlanNode.RemoteSource(List.of(0), TYPES, List.of()), List.of(new SortKey(0, true, true)));
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1 << 24);
                Task task =
                        task(sort, input, new MemoryOutput(1, 1), query.child("task"), spill, new AtomicBoolean())) {
            Random random = new Random(1);
            for (int i = 0; i < 20; i++) {
                input.add(TestBatches.random(random, TYPES, 2000, 0));
            }
            Driver driver = task.drivers().getFirst();
            CompletableFuture<?> parked = driver.process(10_000_000_000L);
            assertThat(parked).isNotDone();
            assertThat(query.reservedBytes()).isPositive();
            MemoryWait wait = other.reserveOrWait(63 << 20).orElseThrow();
            assertThat(wait.isGranted()).isFalse();
            assertThat(parked).isDone();
            assertThat(driver.process(10_000_000_000L)).isNotDone();
            assertThat(wait.isGranted()).isTrue();
            input.end();
            assertThat(driver.process(10_000_000_000L)).isDone();
            assertThat(task.statistics().outputRows()).isEqualTo(40_000);
            assertThat(task.statistics().spilledBytes()).isPositive();
            List<OperatorStats> operators = task.statistics().operators();
            assertThat(operators).extracting(OperatorStats::outputRows).containsExactly(40_000L, 40_000L);
            assertThat(operators.getFirst().spilledBytes())
                    .isEqualTo(task.statistics().spilledBytes());
            assertThat(operators.getFirst().peakMemoryBytes()).isPositive();
            assertThat(operators.getLast().spilledBytes()).isZero();
        }
        other.close();
        query.close();
        assertThat(daemon.reservedBytes()).isZero();
    }

    @Test
    void aCancelledTaskFailsAtItsNextStep() {
        AtomicBoolean cancelled = new AtomicBoolean();
        MemoryPool memory = MemoryPool.root("task", 1 << 20);
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1 << 20);
                Task task = task(
                        new PlanNode.RemoteSource(List.of(0), TYPES, List.of()),
                        new ManualInput(),
                        new MemoryOutput(1, 1),
                        memory,
                        spill,
                        cancelled)) {
            cancelled.set(true);
            assertThatThrownBy(() -> task.drivers().getFirst().process(1))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
        }
    }

    @Test
    void aFullDiskFailsTheTaskAndLeavesNothing() {
        ManualInput input = new ManualInput();
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            input.add(TestBatches.random(random, TYPES, 2000, 0));
        }
        input.end();
        MemoryPool memory = MemoryPool.root("task", 300_000);
        PlanNode sort = new PlanNode.Sort(
                new PlanNode.RemoteSource(List.of(0), TYPES, List.of()), List.of(new SortKey(1, true, true)));
        try (SpillSpace spill = new SpillSpace(folder, new QueryId("q"), "t", 1 << 20)) {
            Task task = task(sort, input, new MemoryOutput(1, 1), memory, spill, new AtomicBoolean());
            assertThatThrownBy(() -> task.drivers().getFirst().process(60_000_000_000L))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.DISK_FULL));
            task.close();
            assertThat(spill.usedBytes()).isZero();
        }
        assertThat(memory.reservedBytes()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void operatorsShareAPoolThatIsTooSmallForAll() {
        Random random = new Random(5);
        List<Batch> left = new ArrayList<>();
        List<Batch> right = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            left.add(numbered(random, 2000));
            right.add(numbered(random, 200));
        }
        List<List<@Nullable Object>> expected = new ArrayList<>();
        for (long bytes : new long[] {1L << 30, 2_500_000}) {
            try (PlanRunner runner = new PlanRunner(folder, bytes).layout(1, 2, 2)) {
                PlanNode join = new PlanNode.Join(
                        PlanNode.JoinKind.LEFT,
                        runner.table(TYPES, left),
                        runner.table(TYPES, right),
                        List.of(0),
                        List.of(0),
                        List.of(false),
                        Optional.empty());
                AggregateCall count = new AggregateCall(
                        "count", false, List.of(2), OptionalInt.empty(), List.of(BIGINT), BIGINT, BIGINT);
                PlanNode grouped = new PlanNode.Aggregate(
                        new PlanNode.Project(
                                join,
                                List.of(
                                        new Expression.InputColumn(0, BIGINT),
                                        new Expression.InputColumn(1, PrimitiveType.STRING),
                                        new Expression.InputColumn(2, BIGINT))),
                        PlanNode.AggregateStep.SINGLE,
                        List.of(0, 1),
                        List.of(count));
                List<List<@Nullable Object>> rows = runner.run(
                        new PlanNode.Sort(grouped, List.of(new SortKey(0, true, true), new SortKey(1, true, true))));
                assertThat(runner.stats().times().kinds())
                        .contains(OperatorKind.SCAN, OperatorKind.JOIN, OperatorKind.AGGREGATION, OperatorKind.SORT)
                        .doesNotContain(OperatorKind.WINDOW, OperatorKind.WRITE);
                if (expected.isEmpty()) {
                    expected.addAll(rows);
                } else {
                    assertThat(rows).isEqualTo(expected);
                    assertThat(runner.stats().spilledBytes()).isPositive();
                }
            }
        }
    }

    private static Batch numbered(Random random, int rows) {
        long[] keys = new long[rows];
        for (int i = 0; i < rows; i++) {
            keys[i] = random.nextInt(20_000);
        }
        return Batch.of(
                rows,
                TestBatches.longs(keys),
                TestBatches.random(random, TYPES, rows, 0.1).column(1));
    }
}
