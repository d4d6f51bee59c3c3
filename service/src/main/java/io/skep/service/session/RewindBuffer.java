package io.skep.service.session;

import io.skep.common.vector.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Retains the batches of a small result, so that its client can read it again from its first row, as scrollable JDBC
 * statements do. Discards all of them when the result turns out to be too large. Not thread-safe.
 */
final class RewindBuffer {
    /** The size of the largest result that can be read again. */
    static final long MAX_BYTES = 4 << 20;

    /** Limits the number of batches, since batches with few rows cost more than their bytes. */
    private static final int MAX_BATCHES = 1000;

    private final KeptRows.Share memory;
    private final List<Batch> batches = new ArrayList<>();
    private long bytes;
    private int next;
    private boolean overflowed;

    /** @param memory accounts for the batches; when it has no room, the result cannot be read again */
    RewindBuffer(KeptRows.Share memory) {
        this.memory = memory;
    }

    /** Adds a batch that is read for the first time. All earlier ones have been read. */
    void add(Batch batch) {
        if (overflowed) {
            return;
        }
        long size = batch.retainedBytes();
        if (bytes + size > MAX_BYTES || batches.size() == MAX_BATCHES || !memory.tryCharge(size)) {
            overflowed = true;
            batches.clear();
            memory.release();
            return;
        }
        bytes += size;
        batches.add(batch);
        next = batches.size();
    }

    /** Makes {@link #next} begin with the first batch. Returns false when batches were discarded. */
    boolean rewind() {
        next = 0;
        return !overflowed;
    }

    /** Returns the next batch to read again, if there is one. */
    Optional<Batch> next() {
        return next < batches.size() ? Optional.of(batches.get(next++)) : Optional.empty();
    }
}
