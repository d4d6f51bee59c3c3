package io.skep.llap.server;

import io.skep.common.memory.MemoryPool;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of a task attempt, given back once: at its end, or, as far as threads that were written off may still hold some of
 * it, when the last of them has come back. Those bytes are nobody's query's until then.
 */
final class TaskMemory implements TaskRun.Holdings {
    private final MemoryPool memory;
    private final MemoryPool lost;
    private final AtomicLong leakedBytes;
    private final Runnable others;
    private volatile long lostBytes;

    /**
     * @param lost pays for what is still in use after the end
     * @param leakedBytes counts what was not given back although no thread uses it
     * @param others frees the rest of what the task was given
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
    public void cameBack() {
        lost.release(lostBytes);
    }
}
