package io.skep.common.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class TestMemoryPool {
    @Test
    void refusesWhatAnyPoolAboveRefuses() {
        MemoryPool root = MemoryPool.root("daemon", 100);
        MemoryPool query = root.child("q", 80);
        MemoryPool other = root.child("r");
        assertThat(query.tryReserve(80)).isTrue();
        assertThat(query.tryReserve(1)).isFalse();
        assertThat(other.tryReserve(21)).isFalse();
        assertThat(other.reservedBytes()).isZero();
        assertThat(root.reservedBytes()).isEqualTo(80);
        assertThatThrownBy(() -> other.reserve(30)).isInstanceOf(SkepException.class);
        query.release(80);
        assertThat(root.reservedBytes()).isZero();
        assertThat(query.peakBytes()).isEqualTo(80);
    }

    @Test
    void keepsAPartForThoseThatCannotSpill() {
        MemoryPool root = MemoryPool.root("daemon", 100, 20);
        MemoryPool query = root.child("q", 90, 30);
        MemoryPool other = root.child("r");
        assertThat(query.tryReserve(61)).isFalse();
        assertThat(query.tryReserve(60)).isTrue();
        assertThat(other.tryReserve(21)).isFalse();
        assertThat(other.tryReserve(20)).isTrue();
        query.reserve(15);
        assertThat(other.tryReserve(1)).isFalse();
        other.reserve(5);
        assertThatThrownBy(() -> other.reserve(1))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.hint())
                                .hasValueSatisfying(hint -> assertThat(hint).contains("skep.llap.max-memory")));
        query.close();
        assertThat(root.reservedBytes()).isEqualTo(25);
    }

    @Test
    void givesBackEverythingWhenClosed() {
        MemoryPool root = MemoryPool.root("daemon", 100);
        MemoryPool query = root.child("q");
        query.reserve(60);
        query.close();
        query.close();
        assertThat(root.reservedBytes()).isZero();
    }

    /** Simulates a thread that returns after its query has ended. */
    @Test
    void aClosedPoolChangesNoOther() {
        MemoryPool root = MemoryPool.root("daemon", 100);
        MemoryPool query = root.child("q");
        MemoryPool task = query.child("t");
        MemoryPool late = root.child("late");
        task.reserve(60);
        assertThat(task.moveTo(late)).isEqualTo(60);
        query.close();
        assertThat(root.reservedBytes()).isEqualTo(60);
        task.release(60);
        assertThat(task.tryReserve(1)).isFalse();
        assertThatThrownBy(() -> task.reserve(1))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.OPERATION_CANCELED));
        assertThat(root.reservedBytes()).isEqualTo(60);
        late.release(60);
        assertThat(root.reservedBytes()).isZero();
    }

    @Test
    void bytesAreGivenBackOnceWhenAPoolIsClosedBesideItsUsers() throws Exception {
        MemoryPool root = MemoryPool.root("daemon", 1 << 20);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 300; round++) {
                MemoryPool task = root.child("q").child("t");
                for (int i = 0; i < 3; i++) {
                    threads.execute(() -> {
                        for (int step = 0; step < 50; step++) {
                            if (task.tryReserve(3)) {
                                task.release(step % 2 == 0 ? 3 : 1);
                            }
                        }
                    });
                }
                threads.execute(task::close);
            }
        }
        assertThat(root.reservedBytes()).isZero();
    }

    @Test
    void noticesThatTooMuchIsReleased() {
        MemoryPool root = MemoryPool.root("daemon", 100);
        root.reserve(1);
        assertThatThrownBy(() -> root.release(2)).isInstanceOf(IllegalStateException.class);
    }

    /** Of 100 bytes, reservations that can spill may use 60, those that can wait 80, and one waiting query all. */
    private final MemoryPool daemon = MemoryPool.daemon("daemon", 100, 40, Duration.ofMinutes(5));

    private final MemoryPool a = daemon.query("a", 100, 0);
    private final MemoryPool b = daemon.query("b", 100, 0);
    private final MemoryPool c = daemon.query("c", 100, 0);

    @Test
    void oneQueryTakesTheLastBytesAndOthersWait() {
        assertThat(a.tryReserve(61)).isFalse();
        assertThat(a.tryReserve(50)).isTrue();
        assertThat(b.reserveOrWait(30)).isEmpty();
        MemoryWait last = c.reserveOrWait(10).orElseThrow();
        assertThat(last.isGranted()).isTrue();
        MemoryWait other = b.reserveOrWait(5).orElseThrow();
        MemoryWait more = c.reserveOrWait(15).orElseThrow();
        assertThat(other.isGranted()).isFalse();
        assertThat(more.isGranted()).isFalse();
        a.release(20);
        assertThat(other.isGranted()).isTrue();
        assertThat(more.isGranted()).isTrue();
        assertThat(daemon.reservedBytes()).isEqualTo(30 + 30 + 10 + 5 + 15);
    }

    /**
     * Each query asks piece by piece, in competition with others. The query that came first gets each of its pieces
     * first.
     */
    @Test
    void theOldestQueryGoesFirst() {
        assertThat(c.reserveOrWait(60)).isEmpty();
        assertThat(b.reserveOrWait(20)).isEmpty();
        List<String> order = new ArrayList<>();
        MemoryWait last = b.reserveOrWait(20).orElseThrow();
        assertThat(last.isGranted()).isTrue();
        c.release(20);
        for (int step = 0; step < 3; step++) {
            MemoryWait young = c.reserveOrWait(10).orElseThrow();
            MemoryWait old = a.reserveOrWait(10).orElseThrow();
            assertThat(young.isGranted()).isFalse();
            assertThat(old.isGranted()).isFalse();
            c.release(10);
            order.add(old.isGranted() + " " + young.isGranted());
            var _ = young.withdraw();
        }
        assertThat(order).containsOnly("true false");
    }

    /** Whoever waits for a request may ask for more as soon as it is granted, on the thread that grants it. */
    @Test
    void anOwnerMayReserveWhenItLearnsOfItsGrant() {
        assertThat(a.reserveOrWait(80)).isEmpty();
        assertThat(a.reserveOrWait(15).orElseThrow().isGranted()).isTrue();
        MemoryWait first = b.reserveOrWait(10).orElseThrow();
        MemoryWait second = b.reserveOrWait(10).orElseThrow();
        List<MemoryWait> more = new ArrayList<>();
        var _ = first.done().thenRun(() -> more.add(c.reserveOrWait(70).orElseThrow()));
        a.release(40);
        assertThat(first.isGranted()).isTrue();
        assertThat(second.isGranted()).isTrue();
        assertThat(more).hasSize(1);
        assertThat(more.getFirst().isGranted()).isFalse();
        a.release(55);
        assertThat(more.getFirst().isGranted()).isTrue();
    }

    @Test
    void aQueryThatIsNoLongerTheLastOneLetsAnotherBe() {
        assertThat(a.reserveOrWait(80)).isEmpty();
        assertThat(b.reserveOrWait(15).orElseThrow().isGranted()).isTrue();
        MemoryWait next = c.reserveOrWait(15).orElseThrow();
        assertThat(next.isGranted()).isFalse();
        b.close();
        assertThat(next.isGranted()).isTrue();
    }

    @Test
    void failsWhenAllOthersWaitToo() {
        assertThat(a.reserveOrWait(40)).isEmpty();
        assertThat(b.reserveOrWait(40)).isEmpty();
        MemoryWait first = a.reserveOrWait(30).orElseThrow();
        assertThat(first.isGranted()).isFalse();
        MemoryWait second = b.reserveOrWait(30).orElseThrow();
        assertThatThrownBy(first::isGranted)
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        assertThat(second.isGranted()).isFalse();
        a.close();
        assertThat(second.isGranted()).isTrue();
        assertThat(daemon.reservedBytes()).isEqualTo(70);
    }

    @Test
    void nothingIsReservedForWhoHasGivenUp() {
        assertThat(a.reserveOrWait(80)).isEmpty();
        MemoryWait wait = b.reserveOrWait(30).orElseThrow();
        assertThat(wait.withdraw()).isFalse();
        a.close();
        assertThat(daemon.reservedBytes()).isZero();
        MemoryWait granted = waitUntilGranted();
        assertThat(granted.withdraw()).isTrue();
        b.release(granted.bytes());
    }

    private MemoryWait waitUntilGranted() {
        c.reserve(90);
        MemoryWait wait = b.reserveOrWait(20).orElseThrow();
        c.close();
        return wait;
    }

    @Test
    void failsAtOnceWhenNoWaitingWouldHelp() {
        MemoryPool small = daemon.query("small", 10, 0);
        assertThatThrownBy(() -> small.reserveOrWait(11)).isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> a.reserveOrWait(101)).isInstanceOf(SkepException.class);
    }

    @Test
    void nobodyWaitsForEver() {
        MemoryPool hasty = MemoryPool.daemon("daemon", 100, 40, Duration.ofMillis(1));
        hasty.query("a", 100, 0).reserve(95);
        MemoryPool waiting = hasty.query("b", 100, 0);
        MemoryWait wait = waiting.reserveOrWait(30).orElseThrow();
        assertThatThrownBy(() -> wait.done().join()).isInstanceOf(CompletionException.class);
        assertThatThrownBy(wait::isGranted)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.getMessage()).contains("has waited"));
    }

    /** All queries finish, one after the other, even if each needs more than its part of the memory, piece by piece. */
    @Test
    void manyQueriesAllEnd() throws InterruptedException {
        MemoryPool busy = MemoryPool.daemon("daemon", 1000, 400, Duration.ofMinutes(5));
        AtomicInteger ended = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                MemoryPool query = busy.query("q" + i, 1000, 0);
                threads.execute(() -> {
                    for (int step = 0; step < 10; step++) {
                        query.reserveOrWait(20).ifPresent(wait -> wait.done().join());
                    }
                    query.close();
                    ended.incrementAndGet();
                });
            }
        }
        assertThat(ended).hasValue(40);
        assertThat(busy.reservedBytes()).isZero();
    }
}
