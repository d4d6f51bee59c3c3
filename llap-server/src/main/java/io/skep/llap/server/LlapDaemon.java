package io.skep.llap.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.query.QueryId;
import io.skep.engine.operator.Failures;
import io.skep.engine.spill.SpillBudget;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonLoad;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.OutputSource;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.server.cache.CacheSnapshot;
import io.skep.llap.server.executor.ExecutorConfig;
import io.skep.llap.server.executor.ExecutorPool;
import io.skep.storage.file.StorageFileSystem;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.write.PageSinkFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A daemon. It runs tasks of registered plans on its executors, and keeps their outputs until they are read. When
 * {@link #end} is done, nothing of the query is left. Thread-safe; no call blocks.
 */
public final class LlapDaemon implements DaemonConnection, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LlapDaemon.class.getName());
    /** The time within which queries must end when the daemon closes. It suffices for writing off threads. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    /** The number of ended queries that are remembered, to recognize late submissions. */
    private static final int REMEMBERED_ENDS = 10_000;

    private final DaemonIdentity identity;
    private final LlapConfig config;
    private final DaemonResources resources;
    private final ExecutorPool executors;
    private final MemoryPool exchangeMemory;
    private final SpillBudget exchangeSpill;
    private final MemoryPool sendMemory;
    private final MemoryPool lostMemory;
    private final TaskFactory taskFactory;
    private final PlanCache plans = new PlanCache();
    private final Map<QueryId, DaemonQuery> queries = new ConcurrentHashMap<>();
    private final Set<QueryId> endedQueries = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<QueryId, Boolean> eldest) {
            return size() > REMEMBERED_ENDS;
        }
    });
    private final AtomicLong leakedBytes = new AtomicLong();
    private volatile Optional<URI> external = Optional.empty();

    /**
     * @param resources memory, cache and I/O threads; closed with the daemon
     * @param peers connections to the other daemons whose outputs tasks read
     */
    public LlapDaemon(
            DaemonIdentity identity,
            LlapConfig config,
            DaemonResources resources,
            DaemonStorage storage,
            Function<DaemonIdentity, ? extends OutputSource> peers) {
        this.identity = identity;
        this.config = config;
        this.resources = resources;
        SpillFolder.clear(config.spillFolder());
        this.executors = new ExecutorPool(
                "llap-" + identity.slot(),
                ExecutorConfig.of(config.executors(), config.quantumNanos(), config.maxDetachedExecutors()));
        this.sendMemory = resources.memory().child("pages to be sent");
        this.exchangeMemory = resources.memory().child("exchange", config.exchangeBytes());
        this.exchangeSpill = new SpillBudget(
                "rows between tasks, of all queries", config.maxExchangeSpillBytes(), LlapConfig.EXCHANGE_SPILL.name());
        this.lostMemory = resources.memory().child("threads that do not come back");
        this.taskFactory = new TaskFactory(identity, config, storage, peers, lostMemory);
    }

    /**
     * Creates the only daemon of a process, which has no peers.
     *
     * @param files verifies that files have not changed since planning
     */
    public static LlapDaemon standalone(
            LlapConfig config,
            RowGroupReaderFactory readers,
            PageSinkFactory sinks,
            StorageFileSystem files,
            PartitionValues partitionValues) {
        DaemonResources resources = new DaemonResources(config, readers);
        DaemonStorage storage = DaemonStorage.of(resources, readers, sinks, files, partitionValues);
        DaemonIdentity identity = new DaemonIdentity(0, UUID.randomUUID().toString(), config.executors());
        return new LlapDaemon(identity, config, resources, storage, peer -> {
            throw new SkepException(
                    StandardErrorCode.INTERNAL_ERROR, "there is no daemon " + peer + " in this process");
        });
    }

    @Override
    public DaemonIdentity identity() {
        return identity;
    }

    /** Says where programs outside of the server read rows of this daemon. */
    public void announceExternal(URI location) {
        external = Optional.of(location);
    }

    @Override
    public Optional<URI> externalLocation() {
        return external;
    }

    @Override
    public DaemonLoad load() {
        return new DaemonLoad(executors.running(), executors.queued());
    }

    /** Completes as soon as one of the I/O threads is free. */
    public CompletableFuture<Boolean> probeIoThreads() {
        return resources.io().demand(() -> true);
    }

    public LlapConfig config() {
        return config;
    }

    @Override
    public void register(QueryId query, EncodedPlan plan) {
        register(query, plan, Map.of());
    }

    /**
     * @param files the local paths of plan files, by the names that the plan uses for them; each completes when the
     *     file has arrived. All other files are at the location that the plan names.
     */
    public void register(QueryId query, EncodedPlan plan, Map<String, CompletableFuture<Path>> files) {
        query(query).register(plan.name(), plans.open(plan), files);
    }

    @Override
    public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
        try {
            DaemonQuery query = registered(submission.query());
            TaskRun run = taskFactory.create(query, submission, executors, leakedBytes);
            TaskAttemptId output = new TaskAttemptId(submission.fragment(), submission.task(), submission.attempt());
            query.add(output, run);
            var _ = run.result().whenComplete((stats, failure) -> {
                if (failure instanceof SkepException reason) {
                    query.exchange().fail(output, reason);
                }
            });
            run.start();
            return run.result();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(Failures.asSkepException(e));
        }
    }

    @Override
    public PageStream open(QueryId id, TaskAttemptId output, int partition) {
        // A consumer may arrive before the plan.
        return query(id).exchange().open(output, partition);
    }

    @Override
    public CompletableFuture<@Nullable Void> cancel(QueryId id, TaskAttemptId attempt, String reason) {
        DaemonQuery query = queries.get(id);
        return query == null
                ? CompletableFuture.completedFuture(null)
                : query.cancel(attempt, new SkepException(StandardErrorCode.OPERATION_CANCELED, reason));
    }

    /**
     * Returns a registered query. Only a plan brings a query to this daemon, so a task that arrives after its query has
     * ended finds none, however long ago that was.
     */
    private DaemonQuery registered(QueryId id) {
        DaemonQuery known = queries.get(id);
        if (known == null) {
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "query " + id + " has ended here, or has never come");
        }
        return known;
    }

    private DaemonQuery query(QueryId id) {
        DaemonQuery known = queries.get(id);
        if (known != null) {
            return known;
        }
        synchronized (endedQueries) {
            if (endedQueries.contains(id)) {
                throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "query " + id + " has ended");
            }
            return queries.computeIfAbsent(
                    id,
                    ignored -> new DaemonQuery(
                            id, config, resources.memory(), exchangeMemory, exchangeSpill, resources.io()));
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> finishQuery(QueryId id, String reason) {
        return end(id, new SkepException(StandardErrorCode.OPERATION_CANCELED, reason));
    }

    /** Does the same as {@link #finishQuery(QueryId, String)}. Calls that still wait fail with {@code reason}. */
    public CompletableFuture<@Nullable Void> end(QueryId id, SkepException reason) {
        DaemonQuery query;
        synchronized (endedQueries) {
            endedQueries.add(id);
            query = queries.get(id);
        }
        if (query == null) {
            return CompletableFuture.completedFuture(null);
        }
        return query.end(reason, leaked -> {
            leakedBytes.addAndGet(leaked);
            queries.remove(id);
        });
    }

    /** Whether the query has ended. False also for an unknown query. */
    public boolean hasEnded(QueryId id) {
        synchronized (endedQueries) {
            return endedQueries.contains(id);
        }
    }

    /** The account of pages that have been encoded for other processes and not been sent. */
    public MemoryPool sendMemory() {
        return sendMemory;
    }

    private long queryBytes() {
        return Math.max(0, resources.queryBytes() - sendMemory.reservedBytes() - lostMemory.reservedBytes());
    }

    /** The status that the daemon reports to other processes. */
    public DaemonStatus status() {
        CacheSnapshot cache = resources.cache().snapshot();
        return new DaemonStatus(
                executors.running(),
                executors.queued(),
                queries.size(),
                tasks(),
                queryBytes(),
                config.maxMemoryBytes(),
                cache.usedBytes(),
                cache.capacityBytes(),
                cache.hits(),
                cache.misses());
    }

    private int tasks() {
        return queries.values().stream().mapToInt(DaemonQuery::taskCount).sum();
    }

    /** The queries that have not ended. */
    public List<QueryId> queries() {
        return List.copyOf(queries.keySet());
    }

    /** Completes the next time that no file is being read. Reads ahead may briefly outlive their query. */
    public CompletableFuture<@Nullable Void> whenReadsAreDone() {
        return resources.io().whenIdle();
    }

    public DaemonSnapshot snapshot() {
        return new DaemonSnapshot(
                queries.size(),
                tasks(),
                executors.stats(),
                queryBytes(),
                lostMemory.reservedBytes(),
                exchangeMemory.reservedBytes(),
                resources.io().aheadBytes(),
                resources.io().pending(),
                resources.io().overdue(),
                resources.files().open(),
                resources.files().leased(),
                SpillFolder.fileCount(config.spillFolder()),
                leakedBytes.get(),
                resources.cache().snapshot());
    }

    /**
     * Whether all executors are in steps that do not return, and no more of them may be replaced. Then no query makes
     * progress.
     */
    public boolean exhausted() {
        return executors.exhausted();
    }

    /** Ends all queries and threads and releases the cache. Whatever does not end in time is left behind and logged. */
    @Override
    public void close() {
        List<QueryId> left = List.copyOf(queries.keySet());
        CompletableFuture<?>[] ends =
                left.stream().map(id -> finishQuery(id, "the daemon stops")).toArray(CompletableFuture<?>[]::new);
        var _ = CompletableFuture.allOf(ends)
                .completeOnTimeout(null, LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        if (!queries.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "queries {0} have not ended with the daemon", queries.keySet());
        }
        executors.close();
        exchangeMemory.close();
        sendMemory.close();
        lostMemory.close();
        resources.close();
    }
}
