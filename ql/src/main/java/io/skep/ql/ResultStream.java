package io.skep.ql;

import io.skep.common.vector.Batch;
import java.util.Optional;

/** Result rows as batches. One reader at a time. */
public interface ResultStream {
    /** Waits for the next rows; empty at the end. */
    Optional<Batch> next();
}
