package io.skep.ql.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.ql.result.ResultCache.Filling;
import io.skep.ql.result.ResultCache.Found;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TestResultCache {
    private static final long NOW = 1_000_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();

    private ResultCache cache(long maxBytes, long maxEntryBytes) {
        return new ResultCache(new ResultCacheConfig(maxBytes, maxEntryBytes, Duration.ofHours(1)), nanos::get);
    }

    private static FileVersion file(long modificationTime, long identity) {
        return new FileVersion("file:/t/f", 100, modificationTime, identity);
    }

    private static Split split(FileVersion file, Optional<AcidInfo> acid) {
        return new Split(file, 0, 100, new TableFormat("in", "out", "serde", Map.of()), List.of(), List.of(), acid);
    }

    private static StageGraphRun run(String query, String column, Map<Integer, List<Split>> splits, String zone) {
        Fragment root = new Fragment(
                0,
                new PlanNode.Values(List.of(PrimitiveType.BIGINT), List.of()),
                Fragment.Distribution.SINGLE,
                new Fragment.Output.Gather());
        StageGraph graph = new StageGraph(List.of(root), List.of(column), List.of(PrimitiveType.BIGINT), List.of(), 1);
        return new StageGraphRun(new QueryId(query), graph, splits, Map.of("hive.local.time.zone", zone));
    }

    private static ResultKey key(String column) {
        return ResultKey.of(run("q", column, Map.of(), "UTC"), NOW).orElseThrow();
    }

    private static List<Batch> rows(long... values) {
        return List.of(Batch.of(values.length, new LongVector(values, null, values.length)));
    }

    private static Found find(ResultCache cache, ResultKey key) {
        return cache.find(key, false, () -> {});
    }

    private static void put(ResultCache cache, ResultKey key, List<Batch> rows) {
        find(cache, key).filling().complete(rows);
    }

    @Test
    void rowsAreThoseOfTheSamePlanFilesAndSettings() {
        Map<Integer, List<Split>> files = Map.of(1, List.of(split(file(NOW - 60_000, 7), Optional.empty())));
        ResultKey key = ResultKey.of(run("q1", "a", files, "UTC"), NOW).orElseThrow();
        ResultCache cache = cache(1 << 20, 1 << 20);
        List<Batch> rows = rows(1, 2);
        put(cache, key, rows);
        assertThat(find(cache, ResultKey.of(run("q2", "a", files, "UTC"), NOW).orElseThrow())
                        .rows())
                .contains(rows);
        assertThat(cache.hits()).isEqualTo(1);
        AcidInfo deleted =
                new AcidInfo(Optional.empty(), false, List.of(file(NOW - 60_000, 9)), false, Optional.empty());
        List<StageGraphRun> others = List.of(
                run("q", "b", files, "UTC"),
                run("q", "a", files, "Asia/Tokyo"),
                run("q", "a", Map.of(), "UTC"),
                run("q", "a", Map.of(2, files.get(1)), "UTC"),
                run("q", "a", Map.of(1, List.of(split(file(NOW - 60_000, 8), Optional.empty()))), "UTC"),
                run("q", "a", Map.of(1, List.of(split(file(NOW - 60_001, 7), Optional.empty()))), "UTC"),
                run("q", "a", Map.of(1, List.of(split(file(NOW - 60_000, 7), Optional.of(deleted)))), "UTC"));
        assertThat(others)
                .allSatisfy(other -> assertThat(
                                find(cache, ResultKey.of(other, NOW).orElseThrow())
                                        .rows())
                        .isEmpty());
    }

    @Test
    void filesThatMayStillChangeUnseenHaveNoKey() {
        AcidInfo deletedNow = new AcidInfo(Optional.empty(), false, List.of(file(NOW, 9)), false, Optional.empty());
        List<Split> unsettled = List.of(
                split(file(NOW, 7), Optional.empty()),
                split(file(NOW - 10, 7), Optional.empty()),
                split(file(NOW - 1000, 0), Optional.empty()),
                split(file(NOW - 60_000, 7), Optional.of(deletedNow)));
        assertThat(unsettled)
                .allSatisfy(split -> assertThat(ResultKey.of(run("q", "a", Map.of(1, List.of(split)), "UTC"), NOW))
                        .isEmpty());
    }

    @Test
    void memoryIsBounded() {
        ResultCache cache = cache(100_000, 50_000);
        put(cache, key("large"), rows(new long[10_000]));
        assertThat(find(cache, key("large")).rows()).isEmpty();
        for (int i = 0; i < 1000; i++) {
            put(cache, key("c" + i), rows(new long[100]));
        }
        long kept = 0;
        for (int i = 0; i < 1000; i++) {
            Found found = find(cache, key("c" + i));
            found.filling().giveUp();
            kept += found.rows().isPresent() ? 1 : 0;
        }
        assertThat(kept).isBetween(1L, 100_000L / 800);
    }

    @Test
    void rowsExpire() {
        ResultCache cache = cache(1 << 20, 1 << 20);
        put(cache, key("a"), rows(1));
        nanos.addAndGet(Duration.ofMinutes(59).toNanos());
        assertThat(find(cache, key("a")).rows()).isPresent();
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        assertThat(find(cache, key("a")).rows()).isEmpty();
    }

    @Test
    void oneQueryComputesAndOthersWait() {
        ResultCache cache = cache(1 << 20, 1 << 20);
        Filling first = find(cache, key("a")).filling();
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Found> second =
                CompletableFuture.supplyAsync(() -> cache.find(key("a"), true, waits::countDown));
        Uninterruptibles.awaitUninterruptibly(waits);
        assertThat(second).isNotDone();
        List<Batch> rows = rows(5);
        first.complete(rows);
        assertThat(second.join().rows()).contains(rows);
        assertThat(cache.computations()).isZero();
    }

    @Test
    void whoDoesNotWaitRuns() {
        ResultCache cache = cache(1 << 20, 1 << 20);
        Filling first = find(cache, key("a")).filling();
        Found second = find(cache, key("a"));
        assertThat(second.rows()).isEmpty();
        second.filling().complete(rows(6));
        assertThat(cache.computations()).isEqualTo(1);
        List<Batch> rows = rows(5);
        first.complete(rows);
        assertThat(find(cache, key("a")).rows()).contains(rows);
    }

    @Test
    void whoWaitsForAQueryThatFailsRuns() {
        ResultCache cache = cache(1 << 20, 1 << 20);
        Filling first = find(cache, key("a")).filling();
        CountDownLatch waits = new CountDownLatch(2);
        List<CompletableFuture<Found>> others = List.of(
                CompletableFuture.supplyAsync(() -> cache.find(key("a"), true, waits::countDown)),
                CompletableFuture.supplyAsync(() -> cache.find(key("a"), true, waits::countDown)));
        Uninterruptibles.awaitUninterruptibly(waits);
        first.giveUp();
        assertThat(others).allSatisfy(other -> assertThat(other.join().rows()).isEmpty());
        first.complete(rows(5));
        assertThat(find(cache, key("a")).rows()).isEmpty();
    }

    @Test
    void aWaitCanBeInterrupted() throws InterruptedException {
        ResultCache cache = cache(1 << 20, 1 << 20);
        Filling first = find(cache, key("a")).filling();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CountDownLatch waits = new CountDownLatch(1);
        Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                cache.find(key("a"), true, waits::countDown);
            } catch (SkepException e) {
                thrown.complete(e);
            }
        });
        waits.await();
        waiter.interrupt();
        waiter.join();
        assertThat(thrown)
                .isCompletedWithValueMatching(
                        e -> e instanceof SkepException known && known.code() == StandardErrorCode.OPERATION_CANCELED);
        first.complete(rows(1));
    }

    @Test
    void explainKnowsPlansOfCachedRows() {
        ResultCache cache = cache(1 << 20, 1 << 20);
        put(cache, key("a"), rows(1));
        assertThat(cache.knows(run("q", "a", Map.of(), "Asia/Tokyo").graph())).isTrue();
        assertThat(cache.knows(run("q", "b", Map.of(), "UTC").graph())).isFalse();
    }

    @Test
    void cancelledReadersGetNoMoreRows() {
        Batch first = rows(1).getFirst();
        CachedRows cached = new CachedRows(List.of(first, rows(2).getFirst()));
        assertThat(cached.next().join()).contains(first);
        SkepException reason = new SkepException(StandardErrorCode.OPERATION_CANCELED, "cancelled");
        cached.cancel(reason);
        assertThatThrownBy(() -> cached.next().join()).hasCause(reason);
    }
}
