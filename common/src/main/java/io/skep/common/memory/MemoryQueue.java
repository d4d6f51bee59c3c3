package io.skep.common.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue of requests that wait for memory of a daemon. Requests are granted in the order in which their queries
 * arrived, and those that fit are granted before those that do not. The order is not that of requests, because an
 * operator reserves piece by piece and its query would come last each time. One query at a time may use the last bytes,
 * which the others leave alone. So of several queries that each hold a part of what they need, one can finish. That
 * query fails when even these bytes are not enough, all others wait, and no grant has been asked for. Thread-safe.
 */
final class MemoryQueue {
    private final Duration longest;
    private final MemoryShares shares;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong numbers = new AtomicLong();
    /** Sorted by the numbers of their queries. */
    @GuardedBy("lock")
    private final List<MemoryWait> waits = new ArrayList<>();

    private volatile boolean empty = true;

    @GuardedBy("lock")
    private @Nullable MemoryPool last;

    @GuardedBy("lock")
    private long heldBefore;

    /** @param longest the maximum time that a request waits */
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
        List<Runnable> outcomes;
        lock.lock();
        try {
            waits.add(place(wait), wait);
            empty = false;
            outcomes = grant();
        } finally {
            lock.unlock();
        }
        outcomes.forEach(Runnable::run);
        return wait;
    }

    /** Returns the position behind all requests of older queries and of the same query. */
    @GuardedBy("lock")
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

    /** Checks the waiting requests after bytes have been released to the daemon. */
    void released() {
        if (empty) {
            return;
        }
        List<Runnable> outcomes;
        lock.lock();
        try {
            outcomes = grant();
        } finally {
            lock.unlock();
        }
        outcomes.forEach(Runnable::run);
    }

    /**
     * Decides which requests end. Their owners learn of it without the lock, because they may reserve and release bytes
     * at once.
     */
    @GuardedBy("lock")
    private List<Runnable> grant() {
        List<Runnable> outcomes = new ArrayList<>();
        waits.removeIf(wait -> wait.done().isDone());
        MemoryPool holder = last;
        if (holder != null
                && (!shares.queries().contains(holder) || holder.reservedBytes() <= heldBefore)
                && !waiting().contains(holder)) {
            last = null;
        }
        for (Iterator<MemoryWait> all = waits.iterator(); all.hasNext(); ) {
            Optional<Runnable> outcome = tryResolve(all.next());
            if (outcome.isPresent()) {
                all.remove();
                outcomes.add(outcome.get());
            }
        }
        empty = waits.isEmpty();
        shares.waiting(waiting());
        return outcomes;
    }

    /** Grants a request if possible, and fails a request that cannot be met. */
    @GuardedBy("lock")
    private Optional<Runnable> tryResolve(MemoryWait wait) {
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
        boolean hopeless =
                refusing != null && !requestRevocation(wait, refusing) && mayTakeLast && allOthersWait(query);
        if (hopeless) {
            return Optional.of(wait::fail);
        }
        return refusing == null ? Optional.of(() -> grant(wait)) : Optional.empty();
    }

    private static void grant(MemoryWait wait) {
        if (!wait.grant()) {
            wait.pool().release(wait.bytes());
        }
    }

    /** Asks other queries for the missing bytes. Returns whether any will be released. */
    private boolean requestRevocation(MemoryWait wait, MemoryPool daemon) {
        MemoryPool query = wait.pool().query();
        return query != null && shares.askFor(wait.bytes() - daemon.freeBytes(MemoryPool.Claim.WAITING), query);
    }

    /** Whether no other query could release bytes by continuing. */
    @GuardedBy("lock")
    private boolean allOthersWait(@Nullable MemoryPool query) {
        Set<MemoryPool> waiting = waiting();
        return shares.queries().stream()
                .allMatch(other -> other.equals(query) || other.reservedBytes() == 0 || waiting.contains(other));
    }

    @GuardedBy("lock")
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
