package io.skep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wall clocks as instants, beside java.time, in hours that a zone skips and has twice too. */
final class TestWallClock {
    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "+05:30"})
    void instantsAreThoseOfJavaTime(String name) {
        ZoneId zone = ZoneId.of(name);
        WallClock clock = new WallClock(zone);
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            // Half of them within some days of each other, in the years in which zones change their rules.
            LocalDateTime time = LocalDateTime.of(1, 1, 1, 0, 0)
                    .plusSeconds(random.nextLong(1, 315_000_000_000L))
                    .plusNanos(random.nextInt(1000) * 1000L);
            if (i % 2 == 0) {
                time = LocalDateTime.of(2021, 3, 25, 0, 0).plusSeconds(i * 1800L);
            }
            Instant expected = time.atZone(zone).toInstant();
            long local = ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant(ZoneOffset.UTC));
            assertThat(clock.instant(local))
                    .as("%s in %s", time, name)
                    .isEqualTo(ChronoUnit.MICROS.between(Instant.EPOCH, expected));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "+05:30"})
    void wallClocksAreThoseOfJavaTime(String name) {
        ZoneId zone = ZoneId.of(name);
        WallClock clock = new WallClock(zone);
        SplittableRandom random = new SplittableRandom(7);
        Instant change = Instant.parse("2021-03-28T01:00:00Z");
        for (int i = 0; i < 20_000; i++) {
            // A third around a change of Berlin's clocks, to the microsecond.
            Instant instant = i % 3 == 0
                    ? change.plusNanos(random.nextInt(-3, 4) * 1000L)
                    : Instant.ofEpochSecond(random.nextLong(-62_000_000_000L, 250_000_000_000L), i * 1000L);
            long expected = ChronoUnit.MICROS.between(
                    Instant.EPOCH, LocalDateTime.ofInstant(instant, zone).toInstant(ZoneOffset.UTC));
            assertThat(clock.wallClock(ChronoUnit.MICROS.between(Instant.EPOCH, instant)))
                    .as("%s in %s", instant, name)
                    .isEqualTo(expected);
        }
    }
}
