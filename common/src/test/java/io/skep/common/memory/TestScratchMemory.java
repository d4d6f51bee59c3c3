package io.skep.common.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import org.junit.jupiter.api.Test;

final class TestScratchMemory {
    private static final int MB = 1 << 20;

    private final MemoryPool pool = MemoryPool.root("task", 64L * MB);
    private final ScratchMemory scratch = new ScratchMemory(pool, MB);

    @Test
    void countsOnlyOnTheThreadThatItIsBoundTo() {
        ScratchMemory.count(8 * MB);
        assertThat(pool.reservedBytes()).isZero();
        scratch.enter();
        ScratchMemory.count(8 * MB);
        scratch.leave();
        ScratchMemory.count(8 * MB);
        assertThat(pool.reservedBytes()).isEqualTo(7 * MB);
        scratch.close();
        assertThat(pool.reservedBytes()).isZero();
    }

    @Test
    void littleIsFree() {
        scratch.enter();
        ScratchMemory.count(MB / 2);
        ScratchMemory.count(MB / 2);
        scratch.leave();
        assertThat(pool.reservedBytes()).isZero();
    }

    @Test
    void aCopyCountsInsteadOfWhatItWasMadeOf() {
        scratch.enter();
        byte[] grown = ScratchMemory.copyOf(ScratchMemory.copyOf(new byte[] {1, 2}, 4 * MB), 8 * MB);
        scratch.leave();
        assertThat(grown).hasSize(8 * MB).startsWith(1, 2, 0);
        assertThat(pool.reservedBytes()).isEqualTo(7 * MB);
    }

    @Test
    void aRefusalLeavesTheAccountAsItWas() {
        scratch.enter();
        ScratchMemory.count(40 * MB);
        assertThatThrownBy(() -> ScratchMemory.copyOf(new byte[2], 40 * MB))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        scratch.leave();
        assertThat(pool.reservedBytes()).isEqualTo(39 * MB);
    }

    @Test
    void givesBackWhatIsNotHeldAnyMore() {
        scratch.enter();
        ScratchMemory.count(20 * MB);
        scratch.settle(() -> 5L * MB);
        assertThat(pool.reservedBytes()).isEqualTo(4 * MB);
        scratch.settle(() -> 60L * MB);
        assertThat(pool.reservedBytes()).as("no more than was counted").isEqualTo(4 * MB);
        ScratchMemory.count(2 * MB);
        ScratchMemory.discount(2 * MB);
        assertThat(pool.reservedBytes()).isEqualTo(4 * MB);
        scratch.settle(() -> 0);
        assertThat(pool.reservedBytes()).isZero();
        scratch.leave();
    }

    @Test
    void workWithinWorkHasItsOwnAccount() {
        ScratchMemory inner = new ScratchMemory(pool.child("inner"), 0);
        scratch.enter();
        inner.within(() -> {
            ScratchMemory.count(3 * MB);
            return true;
        });
        inner.close();
        assertThat(pool.reservedBytes()).isZero();
        ScratchMemory.count(3 * MB);
        scratch.leave();
        assertThat(pool.reservedBytes()).isEqualTo(2 * MB);
    }
}
