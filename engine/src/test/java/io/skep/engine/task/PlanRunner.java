package io.skep.engine.task;

import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorArrays;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.WrittenFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs plans over tables in memory and returns the result as rows of plain objects. Each batch is one split. */
public final class PlanRunner implements AutoCloseable {
    private static final TableFormat FORMAT = new TableFormat("", "", "", Map.of());

    private final Path folder;
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final MemoryPool memory;
    private final Map<String, List<Batch>> tables = new HashMap<>();
    private final Map<Integer, List<Split>> splits = new HashMap<>();
    private final Map<String, List<List<@Nullable Object>>> files = new ConcurrentHashMap<>();
    private final AtomicInteger openSinks = new AtomicInteger();
    private final AtomicInteger queries = new AtomicInteger();
    private InProcessRunner.Layout layout = new InProcessRunner.Layout(1, 2, 2);
    private Map<String, String> settings = Map.of();
    private @Nullable ExecutionStats stats;

    public PlanRunner(Path folder, long memoryBytes) {
        this(folder, MemoryPool.root("test", memoryBytes));
    }

    public PlanRunner(Path folder, MemoryPool memory) {
        this.folder = folder;
        this.memory = memory;
    }

    public PlanRunner layout(int sourceTasks, int hashTasks, int drivers) {
        layout = new InProcessRunner.Layout(sourceTasks, hashTasks, drivers);
        return this;
    }

    public PlanRunner settings(Map<String, String> newSettings) {
        settings = newSettings;
        return this;
    }

    /** Returns a scan of a table with these rows. */
    public PlanNode.Scan table(List<SqlType> types, List<Batch> batches, Optional<Expression> filter) {
        int id = tables.size();
        String name = "t" + id;
        tables.put(name, batches);
        List<Split> own = new ArrayList<>();
        for (int i = 0; i < batches.size(); i++) {
            own.add(new Split(new FileVersion(name, 1, 1), i, 1, FORMAT, List.of(), List.of()));
        }
        splits.put(id, own);
        List<Column> columns = new ArrayList<>();
        List<Integer> ordinals = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new Column("c" + i, types.get(i)));
            ordinals.add(i);
        }
        TableLayout layoutOfTable = new TableLayout(name, FORMAT, columns, List.of(), Map.of());
        return new PlanNode.Scan(id, new ScanRequest(layoutOfTable, ordinals, List.of()), filter);
    }

    public PlanNode.Scan table(List<SqlType> types, List<Batch> batches) {
        return table(types, batches, Optional.empty());
    }

    /** Runs one fragment. Returns its rows in the order of their arrival. */
    public List<List<@Nullable Object>> run(PlanNode root) {
        return run(List.of(new Fragment(0, root, Fragment.Distribution.SINGLE, new Fragment.Output.Gather())));
    }

    public List<List<@Nullable Object>> run(List<Fragment> fragments) {
        return TestBatches.rows(batches(fragments));
    }

    public List<Batch> batches(List<Fragment> fragments) {
        List<Batch> result = new ArrayList<>();
        try (StageGraphExecution execution = start(fragments)) {
            for (Optional<Batch> next = execution.next().join();
                    next.isPresent();
                    next = execution.next().join()) {
                result.add(next.get());
            }
            stats = execution.stats();
        }
        return result;
    }

    public StageGraphExecution start(List<Fragment> fragments) {
        InProcessRunner runner = new InProcessRunner(
                new Sources(),
                (_, path) -> new Sink(path),
                run -> FunctionRegistry.builtIn(run.settings()),
                executor,
                memory,
                folder,
                layout);
        List<SqlType> types = fragments.getLast().root().outputTypes();
        List<String> names = types.stream().map(SqlType::displayName).toList();
        StageGraph graph = new StageGraph(fragments, names, types, List.of(), 0);
        QueryId query = new QueryId("q" + queries.getAndIncrement());
        return runner.start(new StageGraphRun(query, graph, splits, settings));
    }

    private List<Batch> batches(Split split) {
        return java.util.Objects.requireNonNull(tables.get(split.file().path()));
    }

    public ExecutionStats stats() {
        return java.util.Objects.requireNonNull(stats);
    }

    public Map<String, List<List<@Nullable Object>>> files() {
        return new TreeMap<>(files);
    }

    public int openSinks() {
        return openSinks.get();
    }

    public long reservedBytes() {
        return memory.reservedBytes();
    }

    @Override
    public void close() {
        executor.shutdown();
        if (memory.reservedBytes() != 0 || openSinks.get() != 0) {
            throw new IllegalStateException(
                    memory.reservedBytes() + " bytes and " + openSinks.get() + " sinks are left");
        }
        String[] left = folder.toFile().list();
        if (left != null && left.length > 0) {
            throw new IllegalStateException("files are left: " + Arrays.toString(left));
        }
    }

    /** Returns vectors whose arrays are reused as the scan specifies, so that all plans are tested with reuse. */
    private final class Sources implements PageSourceFactory {
        @Override
        public PageSource open(ScanRequest request, Split split, MemoryPool pool) {
            return open(request, split, pool, VectorArrays.NEW);
        }

        @Override
        public PageSource open(ScanRequest request, Split split, MemoryPool pool, VectorArrays arrays) {
            return new Source(batches(split).get((int) split.start()), arrays);
        }
    }

    private static final class Source implements PageSource {
        private final VectorArrays arrays;
        private @Nullable Batch batch;

        Source(Batch batch, VectorArrays arrays) {
            this.batch = batch;
            this.arrays = arrays;
        }

        @Override
        public java.util.concurrent.CompletableFuture<?> blocked() {
            return NOT_BLOCKED;
        }

        @Override
        public @Nullable SourceBatch next() {
            Batch current = batch;
            if (current == null) {
                return null;
            }
            batch = null;
            return new SourceBatch() {
                @Override
                public int rowCount() {
                    return current.rowCount();
                }

                @Override
                public Vector column(int index) {
                    return TestBatches.copy(current.column(index), arrays);
                }
            };
        }

        @Override
        public ScanStats stats() {
            return new ScanStats(1, 1, 0, 0, 0, 0, 0);
        }

        @Override
        public void close() {}
    }

    private final class Sink implements PageSink {
        private final String path;
        private final List<List<@Nullable Object>> rows = new ArrayList<>();

        Sink(String path) {
            this.path = path;
            openSinks.incrementAndGet();
        }

        @Override
        public void append(Batch batch) {
            rows.addAll(TestBatches.rows(batch));
        }

        @Override
        public long bufferedBytes() {
            return rows.size();
        }

        @Override
        public WrittenFile finish() {
            openSinks.decrementAndGet();
            if (files.putIfAbsent(path, rows) != null) {
                throw new IllegalStateException(path + " was written twice");
            }
            return new WrittenFile(path, rows.size(), 10);
        }

        @Override
        public void abort() {
            openSinks.decrementAndGet();
        }
    }
}
