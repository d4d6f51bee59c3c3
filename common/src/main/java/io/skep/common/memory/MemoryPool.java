package io.skep.common.memory;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree of memory accounts: daemon, query, task, operator. A reservation counts in the node and in all its
 * ancestors. It is refused when it would exceed the limit of any of them. A node may keep a part of its bytes for
 * holders that cannot spill. So these find room even when those that can spill use all they may. When a daemon has no
 * bytes left for them, they wait for the other queries. When queries lack their share of a daemon, queries above their
 * share are asked to release what they can ({@link RevocableGrant}). A closed node reserves nothing and ignores
 * releases, because closing has released everything. So a thread that outlives its query cannot change another account.
 * Thread-safe; without locks while no request waits.
 */
public final class MemoryPool implements AutoCloseable {
    /** How far a reservation may reach into the kept bytes: not at all, to a half, or to the end. */
    enum Claim {
        SPILLABLE,
        WAITING,
        LAST
    }

    /** The value of {@link #reserved} once the pool is closed. */
    private static final long CLOSED = Long.MIN_VALUE;

    private final String name;
    private final long limitBytes;
    private final long keptBytes;
    private final @Nullable MemoryPool parent;
    private final @Nullable MemoryPool query;
    private final @Nullable MemoryQueue queue;
    private final long number;
    private final AtomicLong reserved = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();
    private volatile @Nullable Runnable onRevocationRequested;

    private MemoryPool(
            String name,
            long limitBytes,
            long keptBytes,
            @Nullable MemoryPool parent,
            boolean isQuery,
            @Nullable MemoryQueue queue) {
        this.name = name;
        this.limitBytes = limitBytes;
        this.keptBytes = keptBytes;
        this.parent = parent;
        this.query = isQuery ? this : parent == null ? null : parent.query;
        this.queue = queue;
        this.number = isQuery && queue != null ? queue.nextNumber() : 0;
    }

    public static MemoryPool root(String name, long limitBytes) {
        return root(name, limitBytes, 0);
    }

    /** @param keptBytes how many of the bytes are kept for {@link #reserve} */
    public static MemoryPool root(String name, long limitBytes, long keptBytes) {
        return new MemoryPool(name, limitBytes, keptBytes, null, false, null);
    }

    /**
     * Creates a root whose queries wait for one another.
     *
     * @param keptBytes how many of the bytes are kept for {@link #reserve} and {@link #reserveOrWait}
     * @param longestWait how long a reservation waits before it fails
     */
    public static MemoryPool daemon(String name, long limitBytes, long keptBytes, Duration longestWait) {
        MemoryShares shares = new MemoryShares(limitBytes - keptBytes);
        return new MemoryPool(name, limitBytes, keptBytes, null, false, new MemoryQueue(longestWait, shares));
    }

    /** Creates the account of a query in a daemon's account. */
    public MemoryPool query(String queryName, long queryLimitBytes, long queryKeptBytes) {
        MemoryPool pool = new MemoryPool(name + "/" + queryName, queryLimitBytes, queryKeptBytes, this, true, queue);
        if (queue != null) {
            queue.shares().opened(pool);
        }
        return pool;
    }

    public MemoryPool child(String childName, long childLimitBytes) {
        return child(childName, childLimitBytes, 0);
    }

    /** @param keptBytes how many of the child's bytes are kept for {@link #reserve} */
    public MemoryPool child(String childName, long childLimitBytes, long keptBytes) {
        return new MemoryPool(name + "/" + childName, childLimitBytes, keptBytes, this, false, queue);
    }

    /** Creates a child that only its ancestors limit. */
    public MemoryPool child(String childName) {
        return child(childName, Long.MAX_VALUE);
    }

    /**
     * Reserves the bytes in this pool and all its ancestors, or in none of them. A caller that gets false should spill.
     */
    public boolean tryReserve(long bytes) {
        if (queue == null || query == null) {
            return tryReserve(bytes, Claim.SPILLABLE) == null;
        }
        if (queue.shares().exceeds(query, bytes)) {
            return false;
        }
        MemoryPool refusing = tryReserve(bytes, Claim.SPILLABLE);
        if (refusing != null && refusing.parent == null) {
            queue.shares().refused(this, query, bytes);
        }
        return refusing == null;
    }

    /** Returns a grant of this pool's bytes that may be revoked. Empty if no query would ask for it back. */
    public Optional<RevocableGrant> revocable() {
        return queue == null || query == null
                ? Optional.empty()
                : Optional.of(new RevocableGrant(this, queue.shares()));
    }

    /**
     * Sets an action that runs when grants of this very pool are asked for. It must be short, because it runs on any
     * thread and with locks held.
     */
    public void onRevocationRequested(Runnable wake) {
        onRevocationRequested = wake;
    }

    void wake() {
        Runnable wake = onRevocationRequested;
        if (wake != null) {
            wake.run();
        }
    }

    /** Called when a request for bytes has been met or declined. The waiting requests are checked again. */
    void revocationAnswered() {
        if (queue != null) {
            queue.released();
        }
    }

