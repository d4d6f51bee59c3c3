package io.skep.ql.testing;

import io.skep.common.config.KnownSettings;
import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.engine.task.InProcessRunner;
import io.skep.metastore.Catalog;
import io.skep.metastore.database.Trees;
import io.skep.metastore.schedule.ScheduledQueryStore;
import io.skep.metastore.system.RowRequest;
import io.skep.metastore.system.RowTarget;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.ListedTransaction;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.CommitConfig;
import io.skep.ql.commit.FaultyCalls;
import io.skep.ql.commit.StepFaults;
import io.skep.ql.commit.StoredTableFiles;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.compaction.CompactionParts;
import io.skep.ql.compiler.HiveSqlEngine;
import io.skep.ql.execution.QueryRuns;
import io.skep.ql.execution.RunningStatements;
import io.skep.ql.execution.Schedulers;
import io.skep.ql.external.ExternalReads;
import io.skep.ql.handler.HandlerReads;
import io.skep.ql.optimize.AlgebraMetadata;
import io.skep.ql.optimize.TableStatistics;
import io.skep.ql.path.PathConfig;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.physical.PartitionColumns;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.result.ResultCache;
import io.skep.ql.result.ResultCacheConfig;
import io.skep.ql.reuse.PlanCache;
import io.skep.ql.statement.StatementServices;
import io.skep.ql.system.SystemReads;
import io.skep.ql.transaction.StatementTransactions;
import io.skep.storage.compaction.CompactionFiles;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.DirectPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** A whole engine in the test's process with Derby, files in a temporary folder, and tasks on a small pool. */
public final class TestingEngine implements AutoCloseable {
    /** Does not force files, because the tests of commits cover power failures. */
    private static final CommitConfig UNFORCED = new CommitConfig(
            CommitConfig.DEFAULT.lease(), CommitConfig.DEFAULT.patience(), false, CommitConfig.DEFAULT.renames());

    private final TestingMetastore metastore;
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final MemoryPool memory = MemoryPool.root("test", 512 << 20);
    private final AtomicInteger queries = new AtomicInteger();
    private volatile Runnable beforeSystemRows = () -> {};
    private final Queue<RowRequest> systemRequests = new ConcurrentLinkedQueue<>();
    private final PlanCache plans;
    private final Optional<ResultCache> results;
    private final TableCommits commits;
    private final StatementTransactions transactions;
    private final HiveSqlEngine engine;
    private final CompactionParts parts;

    public TestingEngine(PlanningLimits limits) {
        this(limits, UnaryOperator.identity(), UnaryOperator.identity());
    }

    /** Creates an engine with wrappers around the runner and the files, such as gates that stop statements. */
    public TestingEngine(
            PlanningLimits limits,
            UnaryOperator<StageGraphRunner> wrappedRunner,
            UnaryOperator<TableFiles> wrappedFiles) {
        this(limits, wrappedRunner, wrappedFiles, UnaryOperator.identity());
    }

    /** Creates an engine that also has a wrapper around the catalog. */
    public TestingEngine(
            PlanningLimits limits,
            UnaryOperator<StageGraphRunner> wrappedRunner,
            UnaryOperator<TableFiles> wrappedFiles,
            UnaryOperator<Catalog> wrappedCatalog) {
        this(limits, wrappedRunner, wrappedFiles, wrappedCatalog, UnaryOperator.identity(), Map.of());
    }

    /** Creates an engine whose changes of files, of the catalog and of transactions may fail. */
    public static TestingEngine failing(StepFaults faults) {
        return new TestingEngine(
                PlanningLimits.DEFAULT,
                UnaryOperator.identity(),
                files -> FaultyCalls.files(files, faults),
                catalog -> FaultyCalls.of(Catalog.class, catalog, faults),
                store -> FaultyCalls.of(TransactionStore.class, store, faults),
                Map.of());
    }

    /** Creates an engine with authorization. The user root is in the role admin. */
    public static TestingEngine authorized(PlanningLimits limits) {
        return of(limits, Map.of("hive.security.authorization.enabled", "true", "hive.users.in.admin.role", "root"));
    }

    /** Creates an engine without authorization, which records what statements need. */
    public static TestingEngine recording(PlanningLimits limits) {
        return of(limits, Map.of("skep.audit.enabled", "true", "hive.users.in.admin.role", "root"));
    }

    /** Creates an engine with settings of its server. */
    public static TestingEngine of(PlanningLimits limits, Map<String, String> site) {
        return new TestingEngine(
                limits,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                site);
    }

