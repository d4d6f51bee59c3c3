package io.skep.common.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TestEventCount {
    private static final Duration LONG = Duration.ofDays(1);

    private final EventCount events = new EventCount();

    @Test
    void anEventBeforeTheWaitIsNotMissed() {
        long seen = events.read();
        events.advance();
        assertThat(events.await(seen, LONG)).isTrue();
        assertThat(events.read()).isEqualTo(seen + 1);
    }

    @Test
    void anEventEndsTheWait() {
        CompletableFuture<Boolean> waits = CompletableFuture.supplyAsync(() -> events.await(0, LONG));
        events.advance();
        assertThat(waits.join()).isTrue();
    }

    @Test
    void timeEndsTheWait() {
        assertThat(events.await(events.read(), Duration.ofMillis(1))).isTrue();
    }

    @Test
    void closingEndsAllWaits() {
        CompletableFuture<Boolean> waits = CompletableFuture.supplyAsync(() -> events.await(0, LONG));
        events.close();
        assertThat(waits.join()).isFalse();
        assertThat(events.await(events.read(), LONG)).isFalse();
    }

    @Test
    void anInterruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThat(events.await(events.read(), LONG)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
