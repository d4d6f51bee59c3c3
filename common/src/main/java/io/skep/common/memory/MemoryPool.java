package io.skep.common.memory;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree of memory accounts: daemon, query, task, operator. A reservation counts in the node and in all above
 * it, and is refused when it would pass the limit of any. A node may keep a part of its bytes for those that cannot spill, so
 * that they find room beside those that can and take all they are given. Thread-safe without locks.
 */
public final class MemoryPool implements AutoCloseable {
    private final String name;
    private final long limitBytes;
    private final long keptBytes;
    private final @Nullable MemoryPool parent;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    private MemoryPool(String name, long limitBytes, long keptBytes, @Nullable MemoryPool parent) {
        this.name = name;
        this.limitBytes = limitBytes;
        this.keptBytes = keptBytes;
        this.parent = parent;
    }

    public static MemoryPool root(String name, long limitBytes) {
        return root(name, limitBytes, 0);
    }

    /** @param keptBytes how many of the bytes are kept for {@link #reserve} */
    public static MemoryPool root(String name, long limitBytes, long keptBytes) {
        return new MemoryPool(name, limitBytes, keptBytes, null);
    }

    public MemoryPool child(String childName, long childLimitBytes) {
        return child(childName, childLimitBytes, 0);
    }

    /** @param keptBytes how many of the bytes are kept for {@link #reserve} */
    public MemoryPool child(String childName, long childLimitBytes, long keptBytes) {
        return new MemoryPool(name + "/" + childName, childLimitBytes, keptBytes, this);
    }

    /** A child that only its ancestors limit. */
    public MemoryPool child(String childName) {
        return child(childName, Long.MAX_VALUE);
    }

    /** Takes the bytes from this pool and all above it, or from none of them. A false is the moment to spill. */
    public boolean tryReserve(long bytes) {
        return tryReserve(bytes, false);
    }

    private boolean tryReserve(long bytes, boolean mayTakeKept) {
        if (!take(bytes, mayTakeKept ? limitBytes : limitBytes - keptBytes)) {
            return false;
        }
        if (parent != null && !parent.tryReserve(bytes, mayTakeKept)) {
            reserved.addAndGet(-bytes);
            return false;
        }
        peak.accumulateAndGet(reserved.get(), Math::max);
        return true;
    }

    /** @throws SkepException (MEMORY_LIMIT_EXCEEDED) when the bytes are not to be had; for what cannot spill */
    public void reserve(long bytes) {
        if (!tryReserve(bytes, true)) {
            throw new SkepException(
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                            name + " needs " + bytes + " bytes beside the " + reserved.get()
                                    + " it holds, more than its limit " + "or that of a pool above it allows")
                    .withHint("raise skep.llap.max-memory, or skep.query.max-memory if it is set, or make the query's"
                            + " intermediate results smaller");
        }
    }

    public void release(long bytes) {
        long left = reserved.addAndGet(-bytes);
        if (left < 0) {
            throw new IllegalStateException(name + " released " + -left + " bytes more than it had reserved");
        }
        if (parent != null) {
            parent.release(bytes);
        }
    }

    public String name() {
        return name;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long reservedBytes() {
        return reserved.get();
    }

    public long peakBytes() {
        return peak.get();
    }

    /** Gives back what is still reserved, so that a query that died cannot keep a daemon's memory. */
    @Override
    public void close() {
        long left = reserved.getAndSet(0);
        if (left > 0 && parent != null) {
            parent.release(left);
        }
    }

    private boolean take(long bytes, long limit) {
        while (true) {
            long now = reserved.get();
            if (bytes > limit - now) {
                return false;
            }
            if (reserved.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }
}
