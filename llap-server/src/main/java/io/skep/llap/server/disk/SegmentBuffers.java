package io.skep.llap.server.disk;

import io.skep.common.memory.MemoryPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A pool of buffers for segments that are being filled or written. Guarded by its volume's lock. */
final class SegmentBuffers implements AutoCloseable {
    private final MemoryPool memory;
    private final int most;
    private final int bytes;
    private final Arena arena = Arena.ofShared();
    private final Deque<MemorySegment> free = new ArrayDeque<>();
    private int made;

    /** @param bytes size of each buffer */
    SegmentBuffers(MemoryPool memory, int most, int bytes) {
        this.memory = memory;
        this.most = most;
        this.bytes = bytes;
    }

    /** Returns a buffer, or null when all are in use or there is no memory for another one. */
    @Nullable
    MemorySegment take() {
        MemorySegment buffer = free.poll();
        if (buffer == null && made < most && memory.tryReserve(bytes)) {
            made++;
            buffer = arena.allocate(bytes, DiskPlace.ALIGNMENT);
        }
        return buffer;
    }

    void give(MemorySegment buffer) {
        free.add(buffer);
    }

    /** Frees the buffers. None of them may be in use. */
    @Override
    public void close() {
        arena.close();
        memory.release((long) made * bytes);
        made = 0;
    }
}
