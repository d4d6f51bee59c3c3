package io.skep.metastore.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.cache.ChangeFeed.Change;
import io.skep.metastore.cache.ChangeFeed.Changes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests how often the poller reports that anything may have changed, when clients change the database without
 * notification.
 */
final class TestChangePoller {
    private static final Change TOLD = new Change("d", Optional.of("t"));

    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong readNanos = new AtomicLong();
    private final AtomicLong position = new AtomicLong();
    private final List<Changes> taken = new ArrayList<>();
    private boolean tellsAll;

    private final ChangePoller poller = new ChangePoller(new Feed(), taken::add, Duration.ofHours(1), clock::get);

    private final class Feed implements ChangeFeed {
        @Override
        public long position() {
            return position.get();
        }

        @Override
        public boolean isComplete() {
            return tellsAll;
        }

        @Override
        public long readNanos() {
            return readNanos.get();
        }

        @Override
        public Changes since(long from) {
            return new Changes(position.get(), true, List.of(TOLD));
        }

        @Override
        public void expire() {
            throw new AssertionError("nothing is expired by a look");
        }
    }

    private int doubtsAfter(long seconds) {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        poller.pollOnce(false);
        int doubts = Math.toIntExact(
                taken.stream().filter(changes -> !changes.complete()).count());
        taken.clear();
        return doubts;
    }

    @Test
    void whatIsCheapIsReadAgainEveryTwoSeconds() {
        assertThat(doubtsAfter(1)).isZero();
        assertThat(doubtsAfter(1)).isOne();
        assertThat(doubtsAfter(1)).isZero();
        assertThat(doubtsAfter(1)).isOne();
    }

    @Test
    void whatIsDearIsReadAgainAfterFiftyTimesAsLongButWithinAMinute() {
        readNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(doubtsAfter(24)).isZero();
        assertThat(doubtsAfter(1)).isOne();
        readNanos.addAndGet(TimeUnit.SECONDS.toNanos(30));
        assertThat(doubtsAfter(59)).isZero();
        assertThat(doubtsAfter(1)).isOne();
        assertThat(doubtsAfter(2)).as("nothing was read since").isOne();
    }

    @Test
    void whoMustBeSureDoesNotWait() {
        readNanos.addAndGet(TimeUnit.SECONDS.toNanos(30));
        poller.poll();
        assertThat(taken).singleElement().matches(changes -> !changes.complete());
    }

    @Test
    void whatIsToldIsHandedOnMeanwhile() {
        position.set(1);
        poller.pollOnce(false);
        assertThat(taken)
                .singleElement()
                .satisfies(changes -> assertThat(changes.changes()).containsExactly(TOLD));
    }

    @Test
    void whereAllIsToldNothingElseIsDoubted() {
        tellsAll = true;
        assertThat(doubtsAfter(3600)).isZero();
        poller.poll();
        assertThat(taken).isEmpty();
    }
}
