package io.skep.llap.server.cache;

import io.skep.common.memory.MemoryPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A cache of encoded column chunks outside the heap. The index and the eviction queues are sharded by key
 * ({@link CacheShard}), while all shards share one memory ({@link SlabAllocator}). A reader pins the chunk that it
 * reads, and pinned chunks are never evicted. A chunk is stored whole and never changed. Thread-safe.
 *
 * <p>When no slot of the right size is free, the policy evicts chunks, shard by shard in turn, until one is free. When
 * many evictions have freed no slot of that size, a slab of another size class is emptied and reassigned. So memory
 * follows the sizes that are in demand.
 */
public final class ChunkCache implements AutoCloseable {
    private static final int MAX_SHARDS = 32;

    /** Memory per shard: with fewer slabs the queues of a shard would mean little. */
    private static final int SLABS_PER_SHARD = 16;

    /** The number of evictions by policy before a slab of another size is emptied. */
    private static final int PATIENCE = 64;

    private static final int REASSIGNMENTS = 8;

    /** The reciprocal of the share of the heap that may hold the bookkeeping of chunks. */
    private static final int HEAP_SHARE = 16;

    /** Heap bytes of the bookkeeping of a chunk: its key, its slot, and its entries in the index and in a queue. */
    private static final int CHUNK_HEAP_BYTES = 320;

    /** Heap bytes of a chunk of which only the key is remembered. */
    private static final int GHOST_HEAP_BYTES = 96;

    /**
     * With a second tier, as many keys of missed chunks are remembered as chunks would fit there. This is the upper
     * limit, as a multiple of the chunks in memory.
     */
    private static final int MAX_GHOSTS = 16;

    private final CacheShard[] shards;
    private final SlabAllocator allocator;
    private final SecondTier second;
    private final ChunkHistory history;
    private final long capacityBytes;
    private final long chunksPerShard;
    private final LongAdder pins = new LongAdder();
    private final Map<String, TableCacheStats> tables = new ConcurrentHashMap<>();
    private final LongAdder turns = new LongAdder();

    /**
     * @param memory account of the slabs
     * @param slabBytes unit of memory, at most the capacity; a chunk may use up to eight slabs, if that is not over an
     *     eighth of the capacity
     */
    public ChunkCache(MemoryPool memory, long capacityBytes, int slabBytes) {
        this(memory, capacityBytes, slabBytes, SecondTier.NONE);
    }

