package io.skep.llap.server.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.memory.MemoryPool;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TestSegmentBuffers {
    @Test
    void givesSoManyAndTheSameAgain() {
        MemoryPool memory = MemoryPool.root("test", 1 << 20);
        try (SegmentBuffers buffers = new SegmentBuffers(memory, 2, 4096)) {
            MemorySegment first = Objects.requireNonNull(buffers.take());
            assertThat(first.byteSize()).isEqualTo(4096);
            assertThat(buffers.take()).isNotNull();
            assertThat(buffers.take()).isNull();
            buffers.give(first);
            assertThat(buffers.take()).isEqualTo(first);
            assertThat(memory.reservedBytes()).isEqualTo(2 * 4096);
        }
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void givesNoneThatCannotBePaid() {
        MemoryPool memory = MemoryPool.root("test", 5000);
        try (SegmentBuffers buffers = new SegmentBuffers(memory, 2, 4096)) {
            assertThat(buffers.take()).isNotNull();
            assertThat(buffers.take()).isNull();
        }
        assertThat(memory.reservedBytes()).isZero();
    }
}