    /** Returns the pool that refuses the bytes, or null when they are reserved. */
    @Nullable
    MemoryPool tryReserve(long bytes, Claim claim) {
        long limit = limitBytes - kept(claim);
        if (!fits(reserved.get(), bytes, limit)) {
            return this;
        }
        // Reserves from the root down. So whatever this pool holds, its ancestors hold too, and closing never releases
        // too much.
        MemoryPool refusing = parent == null ? null : parent.tryReserve(bytes, claim);
        if (refusing != null) {
            return refusing;
        }
        if (!raise(bytes, limit)) {
            if (parent != null) {
                parent.releaseWithoutNotify(bytes);
            }
            return this;
        }
        return null;
    }

    /** Returns how many bytes are free for a claim. Negative when others may go further. */
    long freeBytes(Claim claim) {
        return limitBytes - kept(claim) - reservedBytes();
    }

    /**
     * Returns the bytes that a claim must leave. Only a daemon's queries leave bytes to each other. Within a query, all
     * holders that cannot spill are alike.
     */
    private long kept(Claim claim) {
        return switch (claim) {
            case SPILLABLE -> keptBytes;
            case WAITING -> parent == null ? keptBytes / 2 : 0;
            case LAST -> 0;
        };
    }

    /**
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when the bytes are not available; for callers that can neither
     *     spill nor wait
     */
    public void reserve(long bytes) {
        if (tryReserve(bytes, Claim.LAST) != null) {
            throw exceeded(bytes, "needs");
        }
    }

    /**
     * Reserves the bytes, or queues a request when it is the daemon that has none left. For callers that cannot spill.
     *
     * @return the request to wait for before continuing; empty when the bytes are reserved
     * @throws SkepException (MEMORY_LIMIT_EXCEEDED) when waiting does not help
     */
    public Optional<MemoryWait> reserveOrWait(long bytes) {
        if (queue == null || query == null) {
            reserve(bytes);
            return Optional.empty();
        }
        MemoryPool refusing = tryReserve(bytes, Claim.WAITING);
        if (refusing == null) {
            return Optional.empty();
        }
        if (refusing.parent != null || bytes > refusing.limitBytes) {
            throw exceeded(bytes, "needs");
        }
        return Optional.of(queue.add(this, bytes));
    }

    SkepException exceeded(long bytes, String what) {
        if (reserved.get() == CLOSED) {
            return new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, name + " has ended; it reserves no more memory");
        }
        return new SkepException(
                        StandardErrorCode.MEMORY_LIMIT_EXCEEDED,
                        name + " " + what + " " + bytes + " bytes beside the " + reserved.get()
                                + " it holds, more than its limit or that of a pool above it allows")
                .withHint("raise skep.llap.max-memory, or skep.query.max-memory if it is set, or make the query's"
                        + " intermediate results smaller");
    }

    public void release(long bytes) {
        releaseWithoutNotify(bytes);
        if (queue != null) {
            queue.released();
        }
    }

    /** Releases bytes without notifying waiting requests. */
    void releaseWithoutNotify(long bytes) {
        long now = reserved.get();
        while (now != CLOSED && !reserved.compareAndSet(now, less(now, bytes))) {
            now = reserved.get();
        }
        if (now != CLOSED && parent != null) {
            parent.releaseWithoutNotify(bytes);
        }
    }

    private long less(long now, long bytes) {
        if (bytes > now) {
            throw new IllegalStateException(name + " released " + (bytes - now) + " bytes more than it had reserved");
        }
        return now - bytes;
    }

    /** Returns the account of the query that this account belongs to, in a daemon. */
    @Nullable
    MemoryPool query() {
        return query;
    }

    /** Returns the sequence number of a daemon's query. Later queries have greater numbers. */
    long number() {
        return number;
    }

    public String name() {
        return name;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long reservedBytes() {
        return Math.max(0, reserved.get());
    }

    public long peakBytes() {
        return peak.get();
    }

    /** Releases what is still reserved, so that a query that died cannot keep a daemon's memory. */
    @Override
    public void close() {
        end(null);
    }

    /**
     * Closes the pool and charges what it still holds to another pool, regardless of that pool's limits. The bytes are
     * in use by a thread that has not returned. The caller releases them from the other pool once it has returned.
     *
     * @return the bytes
     */
    public long moveTo(MemoryPool heir) {
        return end(heir);
    }

    private long end(@Nullable MemoryPool heir) {
        long left = Math.max(0, reserved.getAndSet(CLOSED));
        if (heir != null) {
            heir.charge(left);
        }
        if (left > 0 && parent != null) {
            parent.releaseWithoutNotify(left);
        }
        if (queue != null) {
            queue.closed(this);
        }
        return left;
    }

    private void charge(long bytes) {
        if (raise(bytes, Long.MAX_VALUE) && parent != null) {
            parent.charge(bytes);
        }
    }

    private boolean raise(long bytes, long limit) {
        long now = reserved.get();
        while (fits(now, bytes, limit)) {
            if (reserved.compareAndSet(now, now + bytes)) {
                peak.accumulateAndGet(now + bytes, Math::max);
                return true;
            }
            now = reserved.get();
        }
        return false;
    }

    private static boolean fits(long now, long bytes, long limit) {
        return now != CLOSED && bytes <= limit - now;
    }
}
