package io.skep.llap.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.memory.MemoryPool;
import io.skep.storage.table.FileVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TestMissCauses {
    private static final int SLAB = 64 << 10;
    private static final FileVersion FILE = new FileVersion("file:/f", 100, 5, 77);

    private final MemoryPool memory = MemoryPool.root("test", Long.MAX_VALUE);

    @Test
    void whatWasNeverSeenIsCold() {
        try (ChunkCache cache = cache(16 * SLAB)) {
            assertThat(missed(cache, key(FILE, 0))).isEqualTo(MissCause.COLD);
            assertThat(missed(cache, key(FILE, 1))).isEqualTo(MissCause.COLD);
            assertThat(cache.snapshot().misses()).isEqualTo(2);
        }
    }

    @Test
    void whatWasHereWasEvicted() {
        try (ChunkCache cache = cache(16 * SLAB)) {
            put(cache, key(FILE, 0), 8000);
            for (int i = 1; cache.contains(key(FILE, 0)); i++) {
                put(cache, key(FILE, i), 8000);
            }
            assertThat(missed(cache, key(FILE, 0))).isEqualTo(MissCause.EVICTED);
            put(cache, key(FILE, 3), 1000);
            cache.clear();
            assertThat(missed(cache, key(FILE, 3))).isEqualTo(MissCause.EVICTED);
        }
    }

    @Test
    void whatAFullCachePassedOnWasNotAdmitted() {
        try (ChunkCache cache = cache(16 * SLAB)) {
            for (int i = 1; cache.snapshot().evictions() == 0; i++) {
                put(cache, key(FILE, i), 8000);
            }
            assertThat(cache.admits(key(FILE, 0), "t")).isFalse();
            assertThat(missed(cache, key(FILE, 0))).isEqualTo(MissCause.NOT_ADMITTED);
        }
    }

    @Test
    void anotherVersionMeansThatTheFileChanged() {
        try (ChunkCache cache = cache(16 * SLAB)) {
            put(cache, key(FILE, 0), 8000);
            for (FileVersion changed : List.of(
                    new FileVersion("file:/f", 101, 5, 77),
                    new FileVersion("file:/f", 100, 6, 77),
                    new FileVersion("file:/f", 100, 5, 78))) {
                assertThat(missed(cache, key(changed, 0))).isEqualTo(MissCause.FILE_CHANGED);
                assertThat(missed(cache, key(changed, 1))).isEqualTo(MissCause.COLD);
            }
            assertThat(cache.get(key(FILE, 0), "t").map(TestMissCauses::closed)).isPresent();
        }
    }

    @Test
    void whatTwoSlabsDoNotHoldIsTooLarge() {
        try (ChunkCache cache = cache(16 * SLAB)) {
            assertThat(cache.put(key(FILE, 0), "t", new byte[2 * SLAB + 1])).isEmpty();
            assertThat(missed(cache, key(FILE, 0))).isEqualTo(MissCause.TOO_LARGE);
        }
    }

    @Test
    void withoutMemoryOrWithAllPinnedThereIsNoMemory() {
        try (ChunkCache cache = cache(0)) {
            assertThat(cache.put(key(FILE, 0), "t", new byte[100])).isEmpty();
            assertThat(missed(cache, key(FILE, 0))).isEqualTo(MissCause.NO_MEMORY);
        }
        try (ChunkCache cache = cache(2 * SLAB)) {
            List<PinnedChunk> pinned = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                pinned.add(cache.put(key(FILE, i), "t", new byte[SLAB]).orElseThrow());
            }
            assertThat(cache.put(key(FILE, 2), "t", new byte[100])).isEmpty();
            assertThat(missed(cache, key(FILE, 2))).isEqualTo(MissCause.NO_MEMORY);
            pinned.forEach(PinnedChunk::close);
        }
    }

    @Test
    void damageIsFoundAtTheLatestAtTheNextCheck() {
        try (ChunkCache cache = cache(16 * SLAB)) {
            try (PinnedChunk chunk =
                    cache.put(key(FILE, 0), "t", new byte[1000]).orElseThrow()) {
                chunk.bytes().put(500, (byte) 1);
            }
            Optional<PinnedChunk> found = cache.get(key(FILE, 0), "t");
            for (int i = 0; found.isPresent() && i < 1000; i++) {
                found.get().close();
                found = cache.get(key(FILE, 0), "t");
            }
            assertThat(cache.snapshot().tables().get("t"))
                    .extracting(TableCacheStats.Snapshot::missCauses)
                    .isEqualTo(Map.of(MissCause.DAMAGED, 1L));
        }
    }

    /** Returns the only cause that is counted for a miss of this chunk. */
    private static MissCause missed(ChunkCache cache, ChunkKey key) {
        CacheSnapshot before = cache.snapshot();
        assertThat(cache.get(key, "t")).isEmpty();
        CacheSnapshot after = cache.snapshot();
        List<MissCause> causes = new ArrayList<>();
        for (MissCause cause : MissCause.values()) {
            if (after.misses(cause) > before.misses(cause)) {
                causes.add(cause);
            }
        }
        assertThat(causes).hasSize(1);
        return causes.getFirst();
    }

    private ChunkCache cache(long capacity) {
        return new ChunkCache(memory, capacity, SLAB);
    }

    private static void put(ChunkCache cache, ChunkKey key, int length) {
        cache.put(key, "t", new byte[length]).orElseThrow().close();
    }

    private static boolean closed(PinnedChunk chunk) {
        chunk.close();
        return true;
    }

    private static ChunkKey key(FileVersion file, int rowGroup) {
        return new ChunkKey(file, SampleColumns.column(0), rowGroup);
    }
}
