package io.skep.llap.server.cache;

import io.skep.storage.scan.BlockStore;
import io.skep.storage.table.FileVersion;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A cache of decompressed blocks of files. They are stored among the column chunks, under the same eviction policy.
 * Thread-safe.
 */
public final class CachedBlocks implements BlockStore {
    /** The table name under which blocks are counted. */
    static final String TABLE = "(decompressed blocks)";

    private final ChunkCache cache;
    private final InstantSource clock;

    public CachedBlocks(ChunkCache cache, InstantSource clock) {
        this.cache = cache;
        this.clock = clock;
    }

    private static ChunkKey key(FileVersion file, long offset) {
        return new ChunkKey(file, ColumnSchema.BLOCKS, offset);
    }

    @Override
    public boolean get(FileVersion file, long offset, ByteBuffer into) {
        ChunkKey key = key(file, offset);
        if (!cache.contains(key)) {
            return false;
        }
        Optional<PinnedChunk> found = cache.get(key, TABLE);
        if (found.isEmpty()) {
            return false;
        }
        try (PinnedChunk block = found.get()) {
            if (block.length() > into.remaining()) {
                return false;
            }
            into.put(block.bytes());
            return true;
        }
    }

    @Override
    public void put(FileVersion file, long offset, ByteBuffer block) {
        ChunkKey key = key(file, offset);
        if (!file.settledAt(clock.millis()) || !cache.admits(key, TABLE)) {
            return;
        }
        byte[] bytes = new byte[block.remaining()];
        block.get(bytes);
        cache.put(key, TABLE, bytes, true).ifPresent(PinnedChunk::close);
    }
}
