package io.skep.common.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The share of a daemon's memory that each query may hold when there is not enough for all. The memory for holders that
 * can spill is divided equally among the queries that hold or request some. As long as no query waits for memory or has
 * been refused below its share, any query may take any amount. From then on, until the wait is over or the refused task
 * ends, no query grows beyond its share. The largest grants of queries above their share are asked for. Thread-safe,
 * without locks.
 */
final class MemoryShares {
    /**
     * The amount that an operator should be able to collect before it spills. It is the minimum share, unless it is
     * more than a quarter of all bytes.
     */
    private static final long SENSIBLE = 1 << 20;

    private final long bytes;
    private final long least;
    private final Set<MemoryPool> queries = ConcurrentHashMap.newKeySet();
    private final Set<MemoryPool> refused = ConcurrentHashMap.newKeySet();
    private final Set<RevocableGrant> grants = ConcurrentHashMap.newKeySet();
    private volatile Set<MemoryPool> waiting = Set.of();

    /** @param bytes the bytes to share */
    MemoryShares(long bytes) {
        this.bytes = bytes;
        this.least = Math.min(SENSIBLE, bytes / 4);
    }

    void opened(MemoryPool query) {
        queries.add(query);
    }

    void closed(MemoryPool pool) {
        queries.remove(pool);
        refused.removeIf(task -> task.equals(pool) || pool.equals(task.query()));
        if (pool.equals(pool.query())) {
            grants.removeIf(grant -> pool.equals(grant.pool().query()));
        }
    }

    /** Sets the queries that wait for memory. */
    void waiting(Set<MemoryPool> now) {
        waiting = now;
    }

    void add(RevocableGrant grant) {
        grants.add(grant);
    }

    void remove(RevocableGrant grant) {
        grants.remove(grant);
    }

    Set<MemoryPool> queries() {
        return queries;
    }

    /** Whether a query may not take more, because others lack their share. */
    boolean exceeds(MemoryPool query, long more) {
        return contested() && query.reservedBytes() + more > share(query);
    }

    private boolean contested() {
        return !waiting.isEmpty() || !refused.isEmpty();
    }

    /** Returns the share of each query that holds or requests memory. The given query counts as requesting. */
    private long share(MemoryPool wanting) {
        int active = 0;
        for (MemoryPool query : queries) {
            active += query.reservedBytes() > 0 || query.equals(wanting) || wants(query) ? 1 : 0;
        }
        return Math.max(least, bytes / Math.max(1, active));
    }

    private boolean wants(MemoryPool query) {
        if (waiting.contains(query)) {
            return true;
        }
        for (MemoryPool task : refused) {
            if (query.equals(task.query())) {
                return true;
            }
        }
        return false;
    }

    /** Records that a task of a query was refused some bytes and will spill. */
    void refused(MemoryPool task, MemoryPool query, long more) {
        long share = share(query);
        if (query.reservedBytes() + more <= share) {
            refused.add(task);
            ask(Math.max(more, Math.min(SENSIBLE, share - query.reservedBytes())), share);
        }
    }

    /** Asks for the missing bytes of a waiting query. Returns whether any will be released. */
    boolean askFor(long wanted, MemoryPool query) {
        long coming = ask(wanted, share(query));
        return (coming < wanted ? ask(wanted, 0) : coming) > 0;
    }

    /**
     * Asks queries that hold more than the share, until enough bytes have been asked for. Returns how many will be
     * released.
     */
    private long ask(long wanted, long share) {
        while (true) {
            long coming = 0;
            RevocableGrant largest = null;
            for (RevocableGrant grant : grants) {
                if (grant.isRevocationRequested()) {
                    coming += grant.bytes();
                } else if (grant.canBeAsked() && holdsMore(grant, share)) {
                    largest = largest == null || grant.bytes() > largest.bytes() ? grant : largest;
                }
            }
            if (coming >= wanted || largest == null) {
                return coming;
            }
            var _ = largest.requestRevocation();
        }
    }

    private static boolean holdsMore(RevocableGrant grant, long share) {
        MemoryPool query = grant.pool().query();
        return query != null && query.reservedBytes() > share;
    }
}
