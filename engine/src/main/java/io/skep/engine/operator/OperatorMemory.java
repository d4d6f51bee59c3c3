package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.MemoryWait;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
    private @Nullable MemoryWait wait;

    public OperatorMemory(MemoryPool pool, long maxBytes) {
        this.pool = pool;
        this.maxBytes = Math.max(LEAST, maxBytes);
    }

    /** Sets what the operator holds; false when it may not hold that much and should spill: then nothing has changed. */
    public boolean trySet(long bytes) {
        settle();
        long wanted = rounded(bytes);
        if (bytes > maxBytes || wanted > reserved && !pool.tryReserve(wanted - reserved)) {
            return false;
        }
        reserved = Math.max(wanted, reserved);
        shrink(wanted);
        return true;
    }

    /**
     * Sets what an operator holds that cannot spill; only the pool limits it. When other queries have the memory, the operator
     * is in debt, for what has come with the batch that it has just taken, until {@link #granted}.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when the bytes are not to be had
     */
    public void set(long bytes) {
        settle();
        long wanted = rounded(bytes);
        if (wanted <= reserved) {
            shrink(wanted);
            return;
        }
        wait = pool.reserveOrWait(wanted - reserved).orElse(null);
        if (wait == null) {
            reserved = wanted;
        }
    }

    /**
     * What an operator that uses {@link #set} waits for before it does more.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when it has waited in vain
     */
    public CompletableFuture<?> granted() {
        MemoryWait current = wait;
        if (current == null) {
            return Operator.NOT_BLOCKED;
        }
        if (current.granted()) {
            reserved += current.bytes();
            wait = null;
            return Operator.NOT_BLOCKED;
        }
        return current.done();
    }

    public long reservedBytes() {
        return reserved;
    }

    /** Takes back what was asked for, since something else is wanted now. */
    private void settle() {
        MemoryWait current = wait;
        if (current != null) {
            wait = null;
            reserved += current.withdraw() ? current.bytes() : 0;
        }
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
        settle();
        shrink(0);
    }
}
