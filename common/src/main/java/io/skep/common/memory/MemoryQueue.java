package io.skep.common.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for memory of a daemon. Requests are granted in the order in which the queries came, those that fit before those that
 * do not; an operator asks bit by bit, and by the order of requests a query would be behind all others each time. One query at a time may
 * take the last bytes, which the others leave alone, so that of queries that each hold a part of what they need one comes to its end; it
 * fails when even these are not enough, all others wait, and nobody has been asked to give something back. Thread-safe.
 */
final class MemoryQueue {
    private final Duration longest;
    private final MemoryShares shares;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong numbers = new AtomicLong();
    /** By the numbers of their queries. */
    private final List<MemoryWait> waits = new ArrayList<>();

    private volatile boolean empty = true;
    private @Nullable MemoryPool last;
    private long heldBefore;

    /** @param longest that anybody waits */
    MemoryQueue(Duration longest, MemoryShares shares) {
        this.longest = longest;
        this.shares = shares;
    }

    MemoryShares shares() {
        return shares;
    }

    void closed(MemoryPool pool) {
        shares.closed(pool);
        released();
    }

    MemoryWait add(MemoryPool pool, long bytes) {
        MemoryWait wait = new MemoryWait(pool, bytes, longest);
        lock.lock();
        try {
            waits.add(place(wait), wait);
            empty = false;
            grant();
        } finally {
            lock.unlock();
        }
        return wait;
    }

    /** Behind the requests of older queries, and of its own. */
    private int place(MemoryWait wait) {
        int place = waits.size();
        while (place > 0 && number(waits.get(place - 1)) > number(wait)) {
            place--;
        }
        return place;
    }

    private static long number(MemoryWait wait) {
        MemoryPool query = wait.pool().query();
        return query == null ? 0 : query.number();
    }

    long nextNumber() {
        return numbers.incrementAndGet();
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
                && (!shares.queries().contains(holder) || holder.reservedBytes() <= heldBefore)
                && !waiting().contains(holder)) {
            last = null;
        }
        for (Iterator<MemoryWait> all = waits.iterator(); all.hasNext(); ) {
            if (settled(all.next())) {
                all.remove();
            }
        }
        empty = waits.isEmpty();
        shares.waiting(waiting());
    }

    /** Grants a request that can be granted, fails one for which there is no hope. */
    private boolean settled(MemoryWait wait) {
        MemoryPool query = wait.pool().query();
        MemoryPool refusing = wait.pool().tryReserve(wait.bytes(), MemoryPool.Claim.WAITING);
        boolean mayTakeLast = last == null || last.equals(query);
        if (refusing != null && mayTakeLast) {
            if (last == null && query != null) {
                last = query;
                heldBefore = query.reservedBytes();
            }
            refusing = wait.pool().tryReserve(wait.bytes(), MemoryPool.Claim.LAST);
        }
        boolean hopeless = refusing != null && !askBack(wait, refusing) && mayTakeLast && othersWait(query);
        if (hopeless) {
            wait.fail();
            return true;
        }
        if (refusing == null && !wait.grant()) {
            wait.pool().giveBack(wait.bytes());
        }
        return refusing == null;
    }

    /** Asks others for what is missing; whether any of it will come. */
    private boolean askBack(MemoryWait wait, MemoryPool daemon) {
        MemoryPool query = wait.pool().query();
        return query != null && shares.askFor(wait.bytes() - daemon.freeBytes(MemoryPool.Claim.WAITING), query);
    }

    /** Whether no other query could give anything back by going on. */
    private boolean othersWait(@Nullable MemoryPool query) {
        Set<MemoryPool> waiting = waiting();
        return shares.queries().stream()
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