    private TestingEngine(
            PlanningLimits limits,
            UnaryOperator<StageGraphRunner> wrappedRunner,
            UnaryOperator<TableFiles> wrappedFiles,
            UnaryOperator<Catalog> wrappedCatalog,
            UnaryOperator<TransactionStore> wrappedTransactions,
            Map<String, String> site) {
        metastore = TestingMetastore.open(site);
        plans = new PlanCache(metastore.catalog());
        results = results(site);
        HadoopFileSystem files = new HadoopFileSystem(new Configuration(false));
        FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);
        InProcessRunner runner = new InProcessRunner(
                new DirectPageSourceFactory(formats, files, new PartitionValues(ZoneOffset.UTC)),
                formats,
                run -> FunctionRegistry.builtIn(run.settings()),
                executor,
                memory,
                metastore.folder().resolve("spill"),
                InProcessRunner.Layout.SMALL);
        TableFiles tableFiles =
                wrappedFiles.apply(new StoredTableFiles(files, new SplitEnumerator(files, 1 << 20, formats)));
        Path journals = metastore.folder().resolve("commits");
        Catalog catalog = wrappedCatalog.apply(metastore.catalog());
        TransactionStore store = wrappedTransactions.apply(metastore.metastore().transactions());
        commits = new TableCommits(journals, tableFiles, catalog, store, UNFORCED);
        transactions = new StatementTransactions(store, metastore.metastore().transactionConfig(), "test");
        StatementServices services = new StatementServices(
                catalog,
                metastore.metastore().privileges(),
                new PartitionColumns(catalog, 1000),
                plans,
                new QueryRuns(Schedulers.only(wrappedRunner.apply(runner)), Runnable::run, results),
                tableFiles,
                commits,
                new AlgebraMetadata(new TableStatistics(catalog)),
                limits,
                new PathPolicy(
                        PathConfig.of(metastore.folder(), "file:" + metastore.warehouse()), tableFiles.qualified("/")),
                "file:" + metastore.warehouse(),
                InstantSource.system(),
                transactions,
                ExternalReads.NONE,
                new RunningStatements(),
                metastore.metastore().scheduledQueries(),
                metastore.metastore().dataConnectors(),
                new SystemReads(this::readSystemRows, formats, tableFiles),
                new HandlerReads(formats, tableFiles));
        parts = new CompactionParts(
                metastore.metastore().uncached(),
                transactions,
                new CompactionFiles(
                        files,
                        formats,
                        new DirectPageSourceFactory(formats, files, new PartitionValues(ZoneOffset.UTC)),
                        formats,
                        memory),
                commits);
        Map<String, String> settings = new HashMap<>(site);
        settings.put("hive.local.time.zone", "UTC");
        engine = new HiveSqlEngine(services, KnownSettings.NONE, settings);
    }

    /** Returns a cache of results if the settings ask for one. Otherwise each query runs, so that tests see it run. */
    private static Optional<ResultCache> results(Map<String, String> site) {
        return site.containsKey("hive.query.results.cache.enabled")
                ? Optional.of(new ResultCache(ResultCacheConfig.of(new SettingsReader(site))))
                : Optional.empty();
    }

    /** Drops all databases, tables and functions, and deletes their files. */
    public void clear() throws IOException {
        TestingMetastore.clear(catalog());
        try (Stream<Path> folders = Files.list(data().resolve("warehouse"))) {
            for (Path folder : folders.toList()) {
                Trees.delete(folder);
            }
        }
    }

    /** Sets what runs before each read of a system table, on the thread that waits for its rows. */
    public void beforeSystemRows(Runnable work) {
        beforeSystemRows = work;
    }

    private void readSystemRows(RowRequest request, RowTarget target) {
        beforeSystemRows.run();
        systemRequests.add(request);
        metastore.metastore().systemRows().read(request, target);
    }

    /** Returns what has been read of system tables since the last call. */
    public List<RowRequest> takeSystemRequests() {
        List<RowRequest> taken = new ArrayList<>();
        for (RowRequest next = systemRequests.poll(); next != null; next = systemRequests.poll()) {
            taken.add(next);
        }
        return taken;
    }

    /** Returns the cache of results of an engine whose settings ask for one. */
    public ResultCache results() {
        return results.orElseThrow();
    }

    /** Returns what compactions use of this engine. */
    public CompactionParts compactionParts() {
        return parts;
    }

    /** Returns the scheduled queries, which nothing runs. */
    public ScheduledQueryStore schedules() {
        return metastore.metastore().scheduledQueries();
    }

    public SqlSession session() {
        return session("test");
    }

    public SqlSession session(String user) {
        return engine.openSession(user, Map.of());
    }

    /** Returns the rows of one statement as Java values of their text form; none for statements without a result. */
    public List<List<Datum>> run(SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("q" + queries.incrementAndGet()), sql)) {
            return run(statement);
        }
    }

    private static List<List<Datum>> run(SqlStatement statement) {
        List<List<Datum>> rows = new ArrayList<>();
        statement.run(line -> {});
        Optional<ResultSchema> schema = statement.schema();
        if (schema.isPresent()) {
            read(statement.results(), schema.get(), rows);
        }
        return rows;
    }

    /** Runs a statement that changes rows, and returns their number. */
    public long modifiedRows(SqlSession session, String sql) {
        try (SqlStatement statement = session.compile(new QueryId("q" + queries.incrementAndGet()), sql)) {
            run(statement);
            return statement.modifiedRows().orElseThrow();
        }
    }

    /** Runs a statement as {@link #run} does, and returns one text per row. */
    public List<String> rows(SqlSession session, String sql) {
        return texts(run(session, sql));
    }

    /** Runs a statement, and returns its rows as SHOW and DESCRIBE print them: cells stripped, with bars between. */
    public List<String> printed(SqlSession session, String sql) {
        return run(session, sql).stream()
                .map(row -> row.stream()
                        .map(value ->
                                value instanceof Datum.Null ? "" : text(value).strip())
                        .collect(Collectors.joining("|")))
                .toList();
    }

    /** Returns the rows of a statement that is already compiled. */
    public List<String> rowsOf(SqlStatement statement) {
        return texts(run(statement));
    }

    private static List<String> texts(List<List<Datum>> rows) {
        return rows.stream()
                .map(row -> row.stream().map(TestingEngine::text).collect(Collectors.joining(" | ")))
                .toList();
    }

    private static String text(Datum value) {
        return switch (value) {
            case Datum.Null _ -> "NULL";
            case Datum.OfLong number -> Long.toString(number.value());
            case Datum.OfDouble number -> Double.toString(number.value());
            default -> value.toString();
        };
    }

    /** Returns the text of a query's plan. */
    public String plan(SqlSession session, String query) {
        try (SqlStatement statement = session.compile(new QueryId("q" + queries.incrementAndGet()), query)) {
            return statement.plan().orElseThrow().get();
        }
    }

    private static void read(ResultStream results, ResultSchema schema, List<List<Datum>> rows) {
        for (Optional<Batch> batch = results.next(); batch.isPresent(); batch = results.next()) {
            for (int row = 0; row < batch.get().rowCount(); row++) {
                List<Datum> values = new ArrayList<>();
                for (int i = 0; i < schema.columns().size(); i++) {
                    values.add(Datum.of(
                            batch.get().column(i), row, schema.columns().get(i).type()));
                }
                rows.add(values);
            }
        }
    }

    /** Returns the location of a table of the default database. */
    public String location(String table) {
        return metastore
                .catalog()
                .table("default", table)
                .orElseThrow()
                .storage()
                .location();
    }

    /** Returns the folder of a table of the default database. */
    public Path folder(String table) {
        return Path.of(URI.create(location(table).replaceFirst("^file:/+", "file:///")));
    }

    /** Returns the files of a table of the default database, without hidden ones. */
    public List<Path> files(String table) throws IOException {
        try (Stream<Path> all = Files.walk(folder(table))) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    /** Returns the names of the folders in the warehouse that belong to statements. */
    public List<String> stagingFolders() throws IOException {
        Path warehouse = data().resolve("warehouse");
        if (!Files.exists(warehouse)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(warehouse)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith(".skep-"))
                    .toList();
        }
    }

    /**
     * Runs a query, and cancels it when it has reached a point. Returns its error.
     *
     * @param reached counted down at the point, by the query's own thread
     */
    public Throwable cancelled(SqlSession session, String sql, CountDownLatch reached) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (SqlStatement waiting = session.compile(new QueryId("waiting"), sql)) {
            Thread runner = Thread.ofPlatform().start(() -> {
                try {
                    waiting.run(line -> {});
                } catch (SkepException e) {
                    failure.set(e);
                }
            });
            reached.await();
            waiting.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "cancelled by the test"));
            runner.join();
        }
        return failure.get();
    }

    /** Returns the folder with all files of the engine, including the warehouse. */
    public Path data() {
        return metastore.folder();
    }

    public TableCommits commits() {
        return commits;
    }

    /** Ends the transactions that a failed server has left open, as others do after the timeout. */
    public void endTransactions() {
        TransactionStore store = transactions.store();
        store.abortAll(store.transactions().stream()
                .filter(each -> !each.isAborted())
                .map(ListedTransaction::id)
                .toList());
    }

    public StatementTransactions transactions() {
        return transactions;
    }

    public Catalog catalog() {
        return metastore.catalog();
    }

    public PlanCache plans() {
        return plans;
    }

    public long reservedBytes() {
        return memory.reservedBytes();
    }

    @Override
    public void close() {
        executor.shutdownNow();
        transactions.close();
        metastore.close();
    }
}
