package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.memory.MemoryPool;

/**
 * The account of one operator in its task's pool. The first bytes are free, the rest is reserved in steps. Owned by the
 * operator's thread.
 */
public final class OperatorMemory implements AutoCloseable {
    private static final long FREE = 256 * 1024;
    private static final long LEAST = 64 * 1024;
    private static final long STEP = 64 * 1024;

    private final MemoryPool pool;
    private final long maxBytes;
    private long reserved;

    public OperatorMemory(MemoryPool pool, long maxBytes) {
        this.pool = pool;
        this.maxBytes = Math.max(LEAST, maxBytes);
    }

    /** Sets what the operator holds; false when it may not hold that much and should spill: then nothing has changed. */
    public boolean trySet(long bytes) {
        long wanted = rounded(bytes);
        if (bytes > maxBytes || wanted > reserved && !pool.tryReserve(wanted - reserved)) {
            return false;
        }
        reserved = Math.max(wanted, reserved);
        shrink(wanted);
        return true;
    }

    /** Sets what an operator holds that cannot spill; only the pool limits it.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when the bytes are not to be had
     */
    public void set(long bytes) {
        long wanted = rounded(bytes);
        if (wanted > reserved) {
            pool.reserve(wanted - reserved);
            reserved = wanted;
        } else {
            shrink(wanted);
        }
    }

    public long reservedBytes() {
        return reserved;
    }

    private void shrink(long wanted) {
        if (wanted < reserved) {
            pool.release(reserved - wanted);
            reserved = wanted;
        }
    }

    private static long rounded(long bytes) {
        return bytes <= FREE ? 0 : (bytes - FREE + STEP - 1) / STEP * STEP;
    }

    @Override
    public void close() {
        shrink(0);
    }
}
