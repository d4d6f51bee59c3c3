package io.skep.common.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TestHeldBuffers {
    private static final int MB = 1 << 20;

    private final MemoryPool pool = MemoryPool.root("reads", 8L * MB);
    private final ScratchMemory scratch = new ScratchMemory(pool, 0);
    private final HeldBuffers buffers = new HeldBuffers();

    @BeforeEach
    void bind() {
        scratch.enter();
    }

    @AfterEach
    void unbind() {
        scratch.leave();
        scratch.close();
    }

    @Test
    void smallBuffersAreCountedTogether() {
        for (int i = 0; i < 100; i++) {
            buffers.add(50 << 10);
        }
        assertThat(buffers.bytes()).isEqualTo(5000 << 10);
        assertThat(pool.reservedBytes()).isEqualTo(4 * MB);
        for (int i = 0; i < 60; i++) {
            buffers.remove(50 << 10);
        }
        assertThat(pool.reservedBytes()).isEqualTo(MB);
        buffers.close();
        assertThat(pool.reservedBytes()).isZero();
    }

    @Test
    void aRefusedBufferIsNotHeld() {
        buffers.add(6 * MB);
        assertThatThrownBy(() -> buffers.add(3 * MB)).isInstanceOf(SkepException.class);
        assertThat(buffers.bytes()).isEqualTo(6 * MB);
        assertThat(pool.reservedBytes()).isEqualTo(6 * MB);
        buffers.add(2 * MB);
        assertThat(pool.reservedBytes()).isEqualTo(8 * MB);
    }

    @Test
    void whatIsParkedIsCountedByTheNextThread() {
        buffers.add(6 * MB);
        buffers.park();
        assertThat(pool.reservedBytes()).isZero();
        assertThat(buffers.bytes()).isEqualTo(6 * MB);
        buffers.resume();
        assertThat(pool.reservedBytes()).isEqualTo(6 * MB);
        buffers.park();
        buffers.close();
        assertThat(pool.reservedBytes()).isZero();
    }
}
