package io.skep.common.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests a daemon with 80 MB that its queries share, and 20 MB for what cannot spill. */
final class TestMemoryShares {
    private static final long MB = 1 << 20;

    private final MemoryPool daemon = MemoryPool.daemon("daemon", 100 * MB, 20 * MB, Duration.ofMinutes(5));
    private final MemoryPool a = daemon.query("a", 200 * MB, 0);
    private final MemoryPool b = daemon.query("b", 200 * MB, 0);
    private final MemoryPool taskOfB = b.child("task");
    private final List<String> woken = new ArrayList<>();

    private RevocableGrant grant(MemoryPool pool, long megabytes) {
        assertThat(pool.tryReserve(megabytes * MB)).isTrue();
        RevocableGrant grant = pool.revocable().orElseThrow();
        grant.hold(megabytes * MB);
        pool.onRevocationRequested(() -> woken.add(pool.name()));
        return grant;
    }

    private static void giveBack(MemoryPool pool, RevocableGrant grant) {
        pool.release(grant.bytes());
        grant.hold(0);
    }

    @Test
    void aloneAQueryTakesAllAndNobodyIsAsked() {
        RevocableGrant grant = grant(a, 80);
        assertThat(a.tryReserve(MB)).isFalse();
        assertThat(grant.isRevocationRequested()).isFalse();
    }

    @Test
    void whoIsAboveItsShareGivesBackItsLargestGrant() {
        MemoryPool first = a.child("first");
        MemoryPool second = a.child("second");
        RevocableGrant small = grant(first, 20);
        RevocableGrant large = grant(second, 55);
        assertThat(taskOfB.tryReserve(10 * MB)).isFalse();
        assertThat(large.isRevocationRequested()).isTrue();
        assertThat(small.isRevocationRequested()).isFalse();
        assertThat(woken).containsExactly("daemon/a/second");
        giveBack(second, large);
        assertThat(large.isRevocationRequested()).isFalse();
        assertThat(taskOfB.tryReserve(40 * MB)).isTrue();
    }

    @Test
    void nobodyGrowsBeyondAShareUntilTheRefusedTaskHasEnded() {
        RevocableGrant grant = grant(a, 75);
        assertThat(taskOfB.tryReserve(10 * MB)).isFalse();
        giveBack(a, grant);
        assertThat(a.tryReserve(41 * MB)).isFalse();
        assertThat(a.tryReserve(40 * MB)).isTrue();
        assertThat(taskOfB.tryReserve(41 * MB)).isFalse();
        assertThat(taskOfB.tryReserve(40 * MB)).isTrue();
        assertThat(grant.isRevocationRequested()).isFalse();
        taskOfB.close();
        assertThat(a.tryReserve(40 * MB)).isTrue();
    }

    @Test
    void aQueryThatWasKilledIsForgotten() {
        RevocableGrant grant = grant(a, 75);
        assertThat(taskOfB.tryReserve(10 * MB)).isFalse();
        b.close();
        giveBack(a, grant);
        assertThat(a.tryReserve(80 * MB)).isTrue();
    }

    @Test
    void sharesAreOfThoseThatHoldOrWantSomething() {
        MemoryPool idle = daemon.query("idle", 200 * MB, 0);
        RevocableGrant held = grant(a, 60);
        assertThat(taskOfB.tryReserve(30 * MB)).isFalse();
        assertThat(held.isRevocationRequested()).isTrue();
        giveBack(a, held);
        assertThat(a.tryReserve(40 * MB)).isTrue();
        assertThat(idle.tryReserve(20 * MB)).isTrue();
        // There are three queries, with 26 MB each.
        assertThat(taskOfB.tryReserve(27 * MB)).isFalse();
        assertThat(taskOfB.tryReserve(20 * MB)).isTrue();
    }

    @Test
    void noShareIsTooSmallToWorkWith() {
        List<MemoryPool> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            MemoryPool query = daemon.query("q" + i, 200 * MB, 0);
            many.add(query);
            assertThat(query.tryReserve(MB / 4)).isTrue();
        }
        assertThat(a.tryReserve(29 * MB)).isTrue();
        assertThat(taskOfB.tryReserve(2 * MB)).isFalse();
        assertThat(taskOfB.tryReserve(MB)).isTrue();
        assertThat(many.getFirst().tryReserve(3 * MB / 4)).isFalse();
        a.release(29 * MB);
        assertThat(many.getFirst().tryReserve(3 * MB / 4)).isTrue();
        assertThat(many.getFirst().tryReserve(1)).isFalse();
    }

    @Test
    void whoWaitsIsGivenWhatAnybodyCanGiveBack() {
        RevocableGrant large = grant(a, 30);
        RevocableGrant small = grant(b, 20);
        MemoryWait wait = b.reserveOrWait(60 * MB).orElseThrow();
        assertThat(wait.isGranted()).isFalse();
        assertThat(large.isRevocationRequested()).isTrue();
        assertThat(small.isRevocationRequested()).isFalse();
        giveBack(a, large);
        assertThat(wait.isGranted()).isTrue();
    }

    @Test
    void whoWaitsDoesNotFailAsLongAsSomethingIsComing() {
        RevocableGrant grant = grant(a, 30);
        assertThat(a.reserveOrWait(40 * MB)).isEmpty();
        MemoryWait wait = b.reserveOrWait(60 * MB).orElseThrow();
        MemoryWait ofHolder = a.reserveOrWait(60 * MB).orElseThrow();
        assertThat(grant.isRevocationRequested()).isTrue();
        assertThat(wait.isGranted()).isFalse();
        assertThat(ofHolder.isGranted()).isFalse();
        giveBack(a, grant);
        assertThat(wait.isGranted()).isTrue();
        assertThat(ofHolder.isGranted()).isFalse();
    }

    @Test
    void whatIsDeclinedIsNotWaitedForNorAskedAgain() {
        RevocableGrant grant = grant(a, 30);
        assertThat(a.reserveOrWait(40 * MB)).isEmpty();
        MemoryWait wait = b.reserveOrWait(60 * MB).orElseThrow();
        MemoryWait ofHolder = a.reserveOrWait(60 * MB).orElseThrow();
        grant.decline();
        assertThat(grant.isRevocationRequested()).isFalse();
        assertThatThrownBy(wait::isGranted).isInstanceOf(SkepException.class);
        assertThat(woken).hasSize(1);
        giveBack(a, grant);
        assertThat(ofHolder.isGranted()).isTrue();
        assertThat(grant.isRevocationRequested()).isFalse();
    }

    @Test
    void whoCanSpillDoesNotTakeWhatOthersWaitFor() {
        assertThat(a.tryReserve(75 * MB)).isTrue();
        MemoryPool c = daemon.query("c", 200 * MB, 0);
        MemoryWait wait = b.reserveOrWait(50 * MB).orElseThrow();
        a.release(5 * MB);
        assertThat(wait.isGranted()).isFalse();
        assertThat(a.tryReserve(MB)).isFalse();
        assertThat(c.tryReserve(MB)).isTrue();
        a.release(25 * MB);
        assertThat(wait.isGranted()).isTrue();
    }
}
