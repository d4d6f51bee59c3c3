package io.skep.storage.scan;

import io.skep.common.vector.Batch;
import java.util.Iterator;

/**
 * Batches that are read as they are asked for. Owned by one thread; holds nothing open once the last batch was given.
 */
public interface BatchIterator extends Iterator<Batch>, AutoCloseable {
    /** Heap of buffers that are kept from batch to batch, as far as they may be large. */
    default long retainedBytes() {
        return 0;
    }

    @Override
    void close();
}
