package io.skep.llap.server.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TestNodeFailures {
    private final NodeFailures failures = new NodeFailures();

    @Test
    void pausesDoubleUpToAMinute() {
        long now = 1_000_000;
        for (long pause : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            assertThat(failures.pausing(now)).isFalse();
            failures.add("a", now);
            assertThat(failures.pausing(now + pause * 1000 - 1))
                    .as("%d s", pause)
                    .isTrue();
            now += pause * 1000;
        }
        assertThat(failures.pausing(now)).isFalse();
    }

    @Test
    void failuresThatComeTogetherPauseOnce() {
        for (int i = 0; i < 50; i++) {
            failures.add("node" + i, 1000 + i);
        }
        assertThat(failures.pausing(1999)).isTrue();
        assertThat(failures.pausing(2000)).isFalse();
        assertThat(failures.badNodes(2000)).isEmpty();
    }

    @Test
    void aBadNodeIsForgivenAfterAWhile() {
        for (int i = 0; i < NodeFailures.BAD_NODE; i++) {
            failures.add("a", i * 1000L);
            failures.add("b" + i, i * 1000L);
        }
        assertThat(failures.badNodes(3000)).containsExactly("a");
        assertThat(failures.badNodes(NodeFailures.MEMORY_MILLIS + 1)).isEmpty();
        assertThat(failures.pausing(NodeFailures.MEMORY_MILLIS + 10_000)).isFalse();
    }
}
