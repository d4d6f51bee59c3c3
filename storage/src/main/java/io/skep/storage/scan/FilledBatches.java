package io.skep.storage.scan;

import io.skep.common.vector.Batch;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Batches that are filled one after the other, each when it is asked for. */
public abstract class FilledBatches implements BatchIterator {
    private @Nullable Batch next;
    private boolean isLast;

    /** Returns the next batch, null when there are no more rows. It is not called again then. */
    protected abstract @Nullable Batch fill();

    @Override
    public final boolean hasNext() {
        if (next == null && !isLast) {
            next = fill();
            isLast = next == null;
        }
        return next != null;
    }

    @Override
    public final Batch next() {
        Batch batch = hasNext() ? next : null;
        if (batch == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return batch;
    }
}
