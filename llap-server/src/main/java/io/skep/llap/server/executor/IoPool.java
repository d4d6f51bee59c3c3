package io.skep.llap.server.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads that read. A read completes a future, and then its thread starts the next one. A thread never waits
 * for the consumer of the rows. Reads that a caller waits for have priority over reads ahead, three to one. A budget
 * bounds the bytes that are read ahead and not yet consumed. Thread-safe.
 */
public final class IoPool implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(IoPool.class.getName());
    private static final Duration OVERDUE = Duration.ofSeconds(10);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);
    private static final Duration INTERRUPTED_WITHIN = Duration.ofSeconds(2);

    /**
     * The reciprocal of the share of memory that all threads together may allocate without reserving it. So reads of
     * usual row groups never wait.
     */
    private static final int FREE_PARTS = 16;

    /** One of this number of reads is a read ahead, if one is queued. */
    private static final int AHEAD_TURN = 4;

    private record Read<T>(Supplier<T> supplier, CompletableFuture<T> result) {
        void refuse() {
            result.completeExceptionally(new IllegalStateException("the I/O pool is closed"));
        }

        void run(ScratchMemory scratch) {
            T value;
            try (scratch) {
                value = scratch.within(supplier);
            } catch (RuntimeException | Error failure) {
                result.completeExceptionally(failure);
                return;
            }
            result.complete(value);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();

    @GuardedBy("lock")
    private final Queue<Read<?>> demanded = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Queue<Read<?>> ahead = new ArrayDeque<>();

    private final List<Thread> threads = new ArrayList<>();
    private final Map<Thread, Long> begun = new ConcurrentHashMap<>();
    private final long aheadBudgetBytes;
    private final MemoryPool memory;
    private final long freeScratch;
    private final AtomicLong aheadBytes = new AtomicLong();

    @GuardedBy("lock")
    private int turn;

    @GuardedBy("lock")
    private int pending;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private @Nullable CompletableFuture<@Nullable Void> idle;

    /** Creates a pool that does not account for the memory that reads allocate while they run. */
    public IoPool(String name, int threadCount, long aheadBudgetBytes) {
        this(name, threadCount, aheadBudgetBytes, MemoryPool.root("reads", Long.MAX_VALUE));
    }

    /** @param memory account of the large arrays that reads allocate while they run */
    public IoPool(String name, int threadCount, long aheadBudgetBytes, MemoryPool memory) {
        this.aheadBudgetBytes = aheadBudgetBytes;
        this.memory = memory;
        this.freeScratch = memory.limitBytes() / FREE_PARTS / threadCount;
        for (int i = 0; i < threadCount; i++) {
            threads.add(Thread.ofPlatform().daemon().name(name + "-io-" + i).start(this::work));
        }
    }

    /**
     * Creates an account of the memory that one reader keeps between reads. Its owner closes it.
     *
     * @param reservedBytes bytes that the owner has reserved for it elsewhere
     */
    public ScratchMemory scratch(long reservedBytes) {
        return new ScratchMemory(memory, reservedBytes);
    }

    /** The memory above which a row group is not read as a whole. */
    public long wholeBytes() {
        return memory.limitBytes() / FREE_PARTS;
    }

    /** Queues a read that starts as soon as a thread is free. */
    public <T> CompletableFuture<T> demand(Supplier<T> read) {
        return enqueue(read, false);
    }

    /** Queues a read that starts when no more urgent read is queued. */
    public <T> CompletableFuture<T> ahead(Supplier<T> read) {
        return enqueue(read, true);
    }

    /** Runs work that waits for a disk when no more urgent read is queued. The work must handle its own failures. */
    public void background(Runnable work) {
        var _ = ahead(() -> {
            work.run();
            return true;
        });
    }

    private <T> CompletableFuture<T> enqueue(Supplier<T> supplier, boolean isAhead) {
        Read<T> read = new Read<>(supplier, new CompletableFuture<>());
        lock.lock();
        try {
            if (!closed) {
                pending++;
                (isAhead ? ahead : demanded).add(read);
                notEmpty.signal();
                return read.result();
            }
        } finally {
            lock.unlock();
        }
        read.refuse();
        return read.result();
    }

    private void work() {
        while (workOnce()) {
            done();
        }
    }

    /**
     * Runs one read. Returns false when the thread must stop. It is a separate method so that a waiting thread holds no
     * reference to its last read.
     */
    private boolean workOnce() {
        Read<?> next = take();
        if (next == null) {
            return false;
        }
        begun.put(Thread.currentThread(), System.nanoTime());
        next.run(new ScratchMemory(memory, freeScratch));
        begun.remove(Thread.currentThread());
        return true;
    }

    private @Nullable Read<?> take() {
        lock.lock();
        try {
            while (!closed && demanded.isEmpty() && ahead.isEmpty()) {
                notEmpty.awaitUninterruptibly();
            }
            if (closed) {
                return null;
            }
            boolean aheadFirst = ++turn % AHEAD_TURN == 0;
            Queue<Read<?>> first = aheadFirst ? ahead : demanded;
            return first.isEmpty() ? (aheadFirst ? demanded : ahead).remove() : first.remove();
        } finally {
            lock.unlock();
        }
    }

    private void done() {
        CompletableFuture<@Nullable Void> waiting = null;
        lock.lock();
        try {
            pending--;
            if (pending == 0) {
                waiting = idle;
                idle = null;
            }
        } finally {
            lock.unlock();
        }
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    /** Completes the next time that no read waits or runs. */
    public CompletableFuture<@Nullable Void> whenIdle() {
        lock.lock();
        try {
            if (pending == 0) {
                return CompletableFuture.completedFuture(null);
            }
            CompletableFuture<@Nullable Void> waiting = idle;
            if (waiting == null) {
                waiting = new CompletableFuture<>();
                idle = waiting;
            }
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Reserves bytes of the read-ahead budget. They are released when the data has been consumed. */
    public boolean tryReserveAhead(long bytes) {
        if (aheadBytes.addAndGet(bytes) > aheadBudgetBytes) {
            aheadBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    public void releaseAhead(long bytes) {
        aheadBytes.addAndGet(-bytes);
    }

    /** The bytes read ahead, or being read ahead, and not yet consumed. */
    public long aheadBytes() {
        return aheadBytes.get();
    }

    /** The number of reads that wait or run. */
    public int pending() {
        lock.lock();
        try {
            return pending;
        } finally {
            lock.unlock();
        }
    }

    /** The number of reads that have run long enough that their disk or server seems to hang. */
    public int overdue() {
        long now = System.nanoTime();
        return (int) begun.values().stream()
                .filter(since -> now - since > OVERDUE.toNanos())
                .count();
    }

    /**
     * Stops the threads after the running reads. Waiting reads fail. A read that does not end because its disk or
     * server hangs is interrupted and then left behind.
     */
    @Override
    public void close() {
        List<Read<?>> left = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            left.addAll(demanded);
            left.addAll(ahead);
            demanded.clear();
            ahead.clear();
            pending -= left.size();
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(Read::refuse);
        List<Thread> running = unfinishedAfterJoin(threads, CLOSE_WITHIN);
        running.forEach(Thread::interrupt);
        unfinishedAfterJoin(running, INTERRUPTED_WITHIN)
                .forEach(thread -> LOG.log(
                        System.Logger.Level.WARNING,
                        "{0} is in a read that does not end, and is left behind",
                        thread.getName()));
    }

    /** Waits for threads, and returns those that have not ended. */
    private static List<Thread> unfinishedAfterJoin(List<Thread> threads, Duration time) {
        Deadline deadline = Deadline.in(time);
        return threads.stream().filter(thread -> !deadline.join(thread)).toList();
    }
}
