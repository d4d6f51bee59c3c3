package io.skep.llap.server.rpc;

import static io.skep.llap.server.rpc.DaemonSite.OPEN;
import static io.skep.llap.server.rpc.DaemonSite.QUERY;
import static io.skep.llap.server.rpc.DaemonSite.at;
import static io.skep.llap.server.rpc.DaemonSite.awaitThat;
import static io.skep.llap.server.rpc.DaemonSite.drain;
import static io.skep.llap.server.rpc.DaemonSite.numbered;
import static io.skep.llap.server.rpc.DaemonSite.plan;
import static io.skep.llap.server.rpc.DaemonSite.remote;
import static io.skep.llap.server.rpc.DaemonSite.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.memory.MemoryPool;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.rpc.PageCodec;
import io.skep.llap.client.rpc.RemoteDaemon;
import io.skep.llap.server.rpc.DaemonSite.Served;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that pages in flight between two daemons are in the memory accounts of both. */
@Timeout(180)
final class TestPagesUnderWay {
    private static final int WINDOW_BYTES = 256 << 10;
    private static final int ROWS = 400_000;
    private static final List<Long> ALL = LongStream.range(0, ROWS).boxed().toList();

    private final AtomicLong madeBytes = new AtomicLong();
    private final PageCodec codec = new PageCodec(
            batch -> {
                byte[] page = BatchCodec.encode(batch);
                madeBytes.addAndGet(page.length);
                return page;
            },
            BatchCodec::decode);

    @TempDir
    private Path folder;

    /**
     * The reader of the task's output is slow. The bytes that arrive at the task are reserved, and no more bytes arrive
     * than are reserved.
     */
    @Test
    void aSlowConsumerHoldsWhatIsReserved() throws Exception {
        try (DaemonSite site = new DaemonSite(folder, codec)) {
            Served from = site.serve("a");
            Served to = site.serve("b");
            RemoteDaemon consuming = start(site, from, to);
            CompletableFuture<TaskStats> consumed =
                    consuming.submit(task(1, Map.of(0, List.of(at(from.daemon().identity())))));
            awaitThat(() -> madeBytes.get() >= WINDOW_BYTES);
            awaitThat(() -> to.daemon().snapshot().exchangeBytes() >= WINDOW_BYTES);
            assertThat(consumed).isNotDone();
            // The bytes that the task has received and sent, and one more page.
            assertThat(madeBytes.get()).isLessThan(2 * WINDOW_BYTES);
            assertThat(to.daemon().snapshot().exchangeBytes()).isLessThan(2 * WINDOW_BYTES);
            assertThat(drain(consuming.open(QUERY, new TaskAttemptId(1, 0, 0), 0)))
                    .isEqualTo(ALL);
            assertThat(consumed.join().outputRows()).isEqualTo(ROWS);
            awaitThat(() -> to.daemon().snapshot().exchangeBytes() == 0);
            awaitThat(() -> from.daemon().sendMemory().reservedBytes() == 0);
        }
    }

    @Test
    void withoutMemoryOnePageAtATimeComes() throws Exception {
        try (DaemonSite site = new DaemonSite(folder, codec)) {
            Served from = site.serve("a");
            Served to = site.serve("b", 0, OPEN, 10_000);
            RemoteDaemon consuming = start(site, from, to);
            var _ = consuming.submit(task(1, Map.of(0, List.of(at(from.daemon().identity())))));
            assertThat(drain(consuming.open(QUERY, new TaskAttemptId(1, 0, 0), 0)))
                    .isEqualTo(ALL);
        }
    }

    @Test
    void aTaskThatIsCancelledGivesItsRoomBack() throws Exception {
        try (DaemonSite site = new DaemonSite(folder, codec)) {
            Served from = site.serve("a");
            Served to = site.serve("b");
            RemoteDaemon consuming = start(site, from, to);
            CompletableFuture<TaskStats> consumed =
                    consuming.submit(task(1, Map.of(0, List.of(at(from.daemon().identity())))));
            PageStream result = consuming.open(QUERY, new TaskAttemptId(1, 0, 0), 0);
            assertThat(result.next().join()).isPresent();
            consuming.cancel(QUERY, new TaskAttemptId(1, 0, 0), "given up").join();
            assertThat(consumed).isCompletedExceptionally();
            assertThat(to.daemon().snapshot().exchangeBytes()).isZero();
        }
    }

    private static RemoteDaemon start(DaemonSite site, Served from, Served to) {
        EncodedPlan plan = plan(numbered(ROWS), remote());
        RemoteDaemon producing = site.connect(from, OPEN);
        producing.register(QUERY, plan);
        producing.submit(task(0, Map.of())).join();
        RemoteDaemon consuming = site.connect(to, OPEN);
        consuming.register(QUERY, plan);
        return consuming;
    }

    @Test
    void aPageThatTheAccountHasNoRoomForGoesAlone() {
        MemoryPool memory = MemoryPool.root("test", 1000);
        SendBudget budget = new SendBudget(memory, 800);
        assertThat(budget.hasRoom()).isTrue();
        budget.add(700);
        assertThat(budget.hasRoom()).isTrue();
        budget.add(200);
        assertThat(budget.hasRoom()).isFalse();
        assertThat(memory.reservedBytes()).isEqualTo(900);
        budget.sent(700);
        assertThat(budget.hasRoom()).isTrue();
        budget.add(5000);
        assertThat(budget.hasRoom()).isFalse();
        assertThat(memory.reservedBytes()).isEqualTo(200);
        budget.sent(200);
        assertThat(budget.hasRoom()).isFalse();
        budget.sent(5000);
        assertThat(budget.hasRoom()).isTrue();
        assertThat(memory.reservedBytes()).isZero();
        budget.add(100);
        budget.close();
        assertThat(memory.reservedBytes()).isZero();
    }
}
