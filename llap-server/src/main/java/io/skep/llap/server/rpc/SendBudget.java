package io.skep.llap.server.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import java.util.function.Supplier;

/**
 * The memory of one connection's encoded and unsent pages, in the daemon's memory account. If the account has no room
 * for a page that exists already, no other page is encoded until all have been sent. Large pages request memory before
 * they are encoded, and are refused without it. Guarded by itself.
 */
final class SendBudget {
    /** Usual pages are smaller than this. */
    private static final long LARGE_BYTES = 1 << 20;

    private final MemoryPool memory;
    private final long mostBytes;

    @GuardedBy("this")
    private long waiting;

    @GuardedBy("this")
    private long reserved;

    @GuardedBy("this")
    private boolean shortOfMemory;

    @GuardedBy("this")
    private boolean closed;

    /** @param mostBytes waiting bytes above which no more pages are encoded */
    SendBudget(MemoryPool memory, long mostBytes) {
        this.memory = memory;
        this.mostBytes = mostBytes;
    }

    synchronized boolean hasRoom() {
        return waiting == 0 || waiting < mostBytes && !shortOfMemory;
    }

    /**
     * Encodes a page.
     *
     * @throws io.skep.common.error.SkepException (MEMORY_LIMIT_EXCEEDED) when it is large and there is no room for it
     */
    byte[] make(Supplier<byte[]> page) {
        try (ScratchMemory scratch = new ScratchMemory(memory, LARGE_BYTES)) {
            return scratch.within(page);
        }
    }

    /** Adds an encoded page. */
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

    /** Removes pages that have been handed to the connection. */
    synchronized void sent(long bytes) {
        waiting -= bytes;
        release(waiting == 0 ? reserved : Math.min(reserved, bytes));
        shortOfMemory &= waiting > 0;
    }

    @GuardedBy("this")
    private void release(long bytes) {
        reserved -= bytes;
        memory.release(bytes);
    }

    /** Releases everything, because nothing more will be sent. */
    synchronized void close() {
        closed = true;
        release(reserved);
    }
}
