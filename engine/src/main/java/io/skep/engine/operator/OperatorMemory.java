package io.skep.engine.operator;

import io.skep.common.error.SkepException;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.MemoryWait;
import io.skep.common.memory.RevocableGrant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The memory account of one operator in its task's pool. The first bytes are free. The others are reserved in steps.
 * Owned by the operator's thread.
 */
public final class OperatorMemory implements AutoCloseable {
    private static final long FREE = 256 * 1024;
    private static final long LEAST = 64 * 1024;
    private static final long STEP = 64 * 1024;

    private final MemoryPool pool;
    private final long maxBytes;
    private final @Nullable RevocableGrant grant;
    private final OperatorStatsCollector collector;
    private long reserved;
    private long peak;
    private @Nullable MemoryWait wait;

    public OperatorMemory(MemoryPool pool, long maxBytes, OperatorStatsCollector collector) {
        this(pool, maxBytes, collector, null);
    }

    private OperatorMemory(
            MemoryPool pool, long maxBytes, OperatorStatsCollector collector, @Nullable RevocableGrant grant) {
        this.pool = pool;
        this.maxBytes = Math.max(LEAST, maxBytes);
        this.collector = collector;
        this.grant = grant;
    }

    /** Creates the account of an operator that releases its memory when it is {@link #isRevocationRequested}. */
    static OperatorMemory revocable(MemoryPool pool, long maxBytes, OperatorStatsCollector collector) {
        return new OperatorMemory(pool, maxBytes, collector, pool.revocable().orElse(null));
    }

    /** Whether the operator's memory is revoked. */
    public boolean isRevocationRequested() {
        return grant != null && grant.isRevocationRequested();
    }

    /** Declines a pending revocation request, if there is one, because nothing can be released at present. */
    public void declineRevocation() {
        if (grant != null) {
            grant.decline();
        }
    }

    /**
     * Sets the bytes that the operator holds. Returns false, and changes nothing, if the operator may not hold that
     * much and should spill.
     */
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
     * Sets the bytes of an operator that cannot spill. Only the pool limits them. If other queries hold the memory, the
     * operator is in debt for the data of its last batch until {@link #granted} is done.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) if the bytes cannot be reserved
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
     * Sets the bytes that an operator is about to hold. The operator can neither spill nor wait.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) if the bytes cannot be reserved
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
     * Returns the future for which an operator that uses {@link #set} must wait before it continues.
     *
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) if the wait has ended without a grant
     */
    public CompletableFuture<?> granted() {
        MemoryWait current = wait;
        if (current == null) {
            return Operator.NOT_BLOCKED;
        }
        if (current.isGranted()) {
            hold(reserved + current.bytes());
            wait = null;
            return Operator.NOT_BLOCKED;
        }
        return current.done();
    }

    public long reservedBytes() {
        return reserved;
    }

    /** Withdraws the pending request, because a different amount is needed. */
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
        if (bytes > peak) {
            collector.addMemory(bytes - peak);
            peak = bytes;
        }
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
