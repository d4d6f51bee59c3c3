package io.skep.llap.server.cache;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Stores chunks that leave memory. It stores them under the same keys, so it never returns stale data. Thread-safe. */
public interface SecondTier {
    /** A tier that stores nothing. */
    SecondTier NONE = new SecondTier() {
        @Override
        public void offer(ChunkKey key, MemorySegment bytes, int checksum) {}

        @Override
        public Optional<byte[]> read(ChunkKey key) {
            return Optional.empty();
        }

        @Override
        public SecondTierSnapshot snapshot() {
            return SecondTierSnapshot.NONE;
        }
    };

    /**
     * Stores or ignores a chunk that is evicted from memory. Waits for nothing but locks.
     *
     * @param bytes may be used until this returns
     * @param checksum CRC32C of the bytes when they were stored in memory
     */
    void offer(ChunkKey key, MemorySegment bytes, int checksum);

    /**
     * Reads the bytes of a chunk, as they were stored in memory. Returns empty when the chunk is absent or damaged. May
     * wait for a disk.
     */
    Optional<byte[]> read(ChunkKey key);

    SecondTierSnapshot snapshot();
}
