package io.skep.storage.scan;

import io.skep.common.vector.Batch;
import java.util.Iterator;

/** Batches that are read on request. Owned by one thread. Holds nothing open after the last batch is returned. */
public interface BatchIterator extends Iterator<Batch>, AutoCloseable {
    /** Returns the heap bytes of buffers that are kept between batches, where they may be large. */
    default long retainedBytes() {
        return 0;
    }

    @Override
    void close();
}
