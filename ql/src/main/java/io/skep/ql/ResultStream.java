package io.skep.ql;

import io.skep.common.vector.Batch;
import java.util.Optional;

/** The rows of a result as batches. Allows one reader at a time. */
public interface ResultStream {
    /** Waits for the next rows. Empty at the end. */
    Optional<Batch> next();
}
