package io.skep.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class TestSteadyClock {
    @Test
    void goesByTheMonotonicClockAlone() {
        Instant origin = Instant.parse("2026-01-01T00:00:00Z");
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        SteadyClock clock = new SteadyClock(origin, nanos::get);
        assertThat(clock.instant()).isEqualTo(origin);
        // Beyond the largest number: nanoTime may overflow.
        nanos.addAndGet(Duration.ofDays(3).toNanos());
        assertThat(clock.instant()).isEqualTo(origin.plus(Duration.ofDays(3)));
    }
}
