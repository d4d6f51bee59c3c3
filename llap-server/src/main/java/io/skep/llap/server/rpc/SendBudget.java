package io.skep.llap.server.rpc;

import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import java.util.function.Supplier;

/**
 * Pages of one connection that have been made into bytes and not been sent, in the daemon's memory account. When that has no room
 * for a page, which is there already, no other is made before all have gone. Large pages ask for room before they are made, and are
 * refused without it. Guarded by itself.
 */
final class SendBudget {
    /** Pages of usual rows are smaller. */
    private static final long LARGE_BYTES = 1 << 20;

    private final MemoryPool memory;
    private final long mostBytes;
    private long waiting;
    private long reserved;
    private boolean shortOfMemory;
    private boolean closed;

    /** @param mostBytes that wait before no more are made */
    SendBudget(MemoryPool memory, long mostBytes) {
        this.memory = memory;
        this.mostBytes = mostBytes;
    }

    synchronized boolean hasRoom() {
        return waiting == 0 || waiting < mostBytes && !shortOfMemory;
    }

    /**
     * Makes a page.
     *
     * @throws io.skep.common.error.SkepException (MEMORY_LIMIT_EXCEEDED) when it is large and there is no room for it
     */
    byte[] make(Supplier<byte[]> page) {
        try (ScratchMemory scratch = new ScratchMemory(memory, LARGE_BYTES)) {
            return scratch.within(page);
        }
    }

    /** A page has been made. */
    synchronized void add(long bytes) {
        waiting += bytes;
        if (closed) {
            return;
        }
        if (memory.tryReserve(bytes)) {
            reserved += bytes;
        } else {
            shortOfMemory = true;
        }
    }

    /** Pages have been handed to the connection. */
    synchronized void sent(long bytes) {
        waiting -= bytes;
        release(waiting == 0 ? reserved : Math.min(reserved, bytes));
        shortOfMemory &= waiting > 0;
    }

    private void release(long bytes) {
        reserved -= bytes;
        memory.release(bytes);
    }

    /** Nothing more will be sent. */
    synchronized void close() {
        closed = true;
        release(reserved);
    }
}
