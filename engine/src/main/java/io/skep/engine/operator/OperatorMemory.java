package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.MemoryWait;
import io.skep.common.memory.RevocableGrant;
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
    private final @Nullable RevocableGrant grant;
    private long reserved;
    private @Nullable MemoryWait wait;

    public OperatorMemory(MemoryPool pool, long maxBytes) {
        this(pool, maxBytes, null);
    }

    private OperatorMemory(MemoryPool pool, long maxBytes, @Nullable RevocableGrant grant) {
        this.pool = pool;
        this.maxBytes = Math.max(LEAST, maxBytes);
        this.grant = grant;
    }

    /** The account of an operator that gives back what it holds when it is {@link #asked}. */
    static OperatorMemory revocable(MemoryPool pool, long maxBytes) {
        return new OperatorMemory(pool, maxBytes, pool.revocable().orElse(null));
    }

    /** Whether others want what the operator holds. */
    public boolean asked() {
        return grant != null && grant.asked();
    }

    /** Says that nothing can be given back for now, if somebody has asked. */
    public void decline() {
        if (grant != null) {
            grant.decline();
        }
    }

    /** Sets what the operator holds; false when it may not hold that much and should spill: then nothing has changed. */
    public boolean trySet(long bytes) {
        settle();
        long wanted = rounded(bytes);
        if (bytes > maxBytes || wanted > reserved && !pool.tryReserve(wanted - reserved)) {
            return false;
        }
        if (wanted > reserved) {
            hold(wanted);
        }
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
            hold(wanted);
        }
    }

    /**
     * Sets what an operator is about to hold that neither spills nor can wait.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when the bytes are not to be had
     */
    public void require(long bytes) {
        settle();
        long wanted = rounded(bytes);
        if (wanted > reserved) {
            pool.reserve(wanted - reserved);
            hold(wanted);
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
            hold(reserved + current.bytes());
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
            hold(reserved + (current.withdraw() ? current.bytes() : 0));
        }
    }

    private void shrink(long wanted) {
        if (wanted < reserved) {
            pool.release(reserved - wanted);
            hold(wanted);
        }
    }

    private void hold(long bytes) {
        reserved = bytes;
        if (grant != null) {
            grant.hold(bytes);
        }
    }

    private static long rounded(long bytes) {
        return bytes <= FREE ? 0 : (bytes - FREE + STEP - 1) / STEP * STEP;
    }

    @Override
    public void close() {
        settle();
        shrink(0);
        if (grant != null) {
            grant.close();
        }
    }
}
