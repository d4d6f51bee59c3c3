package io.skep.llap.server.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.LongVector;
import io.skep.llap.server.chunk.ChunkEncoder;
import io.skep.storage.table.FileVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class TestChunkCache {
    private static final int SLAB = 64 << 10;
    private static final long CAPACITY = 16 * SLAB;

    /** Rows of a chunk that needs more than one slab, and at most two. */
    private static final int LARGE = 14_000;

    private final MemoryPool memory = MemoryPool.root("test", Long.MAX_VALUE);

    @Test
    void keepsWhatIsPutIn() {
        try (ChunkCache cache = cache()) {
            assertThat(cache.get(key(1), "t")).isEmpty();
            put(cache, 1, 1000);
            assertThat(value(cache, 1)).isEqualTo(1);
            assertThat(cache.snapshot().tables())
                    .containsEntry(
                            "t",
                            new TableCacheStats.Snapshot(
                                    1,
                                    Map.of(MissCause.COLD, 1L),
                                    0,
                                    0,
                                    0,
                                    cache.snapshot().usedBytes()));
            assertThat(memory.reservedBytes()).isEqualTo(SLAB);
        }
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void anotherVersionOfAFileIsAnotherChunk() {
        try (ChunkCache cache = cache()) {
            ChunkKey before = new ChunkKey(new FileVersion("file:/f", 10, 1), SampleColumns.column(0), 0);
            cache.put(before, "t", encoded(1, 100)).orElseThrow().close();
            assertThat(cache.get(new ChunkKey(new FileVersion("file:/f", 10, 2), SampleColumns.column(0), 0), "t"))
                    .isEmpty();
            assertThat(cache.get(new ChunkKey(before.file(), SampleColumns.column(7), 0), "t"))
                    .isEmpty();
        }
    }

    @Test
    void aPinnedChunkIsNotEvicted() {
        try (ChunkCache cache = cache()) {
            try (PinnedChunk pinned = cache.put(key(0), "t", encoded(0, 4000)).orElseThrow()) {
                for (int i = 1; i < 500; i++) {
                    put(cache, i, 4000);
                }
                assertThat(pinned.intact()).isTrue();
                assertThat(cache.contains(key(0))).isTrue();
            }
            assertThat(cache.snapshot().evictions()).isPositive();
        }
    }

    /** Small chunks use little of the cache and as much of the heap as large ones. */
    @Test
    void theHeapBoundsHowManyThereAre() {
        try (ChunkCache cache = new ChunkCache(memory, CAPACITY, SLAB, SecondTier.NONE, 100 * 320)) {
            try (PinnedChunk pinned = cache.put(key(0), "t", encoded(0, 10)).orElseThrow()) {
                for (int i = 1; i < 1000; i++) {
                    put(cache, i, 10);
                }
                assertThat(cache.snapshot().chunks()).isEqualTo(100);
                assertThat(pinned.intact()).isTrue();
            }
            assertThat(cache.contains(key(999))).isTrue();
            assertThat(cache.snapshot().evictions()).isEqualTo(900);
        }
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void aScanDoesNotDriveOutWhatIsUsedAgainAndAgain() {
        try (ChunkCache cache = cache()) {
            int hot = 60;
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < hot; i++) {
                    touch(cache, i);
                }
            }
            for (int i = 1000; i < 4000; i++) {
                put(cache, i, 1000);
            }
            long kept = 0;
            for (int i = 0; i < hot; i++) {
                kept += cache.contains(key(i)) ? 1 : 0;
            }
            assertThat(kept).isGreaterThan(hot * 9 / 10);
        }
    }

    @Test
    void aFullCacheTakesWhatIsMissedASecondTime() {
        try (ChunkCache cache = cache()) {
            assertThat(cache.admits(key(1), "t")).isTrue();
            int filled = 0;
            while (cache.snapshot().evictions() == 0) {
                put(cache, 10_000 + filled++, 1000);
            }
            assertThat(cache.admits(key(1), "t")).isFalse();
            assertThat(cache.admits(key(2), "t")).isFalse();
            assertThat(cache.admits(key(1), "t")).isTrue();
            for (int i = 3; i < 10 * filled; i++) {
                assertThat(cache.admits(key(i), "t")).isFalse();
            }
            assertThat(cache.admits(key(2), "t")).as("forgotten by now").isFalse();
            assertThat(cache.snapshot().bypasses()).isEqualTo(10L * filled);
            cache.clear();
            assertThat(cache.admits(key(4), "t")).isTrue();
        }
    }

    private static void touch(ChunkCache cache, int id) {
        Optional<PinnedChunk> chunk = cache.get(key(id), "t");
        if (chunk.isPresent()) {
            chunk.get().close();
        } else {
            put(cache, id, 1000);
        }
    }

    @Test
    void memoryFollowsTheSizesInDemand() {
        try (ChunkCache cache = cache()) {
            for (int i = 0; i < 2000; i++) {
                put(cache, i, 100);
            }
            int large = 6000;
            for (int i = 10_000; i < 10_040; i++) {
                put(cache, i, large);
            }
            assertThat(cache.contains(key(10_039))).isTrue();
            assertThat(cache.snapshot().reservedBytes()).isLessThanOrEqualTo(CAPACITY);
        }
    }

    @Test
    void whatIsTooLargeIsNotKept() {
        try (ChunkCache cache = cache()) {
            assertThat(cache.put(key(1), "t", encoded(1, SLAB))).isEmpty();
            assertThat(cache.snapshot().tables())
                    .containsEntry("t", new TableCacheStats.Snapshot(0, Map.of(), 0, 0, 1, 0));
        }
    }

    @Test
    void withAllPinnedNothingMoreIsKept() {
        try (ChunkCache cache = cache()) {
            List<PinnedChunk> pinned = new ArrayList<>();
            Optional<PinnedChunk> next = cache.put(key(0), "t", encoded(0, 4000));
            for (int i = 1; next.isPresent(); i++) {
                pinned.add(next.get());
                next = cache.put(key(i), "t", encoded(i, 4000));
            }
            assertThat(pinned).hasSizeGreaterThan(20);
            assertThat(pinned).allMatch(PinnedChunk::intact);
            pinned.forEach(PinnedChunk::close);
            assertThat(cache.put(key(-1), "t", encoded(1, 4000)).map(this::closed))
                    .isPresent();
        }
    }

    private boolean closed(PinnedChunk chunk) {
        chunk.close();
        return true;
    }

    @Test
    void clearLeavesNothing() {
        try (ChunkCache cache = cache()) {
            for (int i = 0; i < 100; i++) {
                put(cache, i, 500);
            }
            cache.clear();
            assertThat(cache.snapshot().chunks()).isZero();
            assertThat(cache.snapshot().usedBytes()).isZero();
        }
    }

    @Test
    void aLargeChunkTakesSeveralSlabsAndGivesThemBack() {
        assertThat(encoded(1, LARGE)).hasSizeBetween(SLAB + 1, 2 * SLAB);
        try (ChunkCache cache = cache()) {
            put(cache, 1, LARGE);
            assertThat(memory.reservedBytes()).isEqualTo(2 * SLAB);
            assertThat(value(cache, 1)).isEqualTo(1);
            cache.clear();
            assertThat(memory.reservedBytes()).isZero();
            for (int id = 100; id < 400; id++) {
                put(cache, id, 50 + id % 7 * 700);
            }
            assertThat(memory.reservedBytes()).isEqualTo(CAPACITY);
            put(cache, 2, LARGE);
            assertThat(value(cache, 2)).isEqualTo(2);
            assertThat(memory.reservedBytes()).isLessThanOrEqualTo(CAPACITY);
            for (int id = 400; id < 800; id++) {
                put(cache, id, 50 + id % 7 * 700);
            }
            assertThat(cache.get(key(2), "t")).isEmpty();
            for (int id = 800; id < 820; id++) {
                put(cache, id, LARGE);
                assertThat(value(cache, id)).isEqualTo(id);
            }
            assertThat(memory.reservedBytes()).isLessThanOrEqualTo(CAPACITY);
        }
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void closingWhileSomebodyReadsIsRefused() {
        ChunkCache cache = cache();
        PinnedChunk pinned = cache.put(key(1), "t", encoded(1, 100)).orElseThrow();
        assertThatThrownBy(cache::close).isInstanceOf(IllegalStateException.class);
        pinned.close();
        cache.close();
    }

    @Test
    void readersNeverSeeForeignBytes() throws Exception {
        long seed = System.nanoTime();
        try (ChunkCache cache = cache();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Void>> work = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(seed + thread);
                work.add(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        readOrWrite(cache, random);
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
            CacheSnapshot snapshot = cache.snapshot();
            assertThat(snapshot.pins()).as("seed %s", seed).isZero();
            assertThat(snapshot.evictions()).isPositive();
            assertThat(snapshot.hits()).isPositive();
            cache.clear();
            assertThat(cache.snapshot().usedBytes()).isZero();
        }
        assertThat(memory.reservedBytes()).isZero();
    }

    /** Chunk sizes depend on the id, so that slabs change their size classes all the time. */
    private static void readOrWrite(ChunkCache cache, Random random) {
        int id = (int) Math.abs(random.nextGaussian() * 200);
        if (random.nextInt(1000) == 0) {
            cache.clear();
        }
        Optional<PinnedChunk> found = cache.get(key(id), "t" + id % 3);
        if (found.isEmpty()) {
            found = cache.put(key(id), "t" + id % 3, encoded(id, id % 40 == 7 ? LARGE : 50 + id % 7 * 700));
        }
        if (found.isPresent()) {
            try (PinnedChunk chunk = found.get()) {
                assertThat(chunk.intact()).isTrue();
                LongVector values = (LongVector) chunk.reader().decode(40, 10).flatten();
                assertThat(values.value(3)).isEqualTo(id + 43L * 43 * 43 % 1009 * (1L << 33));
            }
        }
    }

    private ChunkCache cache() {
        return new ChunkCache(memory, CAPACITY, SLAB);
    }

    private static void put(ChunkCache cache, int id, int rows) {
        cache.put(key(id), "t", encoded(id, rows)).orElseThrow().close();
    }

    private static long value(ChunkCache cache, int id) {
        try (PinnedChunk chunk = cache.get(key(id), "t").orElseThrow()) {
            return ((LongVector) chunk.reader().decode(0, 1).flatten()).value(0);
        }
    }

    private static ChunkKey key(int id) {
        return new ChunkKey(new FileVersion("file:/t/" + id / 10, 100, 5), SampleColumns.column(id % 10), 0);
    }

    private static byte[] encoded(int id, int rows) {
        long[] values = new long[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = id + (long) i * i * i % 1009 * (1L << 33);
        }
        return ChunkEncoder.encode(List.of(new LongVector(values, null, rows)));
    }
}
