package io.skep.service.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TestSuspectedDaemons {
    private static final Duration LENGTH = Duration.ofSeconds(30);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final PlacedDaemon a = new PlacedDaemon(identity(1));
    private final PlacedDaemon b = new PlacedDaemon(identity(2));
    private final PlacedDaemon c = new PlacedDaemon(identity(3));
    private List<DaemonConnection> there = List.of(a, b, c);
    private final SuspectedDaemons doubts = new SuspectedDaemons(() -> there, LENGTH, now::get);

    private static DaemonIdentity identity(int number) {
        return new DaemonIdentity(number, "life" + number, 1, Optional.of(new DaemonEndpoint("host", number)));
    }

    private static SkepException lost(int number) {
        return new SkepException(StandardErrorCode.DAEMON_LOST, "lost").about("host:" + number);
    }

    @Test
    void suspectedDaemonsGetNoTasksForATime() {
        assertThat(doubts.get()).containsExactly(a, b, c);
        doubts.note(lost(2));
        assertThat(doubts.get()).containsExactly(a, c);
        now.addAndGet(LENGTH.toNanos() - 1);
        assertThat(doubts.get()).containsExactly(a, c);
        now.addAndGet(1);
        assertThat(doubts.get()).containsExactly(a, b, c);
    }

    @Test
    void otherFailuresSayNothingOfADaemon() {
        assertThat(doubts.get()).hasSize(3);
        doubts.note(new SkepException(StandardErrorCode.QUEUE_FULL, "full").about("host:2"));
        doubts.note(new SkepException(StandardErrorCode.DAEMON_LOST, "nobody knows which"));
        doubts.note(lost(9));
        assertThat(doubts.get()).containsExactly(a, b, c);
    }

    /** Two daemons that have lost each other are not both left out. */
    @Test
    void thereIsAlwaysOneLeft() {
        there = List.of(a, b);
        assertThat(doubts.get()).containsExactly(a, b);
        doubts.note(lost(1));
        now.addAndGet(1);
        doubts.note(lost(2));
        assertThat(doubts.get()).containsExactly(b);
        now.addAndGet(LENGTH.toNanos() - 1);
        assertThat(doubts.get()).containsExactly(a);
    }

    /** A daemon that was killed and restarted, or that this server had lost as well. */
    @Test
    void aNewConnectionIsNotInDoubt() {
        assertThat(doubts.get()).containsExactly(a, b, c);
        doubts.note(lost(2));
        b.lost = true;
        PlacedDaemon again = new PlacedDaemon(identity(2));
        there = List.of(a, again, c);
        assertThat(doubts.get()).containsExactly(a, again, c);
        c.lost = true;
        doubts.note(lost(3));
        c.lost = false;
        assertThat(doubts.get()).containsExactly(a, again, c);
    }

    @Test
    void noDaemonAtAllIsNoDoubt() {
        assertThat(doubts.get()).hasSize(3);
        doubts.note(lost(1));
        there = List.of();
        assertThat(doubts.get()).isEmpty();
    }

    /** A daemon with only an identity, which accepts no calls. */
    private static final class PlacedDaemon implements DaemonConnection {
        private final DaemonIdentity identity;
        private boolean lost;

        PlacedDaemon(DaemonIdentity identity) {
            this.identity = identity;
        }

        @Override
        public DaemonIdentity identity() {
            return identity;
        }

        @Override
        public boolean isLost() {
            return lost;
        }

        @Override
        public void register(QueryId query, EncodedPlan plan) {
            throw new IllegalStateException("nothing runs here");
        }

        @Override
        public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
            throw new IllegalStateException("nothing runs here");
        }

        @Override
        public PageStream open(QueryId query, TaskAttemptId output, int partition) {
            throw new IllegalStateException("nothing runs here");
        }

        @Override
        public CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
            throw new IllegalStateException("nothing runs here");
        }

        @Override
        public CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
            throw new IllegalStateException("nothing runs here");
        }
    }
}
