package io.skep.storage.scan;

import io.skep.storage.table.FileVersion;
import java.nio.ByteBuffer;

/**
 * A store where readers leave decompressed blocks of files for other readers that need the same block soon. Formats
 * compress far more rows together than a row group contains. Blocks may be evicted at any time. Thread-safe.
 */
public interface BlockStore {
    /** A store that keeps nothing. */
    BlockStore NONE = new BlockStore() {
        @Override
        public boolean get(FileVersion file, long offset, ByteBuffer into) {
            return false;
        }

        @Override
        public void put(FileVersion file, long offset, ByteBuffer block) {}
    };

    /**
     * Copies the block at an offset of a file to a buffer and advances the buffer's position. Returns false and leaves
     * the buffer unchanged when the block is not stored.
     */
    boolean get(FileVersion file, long offset, ByteBuffer into);

    /** Stores a block, from the buffer's position to its limit. */
    void put(FileVersion file, long offset, ByteBuffer block);
}
