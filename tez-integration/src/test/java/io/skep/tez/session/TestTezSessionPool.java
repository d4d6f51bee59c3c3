package io.skep.tez.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the pool with real sessions of Tez's local mode. The queues are known only to the pool. */
@Timeout(120)
final class TestTezSessionPool {
    private static final Optional<String> ANY = Optional.empty();

    @TempDir
    private Path folder;

    private Optional<TezSessionPool> pool = Optional.empty();

    private TezSessionPool pool(int most, int perQueue, Duration idle) {
        TezSessionConfig settings = new TezSessionConfig(folder.resolve("tez"), 1, most, Map.of());
        SessionPoolConfig config = new SessionPoolConfig(most, List.of("a", "b"), perQueue, idle);
        pool = Optional.of(new TezSessionPool(new Masters(new LocalMasters(settings)), config));
        return pool.get();
    }

    /** Rejects the queue {@code none}. */
    private record Masters(LocalMasters real) implements TezMasters {
        @Override
        public TezSession start(String queue, BooleanSupplier unwanted) {
            if (queue.equals("none")) {
                throw TezSession.failure("refused", new IllegalArgumentException("there is no such queue"));
            }
            return real.start(queue, unwanted);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @AfterEach
    void close() {
        pool.ifPresent(TezSessionPool::close);
    }

    @Test
    void whoWaitsGetsTheFirstThatIsFree() {
        TezSessionPool sessions = pool(1, 0, Duration.ZERO);
        TezSession only = sessions.acquire(ANY).join();
        CompletableFuture<TezSession> cancelled = sessions.acquire(ANY);
        CompletableFuture<TezSession> second = sessions.acquire(ANY);
        assertThat(second).isNotDone();
        cancelled.cancel(false);
        sessions.release(only, true);
        assertThat(second).isCompletedWithValue(only);
        sessions.release(only, true);
        assertThat(sessions.count()).isEqualTo(1);
    }

    @Test
    void aBrokenSessionIsReplacedForWhoWaits() {
        TezSessionPool sessions = pool(1, 0, Duration.ZERO);
        TezSession broken = sessions.acquire(ANY).join();
        CompletableFuture<TezSession> second = sessions.acquire(ANY);
        sessions.release(broken, false);
        assertThat(second.join()).isNotSameAs(broken);
        sessions.release(second.join(), true);
    }

    @Test
    void queuesAreKeptApart() {
        TezSessionPool sessions = pool(2, 0, Duration.ZERO);
        TezSession inC = sessions.acquire(Optional.of("c")).join();
        assertThat(inC.queue()).isEqualTo("c");
        sessions.release(inC, true);
        // A session for any queue comes from the queues in which sessions are kept.
        TezSession any = sessions.acquire(ANY).join();
        assertThat(any.queue()).isIn("a", "b");
        // The idle session of another queue is stopped to make room.
        TezSession inD = sessions.acquire(Optional.of("d")).join();
        assertThat(inD.queue()).isEqualTo("d");
        assertThat(sessions.count()).isEqualTo(2);
        sessions.release(any, true);
        sessions.release(inD, true);
    }

    @Test
    void whatCannotBeStartedIsToldToWhoWaits() {
        TezSessionPool sessions = pool(2, 0, Duration.ZERO);
        CompletableFuture<TezSession> none = sessions.acquire(Optional.of("none"));
        assertThatThrownBy(none::join).hasCauseInstanceOf(SkepException.class).hasMessageContaining("no such queue");
        assertThat(sessions.count()).isZero();
    }

    @Test
    void asManyAreKeptAsAreWanted() {
        TezSessionPool sessions = pool(4, 1, Duration.ZERO);
        sessions.startKept();
        assertThat(sessions.count()).isEqualTo(2);
        sessions.startKept();
        assertThat(sessions.count()).isEqualTo(2);
        TezSession first = sessions.acquire(Optional.of("a")).join();
        TezSession other = sessions.acquire(Optional.of("a")).join();
        assertThat(sessions.count()).isEqualTo(3);
        sessions.release(first, true);
        sessions.release(other, true);
        // The queue has one session more than is kept.
        sessions.tidy();
        assertThat(sessions.count()).isEqualTo(2);
    }

    @Test
    void aSessionThatDiedIsLetGoAndReplaced() {
        TezSessionPool sessions = pool(4, 1, Duration.ofHours(1));
        TezSession dead = sessions.acquire(Optional.of("a")).join();
        dead.close();
        sessions.release(dead, true);
        sessions.tidy();
        assertThat(sessions.count()).isZero();
        sessions.startKept();
        TezSession next = sessions.acquire(Optional.of("a")).join();
        assertThat(next).isNotSameAs(dead);
        sessions.release(next, true);
    }

    @Test
    void aSessionIsReplacedBeforeItsTokensEnd() {
        TezSessionConfig settings = new TezSessionConfig(folder.resolve("tez"), 1, 2, Map.of());
        SessionPoolConfig config = new SessionPoolConfig(2, List.of("a"), 1, Duration.ofHours(1));
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        Map<TezSession, Instant> replacements = new ConcurrentHashMap<>();
        TezSessionPool sessions = new TezSessionPool(
                new LocalMasters(settings),
                config,
                one -> replacements.computeIfAbsent(one, _ -> now.get().plusSeconds(10)),
                now::get);
        pool = Optional.of(sessions);
        TezSession first = sessions.acquire(ANY).join();
        sessions.release(first, true);
        now.set(Instant.EPOCH.plusSeconds(9));
        sessions.tidy();
        assertThat(sessions.acquire(ANY).join()).isSameAs(first);
        // A query keeps its session, however long it takes.
        now.set(Instant.EPOCH.plusSeconds(10));
        sessions.tidy();
        assertThat(sessions.count()).isEqualTo(1);
        sessions.release(first, true);
        assertThat(sessions.count()).isZero();
        TezSession second = sessions.acquire(ANY).join();
        assertThat(second).isNotSameAs(first);
        sessions.release(second, true);
        now.set(Instant.EPOCH.plusSeconds(20));
        sessions.tidy();
        assertThat(sessions.count()).isZero();
        sessions.startKept();
        assertThat(sessions.acquire(ANY).join()).isNotSameAs(second);
    }

    @Test
    void theEndIsToldToWhoWaits() {
        TezSessionPool sessions = pool(1, 0, Duration.ZERO);
        TezSession only = sessions.acquire(ANY).join();
        CompletableFuture<TezSession> second = sessions.acquire(ANY);
        sessions.close();
        assertThatThrownBy(second::join).hasMessageContaining("closed");
        sessions.release(only, true);
        assertThat(sessions.count()).isZero();
    }
}
