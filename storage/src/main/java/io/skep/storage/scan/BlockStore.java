package io.skep.storage.scan;

import io.skep.storage.table.FileVersion;
import java.nio.ByteBuffer;

/**
 * Where readers leave blocks of files that they have decompressed, for whoever needs the same block soon: formats
 * compress far more rows together than a row group has. What is in it may be gone at any time. Thread-safe.
 */
public interface BlockStore {
    /** Keeps nothing. */
    BlockStore NONE = new BlockStore() {
        @Override
        public boolean get(FileVersion file, long offset, ByteBuffer into) {
            return false;
        }

        @Override
        public void put(FileVersion file, long offset, ByteBuffer block) {}
    };

    /**
     * Puts the block that begins at an offset of a file into a buffer, whose position moves behind it; false, with the
     * buffer as it was, when the block is not here.
     */
    boolean get(FileVersion file, long offset, ByteBuffer into);

    /** Leaves a block, from the buffer's position to its limit. */
    void put(FileVersion file, long offset, ByteBuffer block);
}
