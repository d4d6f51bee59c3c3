package io.skep.service.wire;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool of buffers that connections hold only while a message is read or written. An idle connection holds none. The
 * pool keeps a bounded number of free buffers and leaves the others to the garbage collector. Thread-safe.
 */
final class BufferPool {
    static final int BUFFER_BYTES = 64 << 10;
    private static final int MAX_FREE = 128;

    private final ConcurrentLinkedQueue<byte[]> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger freeCount = new AtomicInteger();

    byte[] take() {
        byte[] buffer = free.poll();
        if (buffer == null) {
            return new byte[BUFFER_BYTES];
        }
        freeCount.decrementAndGet();
        return buffer;
    }

    void release(byte[] buffer) {
        if (freeCount.incrementAndGet() <= MAX_FREE) {
            free.add(buffer);
        } else {
            freeCount.decrementAndGet();
        }
    }
}
