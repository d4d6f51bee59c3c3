package io.skep.llap.server.cache;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * A chunk in the cache. Readers pin it. An evicted chunk keeps the pin count -1 for ever, and its memory belongs to
 * another chunk. {@code frequency} and {@code inMain} belong to S3-FIFO.
 */
final class CachedChunk {
    private static final int EVICTED = -1;
    private static final int MAX_FREQUENCY = 3;

    /** The bytes are checked on one of this number of hits. */
    private static final int CHECK_INTERVAL = 256;

    private final ChunkKey key;
    private final String table;
    private final SlabAllocator.Slot slot;
    private final int length;
    private final int checksum;
    private final AtomicInteger pins = new AtomicInteger(1);
    private volatile int frequency;
    private int hits;
    private final boolean memoryOnly;

    /** Guarded by the lock of its shard. */
    boolean inMain;

    /** Whether the chunk was missed before. Guarded by the lock of its shard. */
    boolean returned;

    /**
     * Creates a chunk that is pinned once, for its creator.
     *
     * @param memoryOnly whether the chunk is of no use to the second tier
     */
    CachedChunk(ChunkKey key, String table, SlabAllocator.Slot slot, int length, int checksum, boolean memoryOnly) {
        this.key = key;
        this.table = table;
        this.slot = slot;
        this.length = length;
        this.checksum = checksum;
        this.memoryOnly = memoryOnly;
    }

    ChunkKey key() {
        return key;
    }

    String table() {
        return table;
    }

    SlabAllocator.Slot slot() {
        return slot;
    }

    int length() {
        return length;
    }

    MemorySegment bytes() {
        return slot.bytes();
    }

    /** Pins the chunk. Returns false when it has been evicted. */
    boolean tryPin() {
        int now = pins.get();
        while (now != EVICTED) {
            if (pins.compareAndSet(now, now + 1)) {
                return true;
            }
            now = pins.get();
        }
        return false;
    }

    void unpin() {
        if (pins.decrementAndGet() < 0) {
            throw new IllegalStateException("chunk " + key + " was unpinned more often than pinned");
        }
    }

    /**
     * Marks the chunk as evicted. Returns true for the one caller that may free the bytes, and false while a reader has
     * it pinned.
     */
    boolean tryEvict() {
        return pins.compareAndSet(0, EVICTED);
    }

    boolean evicted() {
        return pins.get() == EVICTED;
    }

    /** Counts a use, and returns whether the bytes must be checked. Lost updates do no harm. */
    boolean touch() {
        int seen = frequency;
        if (seen < MAX_FREQUENCY) {
            frequency = seen + 1;
        }
        return ++hits % CHECK_INTERVAL == 0;
    }

    /**
     * Whether the chunk has been requested more than once, which the chunks of a scan have not. For the caller that has
     * evicted it.
     */
    boolean wasReused() {
        return !memoryOnly && (returned || hits > 0);
    }

    int checksum() {
        return checksum;
    }

    int frequency() {
        return frequency;
    }

    void frequency(int value) {
        frequency = value;
    }

    /** Whether the bytes are the same as those that were stored. The caller must have the chunk pinned. */
    boolean intact() {
        CRC32C crc = new CRC32C();
        crc.update(slot.bytes().asByteBuffer());
        return (int) crc.getValue() == checksum;
    }

    static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.wrap(bytes));
        return (int) crc.getValue();
    }
}
