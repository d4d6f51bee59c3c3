package io.skep.ql.execution;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.memory.MemoryPool;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.ql.result.ResultCache;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The resources that the runs of all queries of a server share: the schedulers, the threads that start attempts, and
 * the memory for results.
 */
public final class QueryRuns implements StageGraphRunner {
    public static final Property<Long> MAX_KEPT_RESULT = new Property<>(
            "skep.query.max-kept-result",
            PropertyType.size(0, Integer.MAX_VALUE),
            "4MB",
            "A result up to this size in memory goes to its client when it is complete,"
                    + " so that the loss of a daemon does not fail its query. Larger results stream. 0:"
                    + " all results stream.");

    /**
     * The heap size divided by this number is the limit for the buffered results of all queries. Beyond that, rows
     * stream.
     */
    private static final int KEPT_SHARE_OF_HEAP = 32;

    private final Schedulers schedulers;
    private final Executor starts;
    private final Optional<ResultCache> results;
    private final MemoryPool kept =
            MemoryPool.root("kept results", Runtime.getRuntime().maxMemory() / KEPT_SHARE_OF_HEAP);

    /** Creates runs without a cache of results. */
    public QueryRuns(Schedulers schedulers) {
        this(schedulers, new StartPool());
    }

    /** Creates runs without a cache of results. */
    public QueryRuns(Schedulers schedulers, Executor starts) {
        this(schedulers, starts, Optional.empty());
    }

    /** Creates runs that use a cache of results. */
    public QueryRuns(Schedulers schedulers, ResultCache results) {
        this(schedulers, new StartPool(), Optional.of(results));
    }

    /**
     * @param starts the executor that lists files and starts attempts; its tasks may block
     * @param results the cache of results; without one, all queries run
     */
    public QueryRuns(Schedulers schedulers, Executor starts, Optional<ResultCache> results) {
        this.schedulers = schedulers;
        this.starts = starts;
        this.results = results;
    }

    /** Creates a run that has not begun. */
    public QueryRun of(AttemptSource source) {
        return new QueryRun(new AttemptLoop(source, schedulers, kept, results), starts);
    }

    /** Starts the run of a graph whose files are already listed. */
    @Override
    public QueryRun start(StageGraphRun run) {
        AtomicInteger attempts = new AtomicInteger();
        QueryRun begun = of(new AttemptSource() {
            @Override
            public QueryAttemptId begin() {
                return new QueryAttemptId(run.queryId(), attempts.incrementAndGet());
            }

            @Override
            public StageGraphRun list(QueryAttemptId attempt) {
                return AttemptLoop.named(run, attempt);
            }
        });
        begun.start(line -> {});
        return begun;
    }

    /** Returns the cache of results. */
    public Optional<ResultCache> results() {
        return results;
    }

    /** Returns the bytes of buffered results that are not yet complete. */
    public long keptBytes() {
        return kept.reservedBytes();
    }
}
