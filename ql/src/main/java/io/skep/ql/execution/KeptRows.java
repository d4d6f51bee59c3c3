package io.skep.ql.execution;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Rows that have come and wait for those after them, so that a small result goes out when it is whole. When there are too many,
 * or no memory for them, they go out and the others as they come. Thread-safe.
 */
final class KeptRows {
    /** Batches of few rows cost more than their bytes. */
    private static final int MAX_BATCHES = 1000;

    private record Kept(Batch rows, long reservedBytes) {}

    private final MemoryPool memory;
    private final long maxBytes;
    private final Deque<Kept> kept = new ArrayDeque<>();
    private long bytes;
    private boolean flowing;
    private boolean ended;
    private boolean closed;

    /**
     * @param memory pays for them; what it refuses goes out early
     * @param maxBytes of a result that is kept; 0 keeps nothing
     */
    KeptRows(MemoryPool memory, long maxBytes) {
        this.memory = memory;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes the next rows, or the end, of an attempt.
     *
     * @return whether rows go out from now on
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

    /** Whether rows go out, so that it is too late for another attempt. */
    synchronized boolean flowing() {
        return flowing;
    }

    /** Whether there are no rows but those that are here. */
    synchronized boolean ended() {
        return ended;
    }

    /** The first rows that are here, if there are any: they go out. */
    synchronized Optional<Batch> take() {
        Kept first = kept.poll();
        if (first == null) {
            return Optional.empty();
        }
        bytes -= first.reservedBytes();
        memory.release(first.reservedBytes());
        return Optional.of(first.rows());
    }

    /** Forgets the rows of an attempt: those of another one come. */
    synchronized void restart() {
        clear();
        flowing = false;
        ended = false;
    }

    private void clear() {
        memory.release(bytes);
        bytes = 0;
        kept.clear();
    }

    /** Keeps nothing any more. */
    synchronized void close() {
        closed = true;
        clear();
    }
}
