package io.skep.llap.server;

import io.skep.common.memory.MemoryPool;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory account of a task attempt. It is released once, when the attempt ends. If threads that were written off
 * may still hold some of the memory, that part is released when the last of them has returned. Until then it is charged
 * to no query.
 */
final class TaskMemory implements TaskRun.Holdings {
    private final MemoryPool memory;
    private final MemoryPool lost;
    private final AtomicLong leakedBytes;
    private final Runnable others;
    private volatile long lostBytes;

    /**
     * @param lost account of what is still in use after the end
     * @param leakedBytes counts bytes that were not released although no thread uses them
     * @param others frees the other resources of the task
     */
    TaskMemory(MemoryPool memory, MemoryPool lost, AtomicLong leakedBytes, Runnable others) {
        this.memory = memory;
        this.lost = lost;
        this.leakedBytes = leakedBytes;
        this.others = others;
    }

    @Override
    public void free(boolean inUse) {
        try {
            others.run();
        } finally {
            if (inUse) {
                lostBytes = memory.moveTo(lost);
            } else {
                leakedBytes.addAndGet(memory.reservedBytes());
                memory.close();
            }
        }
    }

    @Override
    public void threadsReturned() {
        lost.release(lostBytes);
    }
}
