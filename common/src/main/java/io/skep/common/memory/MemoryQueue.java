package io.skep.common.memory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for memory of a daemon. Requests are granted in the order in which they came, those that fit before those that do
 * not. One query at a time may take the last bytes, which the others leave alone, so that of queries that each hold a part of
 * what they need one comes to its end; it fails when even these are not enough and all others wait. Thread-safe.
 */
final class MemoryQueue {
    private final Duration longest;
    private final Set<MemoryPool> queries = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<MemoryWait> waits = new ArrayDeque<>();
    private volatile boolean empty = true;
    private @Nullable MemoryPool last;
    private long heldBefore;

    /** @param longest that anybody waits */
    MemoryQueue(Duration longest) {
        this.longest = longest;
    }

    void opened(MemoryPool query) {
        queries.add(query);
    }

    void closed(MemoryPool pool) {
        queries.remove(pool);
        released();
    }

    MemoryWait add(MemoryPool pool, long bytes) {
        MemoryWait wait = new MemoryWait(pool, bytes, longest);
        lock.lock();
        try {
            waits.add(wait);
            empty = false;
            grant();
        } finally {
            lock.unlock();
        }
        return wait;
    }

    /** Some bytes have come back to the daemon. */
    void released() {
        if (empty) {
            return;
        }
        lock.lock();
        try {
            grant();
        } finally {
            lock.unlock();
        }
    }

    private void grant() {
        waits.removeIf(wait -> wait.done().isDone());
        MemoryPool holder = last;
        if (holder != null
                && (!queries.contains(holder) || holder.reservedBytes() <= heldBefore)
                && !waiting().contains(holder)) {
            last = null;
        }
        for (Iterator<MemoryWait> all = waits.iterator(); all.hasNext(); ) {
            if (settled(all.next())) {
                all.remove();
            }
        }
        empty = waits.isEmpty();
    }

    /** Grants a request that can be granted, fails one for which there is no hope. */
    private boolean settled(MemoryWait wait) {
        MemoryPool query = wait.pool().query();
        MemoryPool refusing = wait.pool().tryReserve(wait.bytes(), MemoryPool.Claim.WAITING);
        if (refusing != null && (last == null || last.equals(query))) {
            if (last == null && query != null) {
                last = query;
                heldBefore = query.reservedBytes();
            }
            refusing = wait.pool().tryReserve(wait.bytes(), MemoryPool.Claim.LAST);
            if (refusing != null && othersWait(query)) {
                wait.fail();
                return true;
            }
        }
        if (refusing == null && !wait.grant()) {
            wait.pool().giveBack(wait.bytes());
        }
        return refusing == null;
    }

    /** Whether no other query could give anything back by going on. */
    private boolean othersWait(@Nullable MemoryPool query) {
        Set<MemoryPool> waiting = waiting();
        return queries.stream()
                .allMatch(other -> other.equals(query) || other.reservedBytes() == 0 || waiting.contains(other));
    }

    private Set<MemoryPool> waiting() {
        Set<MemoryPool> waiting = new HashSet<>();
        for (MemoryWait wait : waits) {
            MemoryPool query = wait.pool().query();
            if (query != null && !wait.done().isDone()) {
                waiting.add(query);
            }
        }
        return waiting;
    }
}
