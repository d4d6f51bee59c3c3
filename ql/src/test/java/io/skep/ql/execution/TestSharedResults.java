package io.skep.ql.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.SettingsReader;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.ql.result.CachedRows;
import io.skep.ql.result.ResultCache;
import io.skep.ql.result.ResultCacheConfig;
import io.skep.ql.result.ResultKey;
import io.skep.ql.result.ResultRequest;
import io.skep.storage.scan.ScanStats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs of the same query, of which one computes the rows, for each way in which that one may end. */
@Timeout(60)
final class TestSharedResults {
    private final SkepException broken = new SkepException(StandardErrorCode.CORRUPT_FILE, "broken");
    private final SkepException cancelled = new SkepException(StandardErrorCode.OPERATION_CANCELED, "cancelled");
    private final List<CompletableFuture<Optional<Batch>>> attempts = Collections.synchronizedList(new ArrayList<>());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ResultCache results = new ResultCache(ResultCacheConfig.of(new SettingsReader(Map.of())));
    private final QueryRuns runs = new QueryRuns(Schedulers.only(this::started), threads, Optional.of(results));
    private final AtomicInteger queries = new AtomicInteger();

    private final class Source implements AttemptSource {
        private final QueryId query = new QueryId("q" + queries.incrementAndGet());
        private int number;

        @Override
        public QueryAttemptId begin() {
            return new QueryAttemptId(query, ++number);
        }

        @Override
        public StageGraphRun list(QueryAttemptId attempt) {
            Fragment root = new Fragment(
                    0,
                    new PlanNode.Values(List.of(PrimitiveType.BIGINT), List.of()),
                    Fragment.Distribution.SINGLE,
                    new Fragment.Output.Gather());
            StageGraph graph = new StageGraph(List.of(root), List.of("n"), List.of(PrimitiveType.BIGINT), List.of(), 1);
            return new StageGraphRun(attempt.name(), graph, Map.of(), Map.of());
        }

        @Override
        public Optional<ResultRequest> cacheable(StageGraphRun run) {
            return ResultKey.of(run, 0).map(key -> new ResultRequest(key, true));
        }
    }

    /** An attempt of one batch, which the test completes. */
    private StageGraphExecution started(StageGraphRun run) {
        CompletableFuture<Optional<Batch>> rows = new CompletableFuture<>();
        attempts.add(rows);
        return new StageGraphExecution() {
            private boolean ended;

            @Override
            public CompletableFuture<Optional<Batch>> next() {
                if (ended) {
                    return CompletableFuture.completedFuture(Optional.empty());
                }
                ended = true;
                return rows;
            }

            @Override
            public void cancel(SkepException reason) {
                rows.completeExceptionally(reason);
            }

            @Override
            public ExecutionStats stats() {
                return new ExecutionStats("fake", List.of(), ScanStats.NONE, OperatorTimes.NONE, 0, 0);
            }

            @Override
            public void close() {
                rows.completeExceptionally(cancelled);
            }
        };
    }

    private static Optional<Batch> rows(long... values) {
        return Optional.of(Batch.of(values.length, new LongVector(values, null, values.length)));
    }

    /** A run whose first rows are asked for on another thread. */
    private record Started(QueryRun run, Future<Optional<Batch>> first, CountDownLatch waits) {}

    private Started start() {
        QueryRun run = runs.of(new Source());
        CountDownLatch waits = new CountDownLatch(1);
        Future<Optional<Batch>> first = threads.submit(() -> {
            run.start(line -> {
                if (line.startsWith("The same query is running")) {
                    waits.countDown();
                }
            });
            return run.nextRows();
        });
        return new Started(run, first, waits);
    }

    private Started startFirst() {
        Started first = start();
        awaitAttempts(1);
        return first;
    }

    private Started startSecond() throws InterruptedException {
        Started second = start();
        second.waits().await();
        return second;
    }

    private void awaitAttempts(int count) {
        Polling.await(count + " attempts").until(() -> attempts.size() >= count);
    }

    /** Lets the second attempt have rows, and checks that the run returns them. */
    private void assertRuns(Started run) throws Exception {
        awaitAttempts(2);
        Optional<Batch> rows = rows(3);
        attempts.get(1).complete(rows);
        assertThat(run.first().get()).isEqualTo(rows);
        run.run().close();
    }

    @AfterEach
    void nothingIsLeft() {
        threads.shutdownNow();
        assertThat(results.computations()).isZero();
        assertThat(runs.keptBytes()).isZero();
    }

    @Test
    void oneComputesForAll() throws Exception {
        Started first = startFirst();
        Started second = startSecond();
        Optional<Batch> rows = rows(1, 2);
        attempts.getFirst().complete(rows);
        assertThat(first.first().get()).isEqualTo(rows);
        assertThat(second.first().get()).isEqualTo(rows);
        assertThat(second.run().stats().scheduler()).isEqualTo(CachedRows.SCHEDULER);
        assertThat(second.run().nextRows()).isEmpty();
        assertThat(attempts).hasSize(1);
        first.run().close();
        second.run().close();
    }

    @Test
    void whoWaitsRunsWhenTheOtherFails() throws Exception {
        Started first = startFirst();
        Started second = startSecond();
        attempts.getFirst().completeExceptionally(broken);
        assertThatThrownBy(() -> first.first().get()).hasCause(broken);
        assertRuns(second);
        first.run().close();
    }

    /** The next attempt may read other files, so its rows are not those of the first one's key. */
    @Test
    void rowsOfLaterAttemptsAreNotKept() throws Exception {
        Started first = startFirst();
        Started second = startSecond();
        attempts.getFirst().completeExceptionally(new SkepException(StandardErrorCode.MISSING_FILE, "gone"));
        awaitAttempts(3);
        Optional<Batch> rows = rows(3);
        attempts.get(1).complete(rows);
        attempts.get(2).complete(rows);
        assertThat(first.first().get()).isEqualTo(rows);
        assertThat(second.first().get()).isEqualTo(rows);
        first.run().close();
        second.run().close();
    }

    @Test
    void whoWaitsRunsWhenTheOtherIsCancelled() throws Exception {
        Started first = startFirst();
        Started second = startSecond();
        first.run().cancel(cancelled);
        assertRuns(second);
        first.run().close();
    }

    @Test
    void whoWaitsRunsWhenTheOtherIsClosed() throws Exception {
        Started first = startFirst();
        Started second = startSecond();
        first.run().close();
        assertRuns(second);
    }

    @Test
    void whoWaitsRunsWhenTheRowsAreTooMany() throws Exception {
        Started first = startFirst();
        Started second = startSecond();
        Optional<Batch> rows = rows(new long[1 << 20]);
        attempts.getFirst().complete(rows);
        assertThat(first.first().get()).isEqualTo(rows);
        assertRuns(second);
        first.run().close();
    }

    @Test
    void whoWaitsCanBeCancelled() throws Exception {
        Started first = startFirst();
        Started second = startSecond();
        second.run().cancel(cancelled);
        assertThatThrownBy(() -> second.first().get()).hasCause(cancelled);
        second.run().close();
        attempts.getFirst().complete(rows(1));
        assertThat(first.first().get()).isPresent();
        first.run().close();
        assertThat(attempts).hasSize(1);
    }

    @Test
    void rowsOfARunThatWasClosedMeanwhileAreNotKept() throws Exception {
        Started first = startFirst();
        first.run().close();
        assertRuns(start());
    }
}
