package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Batch;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests many outputs that are read over one connection. */
@Timeout(180)
final class TestPageStreams {
    private static final int WINDOW_BYTES = 512 << 10;

    private final AtomicLong madeBytes = new AtomicLong();

    @TempDir
    private Path folder;

    private @Nullable DaemonSite made;

    @BeforeEach
    void start() {
        made = new DaemonSite(
                folder,
                new PageCodec(
                        batch -> {
                            byte[] page = BatchCodec.encode(batch);
                            madeBytes.addAndGet(page.length);
                            return page;
                        },
                        BatchCodec::decode));
    }

    @AfterEach
    void stop() throws Exception {
        Objects.requireNonNull(made).close();
    }

    private RemoteDaemon connect() {
        DaemonSite site = Objects.requireNonNull(made);
        Served served = site.serve("a");
        return site.connect(served, OPEN);
    }

    private static TaskSubmission task(int number) {
        return TaskSubmission.of(QUERY, "plan", new TaskAttemptId(0, number, 0), 1);
    }

    private static PageStream open(RemoteDaemon daemon, int task) {
        return daemon.open(QUERY, new TaskAttemptId(0, task, 0), 0);
    }

    private static List<Long> numbers(int count) {
        return LongStream.range(0, count).boxed().toList();
    }

    @Test
    void eachHasItsRowsInOrder() {
        int rows = 10_000;
        int tasks = 40;
        RemoteDaemon daemon = connect();
        daemon.register(QUERY, plan(numbered(rows)));
        List<CompletableFuture<List<Long>>> results = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            var _ = daemon.submit(task(task));
            results.add(all(open(daemon, task)));
        }
        results.forEach(result -> assertThat(result.join()).isEqualTo(numbers(rows)));
        daemon.finishQuery(QUERY, "over").join();
    }

    private static CompletableFuture<List<Long>> all(PageStream stream) {
        List<Long> rows = new ArrayList<>();
        return rest(stream, rows).thenApply(_ -> rows);
    }

    private static CompletableFuture<?> rest(PageStream stream, List<Long> rows) {
        // Runs on another thread, so that many pages do not become as many nested calls.
        return stream.next().thenComposeAsync(batch -> {
            batch.ifPresent(some -> DaemonSite.add(Optional.of(some), rows));
            return batch.isPresent() ? rest(stream, rows) : CompletableFuture.completedFuture(null);
        });
    }

    /** Unread data stays within its window, and other streams continue meanwhile. */
    @Test
    void aSlowReaderHoldsUpOnlyItself() {
        int rows = 400_000;
        RemoteDaemon daemon = connect();
        daemon.register(QUERY, plan(numbered(rows)));
        CompletableFuture<TaskStats> slow = daemon.submit(task(0));
        PageStream stream = open(daemon, 0);
        Optional<Batch> first = stream.next().join();
        awaitThat(() -> madeBytes.get() >= WINDOW_BYTES);
        long unread = madeBytes.get();
        CompletableFuture<TaskStats> fast = daemon.submit(task(1));
        assertThat(drain(open(daemon, 1))).isEqualTo(numbers(rows));
        assertThat(fast.join().outputRows()).isEqualTo(rows);
        assertThat(slow).isNotDone();
        long beside = madeBytes.get();
        assertThat(unread).isLessThan(WINDOW_BYTES + 100_000);
        List<Long> read = new ArrayList<>();
        DaemonSite.add(first, read);
        read.addAll(drain(stream));
        assertThat(read).isEqualTo(numbers(rows));
        assertThat(slow.join().outputRows()).isEqualTo(rows);
        // When the other stream had been read, the unread rest of this one had not been encoded either.
        assertThat(madeBytes.get() - beside).isGreaterThan(WINDOW_BYTES / 4);
        daemon.finishQuery(QUERY, "over").join();
    }

    @Test
    void whoClosesAStreamFreesItsTaskOnly() {
        int rows = 400_000;
        RemoteDaemon daemon = connect();
        daemon.register(QUERY, plan(numbered(rows)));
        CompletableFuture<TaskStats> given = daemon.submit(task(0));
        CompletableFuture<TaskStats> kept = daemon.submit(task(1));
        PageStream closed = open(daemon, 0);
        assertThat(closed.next().join()).isPresent();
        PageStream other = open(daemon, 1);
        closed.close();
        assertThat(given.join().outputRows()).isLessThan(rows);
        assertThat(drain(other)).isEqualTo(numbers(rows));
        assertThat(kept.join().outputRows()).isEqualTo(rows);
        daemon.finishQuery(QUERY, "over").join();
    }
}
