package io.skep.common.memory;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree of memory accounts: daemon, query, task, operator. A reservation counts in the node and in all above
 * it, and is refused when it would pass the limit of any. Thread-safe without locks.
 */
public final class MemoryPool implements AutoCloseable {
    private final String name;
    private final long limitBytes;
    private final @Nullable MemoryPool parent;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    private MemoryPool(String name, long limitBytes, @Nullable MemoryPool parent) {
        this.name = name;
        this.limitBytes = limitBytes;
        this.parent = parent;
    }

    public static MemoryPool root(String name, long limitBytes) {
        return new MemoryPool(name, limitBytes, null);
    }

    public MemoryPool child(String childName, long childLimitBytes) {
        return new MemoryPool(name + "/" + childName, childLimitBytes, this);
    }

    /** A child that only its ancestors limit. */
    public MemoryPool child(String childName) {
        return child(childName, Long.MAX_VALUE);
    }

    /** Takes the bytes from this pool and all above it, or from none of them. A false is the moment to spill. */
    public boolean tryReserve(long bytes) {
        if (!take(bytes)) {
            return false;
        }
        if (parent != null && !parent.tryReserve(bytes)) {
            reserved.addAndGet(-bytes);
            return false;
        }
        peak.accumulateAndGet(reserved.get(), Math::max);
        return true;
    }

    /** @throws SkepException (MEMORY_LIMIT_EXCEEDED) when the bytes are not to be had; for what cannot spill */
    public void reserve(long bytes) {
        if (!tryReserve(bytes)) {
            throw new SkepException(
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                            name + " needs " + bytes + " bytes beside the " + reserved.get()
                                    + " it holds, more than its limit " + "or that of a pool above it allows")
                    .withHint("raise skep.query.max-memory or make the query's intermediate results smaller");
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

    private boolean take(long bytes) {
        while (true) {
            long now = reserved.get();
            if (bytes > limitBytes - now) {
                return false;
            }
            if (reserved.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }
}
