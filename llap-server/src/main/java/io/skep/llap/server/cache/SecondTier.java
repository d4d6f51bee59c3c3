package io.skep.llap.server.cache;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Where chunks go on living when they leave memory. Holds them under the same keys, so what it gives is never stale. Thread-safe. */
public interface SecondTier {
    /** Keeps nothing. */
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
     * Takes a chunk that memory gives up, or leaves it. Waits for nothing but locks.
     *
     * @param bytes may be used until this returns
     * @param checksum CRC32C of the bytes when they were put in
     */
    void offer(ChunkKey key, MemorySegment bytes, int checksum);

    /** The bytes of a chunk, as they were put into memory; empty when it is not here, or no more as it was. May wait for a disk. */
    Optional<byte[]> read(ChunkKey key);

    SecondTierSnapshot snapshot();
}
