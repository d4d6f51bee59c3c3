package io.skep.llap.server.cache;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * A chunk in the cache. Readers pin it; an evicted chunk has the pin count -1 for ever and its bytes belong to somebody else.
 * {@code frequency}, {@code inMain} are S3-FIFO's.
 */
final class CachedChunk {
    private static final int EVICTED = -1;
    private static final int MAX_FREQUENCY = 3;

    /** One hit in so many checks the bytes. */
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

    /** It was missed before. Guarded by the lock of its shard. */
    boolean returned;

    /**
     * Pinned once, for whoever makes it.
     *
     * @param memoryOnly it is worth nothing to the second tier
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

    /** False when it has been evicted. */
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

    /** True for the one caller that may free the bytes; false while somebody reads. */
    boolean tryEvict() {
        return pins.compareAndSet(0, EVICTED);
    }

    boolean evicted() {
        return pins.get() == EVICTED;
    }

    /** Counts a use; lost updates do no harm. */
    boolean touch() {
        int seen = frequency;
        if (seen < MAX_FREQUENCY) {
            frequency = seen + 1;
        }
        return ++hits % CHECK_INTERVAL == 0;
    }

    /** Whether it has shown that it is asked for again: a scan's chunks have not. For whoever has evicted it. */
    boolean earnsSecondTier() {
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

    /** Whether the bytes are those that were put in. The caller has it pinned. */
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