    /** @param second receives chunks that leave memory although they were used more than once */
    public ChunkCache(MemoryPool memory, long capacityBytes, int slabBytes, SecondTier second) {
        this(memory, capacityBytes, slabBytes, second, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** @param heapBytes limit of the heap for the bookkeeping of chunks, however small the chunks are */
    ChunkCache(MemoryPool memory, long capacityBytes, int slabBytes, SecondTier second, long heapBytes) {
        this.capacityBytes = capacityBytes;
        this.second = second;
        this.allocator = new SlabAllocator(memory, capacityBytes, slabBytes);
        this.history = new ChunkHistory(capacityBytes);
        long wanted = Math.clamp(capacityBytes / slabBytes / SLABS_PER_SHARD, 1, MAX_SHARDS);
        shards = new CacheShard[(int) Long.highestOneBit(wanted)];
        long ghosts = second.snapshot().capacityBytes() / Math.max(1, capacityBytes) + 1;
        long most = heapBytes / shards.length;
        this.chunksPerShard = Math.max(1, most / CHUNK_HEAP_BYTES);
        int mostGhosts = (int) Math.min(Integer.MAX_VALUE, most / 2 / GHOST_HEAP_BYTES);
        Arrays.setAll(shards, i -> new CacheShard((int) Math.min(ghosts, MAX_GHOSTS), mostGhosts));
    }

    /** Returns the chunk, pinned, if it is cached. */
    public Optional<PinnedChunk> get(ChunkKey key, String table) {
        CachedChunk chunk = shard(key).get(key);
        if (chunk == null || !chunk.tryPin()) {
            stats(table).missed(history.cause(key));
            return Optional.empty();
        }
        if (chunk.touch() && !chunk.intact()) {
            chunk.unpin();
            remove(chunk);
            stats(table).missed(MissCause.DAMAGED);
            return Optional.empty();
        }
        pins.increment();
        stats(table).hits.increment();
        return Optional.of(new PinnedChunk(this, chunk));
    }

    /** Reads a chunk that is not in memory from the second tier. May wait for a disk. */
    public Optional<byte[]> restore(ChunkKey key, String table) {
        Optional<byte[]> found = second.read(key);
        if (found.isPresent()) {
            stats(table).secondTierHits.increment();
        }
        return found;
    }

    /** Returns the chunk, pinned, if it is cached. Does not count as a use. */
    public Optional<PinnedChunk> peek(ChunkKey key) {
        CachedChunk chunk = shard(key).get(key);
        if (chunk == null || !chunk.tryPin()) {
            return Optional.empty();
        }
        pins.increment();
        return Optional.of(new PinnedChunk(this, chunk));
    }

    /** Whether the chunk is cached, for prefetching. Does not count as a use. */
    public boolean contains(ChunkKey key) {
        return shard(key).get(key) != null;
    }

    /**
     * Whether a missed chunk should be created. While the cache has memory that was never used, the answer is always
     * yes. After that, it is yes only if the chunk was missed before, not long ago. So a scan that is larger than the
     * cache costs no encoding and evicts nothing.
     */
    public boolean admits(ChunkKey key, String table) {
        if (!allocator.isFull() || shard(key).recordMiss(key)) {
            return true;
        }
        stats(table).bypasses.increment();
        history.remember(key, MissCause.NOT_ADMITTED);
        return false;
    }

    /** Notes why a chunk that was read is not stored. The cause is counted at its next miss. */
    public void noteBypass(ChunkKey key, MissCause why) {
        history.remember(key, why);
    }

    /** The size of the largest chunk that can be stored. */
    public long largestChunk() {
        return allocator.largestBytes();
    }

    /**
     * Stores a chunk and pins it. Returns empty when there is no room for it. If the key is already present, the
     * existing chunk stays and is pinned.
     */
    public Optional<PinnedChunk> put(ChunkKey key, String table, byte[] encoded) {
        return put(key, table, encoded, false);
    }

    /** @param memoryOnly whether the chunk must not go to the second tier */
    Optional<PinnedChunk> put(ChunkKey key, String table, byte[] encoded, boolean memoryOnly) {
        SlabAllocator.Slot slot = allocate(encoded.length);
        if (slot == null) {
            stats(table).bypasses.increment();
            history.remember(key, allocator.isTooLarge(encoded.length) ? MissCause.TOO_LARGE : MissCause.NO_MEMORY);
            return Optional.empty();
        }
        MemorySegment.copy(encoded, 0, slot.bytes(), ValueLayout.JAVA_BYTE, 0, encoded.length);
        CachedChunk chunk =
                new CachedChunk(key, table, slot, encoded.length, CachedChunk.checksum(encoded), memoryOnly);
        allocator.settle(slot, chunk);
        CacheShard shard = shard(key);
        while (!shard.add(chunk)) {
            CachedChunk present = shard.get(key);
            if (present != null && present.tryPin()) {
                allocator.free(slot);
                pins.increment();
                return Optional.of(new PinnedChunk(this, present));
            }
            Thread.onSpinWait();
        }
        history.remember(key, MissCause.EVICTED);
        stats(table).bytes.add(encoded.length);
        if (shard.size() > chunksPerShard) {
            CachedChunk victim = shard.evictOne();
            if (victim != null) {
                giveUp(victim);
            }
        }
        pins.increment();
        return Optional.of(new PinnedChunk(this, chunk));
    }

    private SlabAllocator.@Nullable Slot allocate(int length) {
        if (!allocator.fits(length)) {
            return null;
        }
        for (int reassigned = 0; reassigned <= REASSIGNMENTS; reassigned++) {
            SlabAllocator.Slot slot = evictUntilFree(length);
            if (slot != null) {
                return slot;
            }
            for (CachedChunk chunk : allocator.residentsInTheWay(length)) {
                if (shard(chunk.key()).evict(chunk)) {
                    giveUp(chunk);
                }
            }
        }
        return allocator.tryAllocate(length);
    }

    private SlabAllocator.@Nullable Slot evictUntilFree(int length) {
        SlabAllocator.Slot slot = allocator.tryAllocate(length);
        int fruitless = 0;
        for (int i = 0; slot == null && i < PATIENCE && fruitless < shards.length; i++) {
            turns.increment();
            CachedChunk victim = shards[turns.intValue() & shards.length - 1].evictOne();
            if (victim == null) {
                fruitless++;
            } else {
                giveUp(victim);
                slot = allocator.tryAllocate(length);
            }
        }
        return slot;
    }

    private void giveUp(CachedChunk chunk) {
        if (chunk.wasReused()) {
            second.offer(chunk.key(), chunk.bytes(), chunk.checksum());
        }
        free(chunk);
    }

    private void remove(CachedChunk chunk) {
        if (shard(chunk.key()).evict(chunk)) {
            free(chunk);
        }
    }

    private void free(CachedChunk chunk) {
        TableCacheStats stats = stats(chunk.table());
        stats.evictions.increment();
        stats.bytes.add(-chunk.length());
        allocator.free(chunk.slot());
    }

    void unpin(CachedChunk chunk) {
        pins.decrement();
        chunk.unpin();
    }

    /** Removes every chunk that no reader has pinned. */
    public void clear() {
        for (CacheShard shard : shards) {
            shard.chunks().forEach(this::remove);
        }
    }

    public CacheSnapshot snapshot() {
        Map<String, TableCacheStats.Snapshot> stats = new TreeMap<>();
        tables.forEach((table, counters) -> stats.put(table, counters.snapshot()));
        long used = stats.values().stream()
                .mapToLong(TableCacheStats.Snapshot::bytes)
                .sum();
        long chunks = 0;
        for (CacheShard shard : shards) {
            chunks += shard.size();
        }
        return new CacheSnapshot(
                capacityBytes, allocator.reservedBytes(), used, chunks, pins.sum(), second.snapshot(), stats);
    }

    private TableCacheStats stats(String table) {
        TableCacheStats stats = tables.get(table);
        return stats == null ? tables.computeIfAbsent(table, name -> new TableCacheStats()) : stats;
    }

    private CacheShard shard(ChunkKey key) {
        return shards[(int) (key.fingerprint() >>> 48) & shards.length - 1];
    }

    /** @throws IllegalStateException when a chunk is still pinned */
    @Override
    public void close() {
        long left = pins.sum();
        if (left != 0) {
            throw new IllegalStateException(left + " chunks are still pinned");
        }
        allocator.close();
    }
}
