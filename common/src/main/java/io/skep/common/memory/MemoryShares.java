package io.skep.common.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What each of a daemon's queries may hold when there is not enough for all: equal parts of what can be spilled, among those
 * that hold or want some. As long as nobody has been refused below its share, anybody may take anything. From then on until
 * the refused task ends, nobody grows beyond a share, and the largest grants of queries above theirs are asked back.
 * Thread-safe, without locks.
 */
final class MemoryShares {
    /** What an operator should be able to collect before it spills; the least share unless it is more than a quarter of all. */
    private static final long SENSIBLE = 1 << 20;

    private final long bytes;
    private final long least;
    private final Set<MemoryPool> queries = ConcurrentHashMap.newKeySet();
    private final Set<MemoryPool> refused = ConcurrentHashMap.newKeySet();
    private final Set<RevocableGrant> grants = ConcurrentHashMap.newKeySet();
    private volatile Set<MemoryPool> waiting = Set.of();

    /** @param bytes that are shared */
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

    /** Which queries wait for memory. */
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

    /** Whether a query may not take more, since others lack what is theirs. */
    boolean exceeds(MemoryPool query, long more) {
        return contested() && query.reservedBytes() + more > share(query);
    }

    private boolean contested() {
        return !waiting.isEmpty() || !refused.isEmpty();
    }

    /** What each query that holds or wants something may hold; this one wants something. */
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

    /** A task of a query could not get some bytes, and will spill. */
    void refused(MemoryPool task, MemoryPool query, long more) {
        long share = share(query);
        if (query.reservedBytes() + more <= share) {
            refused.add(task);
            ask(Math.max(more, Math.min(SENSIBLE, share - query.reservedBytes())), share);
        }
    }

    /** A query waits, and so many bytes are missing; whether any will come because they have been asked for. */
    boolean askFor(long wanted, MemoryPool query) {
        long coming = ask(wanted, share(query));
        return (coming < wanted ? ask(wanted, 0) : coming) > 0;
    }

    /** Asks queries that hold more than that much, as far as not enough has been asked for already; gives what will come. */
    private long ask(long wanted, long share) {
        while (true) {
            long coming = 0;
            RevocableGrant largest = null;
            for (RevocableGrant grant : grants) {
                if (grant.asked()) {
                    coming += grant.bytes();
                } else if (grant.canBeAsked() && holdsMore(grant, share)) {
                    largest = largest == null || grant.bytes() > largest.bytes() ? grant : largest;
                }
            }
            if (coming >= wanted || largest == null) {
                return coming;
            }
            var _ = largest.ask();
        }
    }

    private static boolean holdsMore(RevocableGrant grant, long share) {
        MemoryPool query = grant.pool().query();
        return query != null && query.reservedBytes() > share;
    }
}
