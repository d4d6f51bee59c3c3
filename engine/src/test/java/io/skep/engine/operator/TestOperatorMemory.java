package io.skep.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.memory.MemoryPool;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An operator that cannot spill runs concurrently with another query that holds the memory. */
class TestOperatorMemory {
    private static final long MEGABYTE = 1L << 20;

    private final MemoryPool daemon = MemoryPool.daemon("daemon", 8 * MEGABYTE, 0, Duration.ofMinutes(5));
    private final MemoryPool other = daemon.query("other", Long.MAX_VALUE, 0);
    private final OperatorMemory memory = new OperatorMemory(
            daemon.query("query", Long.MAX_VALUE, 0).child("task"), Long.MAX_VALUE, new OperatorStatsCollector());

    @Test
    void waitsUntilTheOtherGivesBack() {
        other.reserve(6 * MEGABYTE);
        memory.set(4 * MEGABYTE);
        assertThat(memory.granted().isDone()).isFalse();
        assertThat(memory.reservedBytes()).isZero();
        other.release(3 * MEGABYTE);
        assertThat(memory.granted().isDone()).isTrue();
        assertThat(daemon.reservedBytes()).isEqualTo(3 * MEGABYTE + memory.reservedBytes());
        memory.close();
        assertThat(daemon.reservedBytes()).isEqualTo(3 * MEGABYTE);
    }

    @Test
    void asksForSomethingElseInstead() {
        other.reserve(6 * MEGABYTE);
        memory.set(4 * MEGABYTE);
        memory.set(MEGABYTE);
        assertThat(memory.granted().isDone()).isTrue();
        memory.set(4 * MEGABYTE);
        other.close();
        assertThat(memory.trySet(2 * MEGABYTE)).isTrue();
        assertThat(daemon.reservedBytes()).isEqualTo(memory.reservedBytes());
        memory.close();
        assertThat(daemon.reservedBytes()).isZero();
    }

    @Test
    void leavesNothingWhenItIsClosedWhileItWaits() {
        other.reserve(6 * MEGABYTE);
        memory.set(4 * MEGABYTE);
        memory.close();
        other.close();
        assertThat(daemon.reservedBytes()).isZero();
        MemoryPool another = daemon.query("another", Long.MAX_VALUE, 0);
        another.reserve(6 * MEGABYTE);
        memory.set(4 * MEGABYTE);
        another.close();
        memory.close();
        assertThat(daemon.reservedBytes()).isZero();
    }

    @Test
    void failsWhenTheOtherWaitsToo() {
        other.reserve(6 * MEGABYTE);
        OperatorMemory more = new OperatorMemory(other.child("task"), Long.MAX_VALUE, new OperatorStatsCollector());
        memory.set(4 * MEGABYTE);
        more.set(4 * MEGABYTE);
        assertThatThrownBy(memory::granted).isInstanceOf(SkepException.class);
        memory.close();
        assertThat(more.granted().isDone()).isFalse();
        more.close();
        assertThat(daemon.reservedBytes()).isEqualTo(6 * MEGABYTE);
    }
}
