package io.skep.ql.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Buffers the rows of a result, so that a small result is sent only when it is complete. When there are too many rows,
 * or not enough memory for them, the buffered rows are sent and later ones stream. Thread-safe.
 */
final class KeptRows {
    /** Limits the number of batches, since batches with few rows cost more than their bytes. */
    private static final int MAX_BATCHES = 1000;

    private record Kept(Batch rows, long reservedBytes) {}

    private final MemoryPool memory;
    private final long maxBytes;

    @GuardedBy("this")
    private final Deque<Kept> kept = new ArrayDeque<>();

    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private boolean flowing;

    @GuardedBy("this")
    private boolean ended;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param memory the pool that accounts for the rows; rows that it refuses are sent early
     * @param maxBytes the limit of a result that is buffered; 0 buffers nothing
     */
    KeptRows(MemoryPool memory, long maxBytes) {
        this.memory = memory;
        this.maxBytes = maxBytes;
    }

    /**
     * Adds the next rows, or the end, of an attempt.
     *
     * @return whether rows are sent from this call on
     */
    synchronized boolean add(Optional<Batch> next) {
        ended = next.isEmpty();
        flowing = ended;
        next.ifPresent(rows -> {
            long size = rows.retainedBytes();
            boolean fits = !closed && bytes + size <= maxBytes && kept.size() < MAX_BATCHES && memory.tryReserve(size);
            long reserved = fits ? size : 0;
            kept.add(new Kept(rows, reserved));
            bytes += reserved;
            flowing = !fits;
        });
        return flowing;
    }

    /** Whether rows are sent, so that another attempt is not possible. */
    synchronized boolean flowing() {
        return flowing;
    }

    /** Whether all rows of the attempt have arrived. */
    synchronized boolean ended() {
        return ended;
    }

    /** Returns all rows of the attempt, if all have arrived and none was sent. */
    synchronized Optional<List<Batch>> complete() {
        return ended && !closed ? Optional.of(kept.stream().map(Kept::rows).toList()) : Optional.empty();
    }

    /** Removes and returns the first buffered rows, if there are any, to be sent. */
    synchronized Optional<Batch> take() {
        Kept first = kept.poll();
        if (first == null) {
            return Optional.empty();
        }
        bytes -= first.reservedBytes();
        memory.release(first.reservedBytes());
        return Optional.of(first.rows());
    }

    /** Discards the rows of an attempt, since another attempt follows. */
    synchronized void restart() {
        clear();
        flowing = false;
        ended = false;
    }

    @GuardedBy("this")
    private void clear() {
        memory.release(bytes);
        bytes = 0;
        kept.clear();
    }

    /** Discards all rows. Later rows are not buffered. */
    synchronized void close() {
        closed = true;
        clear();
    }
}
