package io.skep.storage.scan;

import io.skep.common.vector.Batch;
import java.util.Iterator;

/** Batches that are read as they are asked for. Owned by one thread; holds nothing open once the last batch was given. */
public interface BatchIterator extends Iterator<Batch>, AutoCloseable {
    @Override
    void close();
}
