package io.skep.ql.result;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The rows of queries that have run, bounded by their memory. A query that is the same in all that its rows follow from
 * ({@link ResultKey}) gets them, also that of another user: rights, row filters and masks have been applied when a plan
 * is made. Of queries that run at the same time, one computes the rows and the others wait for it. Thread-safe.
 */
public final class ResultCache {
    /** The inverse of the share of the heap that all results together may use. */
    private static final long HEAP_SHARE = 16;

    private static final long BYTES_ENTRY = 300;

    private record Result(List<Batch> rows, long bytes) {}

    private final long maxEntryBytes;
    private final Cache<ResultKey, Result> results;

    /** The queries that compute rows. Each future says in the end whether the rows are cached. */
    private final ConcurrentHashMap<ResultKey, CompletableFuture<Boolean>> computations = new ConcurrentHashMap<>();

    private final LongAdder hits = new LongAdder();

    public ResultCache(ResultCacheConfig config) {
        this(config, Ticker.systemTicker());
    }

    ResultCache(ResultCacheConfig config, Ticker ticker) {
        long maxBytes = Math.min(config.maxBytes(), Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        this.maxEntryBytes = Math.min(config.maxEntryBytes(), maxBytes);
        Caffeine<Object, Object> builder =
                Caffeine.newBuilder().executor(Runnable::run).ticker(ticker);
        if (config.lifetime().compareTo(Duration.ZERO) > 0) {
            builder.expireAfterWrite(config.lifetime());
        }
        this.results = builder.maximumWeight(maxBytes)
                .weigher((ResultKey key, Result result) -> Math.clamp(result.bytes(), 0, Integer.MAX_VALUE))
                .build();
    }

    /**
     * What a query gets from the cache.
     *
     * @param rows the rows, if they are known
     * @param filling takes the rows that the query computes; does nothing with them if they are not wanted
     */
    public record Found(Optional<List<Batch>> rows, Filling filling) {}

    /** Takes the rows of a query that runs. Ends once, by the first call. */
    public interface Filling {
        /** Keeps nothing. */
        Filling NONE = new Filling() {
            @Override
            public void complete(List<Batch> rows) {}

            @Override
            public void giveUp() {}
        };

        /** Keeps all rows of the query, in this order. */
        void complete(List<Batch> rows);

        /** The query has failed, was cancelled, or has more rows than are kept. */
        void giveUp();
    }

    private final class Computation implements Filling {
        private final ResultKey key;
        private final CompletableFuture<Boolean> outcome;

        private Computation(ResultKey key, CompletableFuture<Boolean> outcome) {
            this.key = key;
            this.outcome = outcome;
        }

        @Override
        public void complete(List<Batch> rows) {
            long bytes = BYTES_ENTRY
                    + key.bytes()
                    + rows.stream().mapToLong(Batch::retainedBytes).sum();
            boolean fits = bytes <= maxEntryBytes && !outcome.isDone();
            if (fits) {
                results.put(key, new Result(List.copyOf(rows), bytes));
            }
            end(fits);
        }

        @Override
        public void giveUp() {
            end(false);
        }

        private void end(boolean cached) {
            computations.remove(key, outcome);
            outcome.complete(cached);
        }
    }

    /**
     * Returns the rows of a query, or lets it compute them for others. A query waits once at most. If the one that it
     * waits for fails, it runs: those that wait with it would otherwise fail one after another.
     *
     * @param mayWait whether to wait for a query that computes the same rows; an interrupt ends the wait
     * @param waiting called before a wait
     * @throws SkepException OPERATION_CANCELED when the thread was interrupted while it waited
     */
    public Found find(ResultKey key, boolean mayWait, Runnable waiting) {
        Optional<List<Batch>> known = rows(key);
        if (known.isPresent()) {
            return new Found(known, Filling.NONE);
        }
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        CompletableFuture<Boolean> other = computations.putIfAbsent(key, own);
        if (other == null) {
            return computed(key, new Computation(key, own));
        }
        if (!mayWait) {
            return new Found(Optional.empty(), Filling.NONE);
        }
        waiting.run();
        return await(other) ? find(key, false, waiting) : new Found(Optional.empty(), Filling.NONE);
    }

    /** Returns rows that another query has put between the look-up and the beginning of this computation, or none. */
    private Found computed(ResultKey key, Computation computation) {
        Optional<List<Batch>> known = rows(key);
        if (known.isPresent()) {
            computation.giveUp();
        }
        return new Found(known, known.isPresent() ? Filling.NONE : computation);
    }

    private Optional<List<Batch>> rows(ResultKey key) {
        @Nullable Result known = results.getIfPresent(key);
        if (known != null) {
            hits.increment();
        }
        return Optional.ofNullable(known).map(Result::rows);
    }

    private static boolean await(CompletableFuture<Boolean> outcome) {
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "the wait for the rows of the same query was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether there are rows of this plan, over files as they were or still are. */
    public boolean knows(StageGraph graph) {
        byte[] plan = PlanCodec.encode(graph);
        return results.asMap().keySet().stream().anyMatch(key -> key.isOfPlan(plan));
    }

    /** Returns how many queries have got their rows from here. */
    public long hits() {
        return hits.sum();
    }

    /** Returns the number of queries that compute rows for the cache at this moment. */
    public int computations() {
        return computations.size();
    }
}
