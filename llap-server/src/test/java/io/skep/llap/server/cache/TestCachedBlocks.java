package io.skep.llap.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.memory.MemoryPool;
import io.skep.storage.table.FileVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TestCachedBlocks {
    private static final FileVersion FILE = new FileVersion("file:/f", 1 << 20, 1_000_000, 7);

    private final ChunkCache cache = new ChunkCache(MemoryPool.root("cache", Long.MAX_VALUE), 1 << 20, 64 << 10);
    private Instant now = Instant.ofEpochMilli(2_000_000);
    private final CachedBlocks blocks = new CachedBlocks(cache, () -> now);

    @AfterEach
    void nothingIsPinned() {
        cache.close();
    }

    @Test
    void givesBlocksByFileAndOffset() {
        put(FILE, 5, "five");
        put(FILE, 5L << 32, "far away");
        assertThat(get(FILE, 5)).isEqualTo("five");
        assertThat(get(FILE, 5L << 32)).isEqualTo("far away");
        assertThat(get(FILE, 6)).isEqualTo("nothing");
        assertThat(get(new FileVersion("file:/f", 1 << 20, 1_000_000, 8), 5)).isEqualTo("nothing");
    }

    @Test
    void blocksOfFilesThatMayYetChangeAreNotKept() {
        now = Instant.ofEpochMilli(1_000_010);
        put(FILE, 5, "five");
        assertThat(get(FILE, 5)).isEqualTo("nothing");
    }

    @Test
    void aBlockThatDoesNotFitIsNotGiven() {
        put(FILE, 5, "five");
        ByteBuffer small = ByteBuffer.allocate(3);
        assertThat(blocks.get(FILE, 5, small)).isFalse();
        assertThat(small.position()).isZero();
    }

    private void put(FileVersion file, long offset, String text) {
        blocks.put(file, offset, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String get(FileVersion file, long offset) {
        ByteBuffer into = ByteBuffer.allocate(100);
        if (!blocks.get(file, offset, into)) {
            assertThat(into.position()).isZero();
            return "nothing";
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }
}
