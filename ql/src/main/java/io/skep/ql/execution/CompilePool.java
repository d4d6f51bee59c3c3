package io.skep.ql.execution;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of threads that compile statements. They are platform threads, which the operating system preempts. A
 * statement that computes for minutes therefore slows others down but does not block them. Nothing that serves
 * connections or watches time limits runs here. The stacks are large, since compilers walk trees.
 *
 * <p>The number of statements that compile at once equals the number of cores (at least two). When the longest-waiting
 * statement has waited for {@link #PATIENCE} because the running ones take long, one more thread is started, up to the
 * limit. Idle threads stop. Owners (sessions) get threads in turns, so that one with many statements does not delay the
 * others. A supervisor cancels compilations that exceed the time limit.
 *
 * <p>Thread-safe; everything is guarded by {@link #lock}.
 */
public final class CompilePool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CompilePool.class);

    /** Reserved address space. A page of it is backed by memory when a stack first reaches it. */
    private static final long STACK_BYTES = 256L << 20;

    private static final Duration PATIENCE = Duration.ofMillis(20);
    private static final Duration WATCH_INTERVAL = Duration.ofMillis(200);
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(30);

    private final CompileConfig config;
    private final int firstThreads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition workArrived = lock.newCondition();
    private final Condition watchWanted = lock.newCondition();

    @GuardedBy("lock")
    private final Map<Object, ArrayDeque<Compilation<?>>> waiting = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Set<Compilation<?>> atWork = new HashSet<>();

    private final Thread supervisor;

    @GuardedBy("lock")
    private int waitingCount;

    @GuardedBy("lock")
    private int threads;

    @GuardedBy("lock")
    private int idle;

    @GuardedBy("lock")
    private int threadNumber;

    @GuardedBy("lock")
    private boolean closed;

    public CompilePool(CompileConfig config) {
        this.config = config;
        this.firstThreads =
                Math.min(config.maxThreads(), Math.max(2, Runtime.getRuntime().availableProcessors()));
        this.supervisor = Thread.ofPlatform().name("compile-watch").daemon().start(this::watch);
    }

    /** The present state of the pool. */
    public record Stats(int threads, int compiling, int waiting) {}

    public Stats stats() {
        lock.lock();
        try {
            return new Stats(threads, atWork.size(), waitingCount);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Queues work, which runs as soon as a thread is available.
     *
     * @param owner takes turns with the other owners
     * @param discard receives the result of work that has been cancelled
     * @throws SkepException QUEUE_FULL
     */
    public <T> Compilation<T> submit(Object owner, Callable<T> work, Consumer<T> discard) {
        Compilation<T> compilation = new Compilation<>(owner, work, discard);
        lock.lock();
        try {
            if (closed) {
                throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "the server is stopping");
            }
            if (waitingCount >= config.maxWaiting() && !dropCancelled()) {
                throw Compilation.refused(waitingCount);
            }
            waiting.computeIfAbsent(owner, one -> new ArrayDeque<>()).add(compilation);
            waitingCount++;
            if (waitingCount <= idle) {
                workArrived.signal();
            } else if (threads < firstThreads) {
                startThread();
            } else {
                watchWanted.signal();
            }
        } finally {
            lock.unlock();
        }
        return compilation;
    }

    @GuardedBy("lock")
    private boolean dropCancelled() {
        for (ArrayDeque<Compilation<?>> queue : waiting.values()) {
            queue.removeIf(Compilation::isDone);
        }
        waiting.values().removeIf(ArrayDeque::isEmpty);
        int before = waitingCount;
        waitingCount = waiting.values().stream().mapToInt(ArrayDeque::size).sum();
        return waitingCount < before;
    }

    @GuardedBy("lock")
    private void startThread() {
        threads++;
        if (threads == 1) {
            watchWanted.signal();
        }
        Thread thread = new Thread(null, this::work, "compile-" + ++threadNumber, STACK_BYTES, false);
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            // The machine allows no more threads. The existing ones continue, and a later check tries again.
            threads--;
            LOG.warn("no thread could be started to compile statements: {}", e.toString());
        }
    }

    private void work() {
        @Nullable Compilation<?> compilation = null;
        while ((compilation = next(compilation)) != null) {
            compilation.run();
        }
    }

    /** Waits for work. Returns null when the thread must stop. */
    private @Nullable Compilation<?> next(@Nullable Compilation<?> last) {
        lock.lock();
        try {
            if (last != null) {
                atWork.remove(last);
            }
            Compilation<?> taken = take();
            long left = IDLE_LIMIT.toNanos();
            idle++;
            while (taken == null && left > 0 && !closed) {
                try {
                    left = workArrived.awaitNanos(left);
                } catch (InterruptedException e) {
                    // The interrupt was meant for a compilation that has ended.
                    continue;
                }
                taken = take();
            }
            idle--;
            if (taken == null) {
                threads--;
            } else {
                atWork.add(taken);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the first compilation of the owner whose turn it is. */
    @GuardedBy("lock")
    private @Nullable Compilation<?> take() {
        while (!waiting.isEmpty()) {
            Map.Entry<Object, ArrayDeque<Compilation<?>>> turn =
                    waiting.entrySet().iterator().next();
            ArrayDeque<Compilation<?>> queue = turn.getValue();
            Compilation<?> first = queue.remove();
            waitingCount--;
            waiting.remove(turn.getKey());
            if (!queue.isEmpty()) {
                waiting.put(turn.getKey(), queue);
            }
            if (!first.isDone()) {
                return first;
            }
        }
        return null;
    }

    private void watch() {
        while (true) {
            List<Compilation<?>> late;
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                if (threads == 0 && waitingCount == 0) {
                    watchWanted.await();
                } else {
                    Duration pause = waitingCount > idle ? PATIENCE : WATCH_INTERVAL;
                    watchWanted.awaitNanos(pause.toNanos());
                }
                late = adjustThreads(System.nanoTime());
            } catch (InterruptedException e) {
                return;
            } finally {
                lock.unlock();
            }
            late.forEach(one -> one.cancel(tooLong()));
        }
    }

    /** Starts a thread when one is wanted. Returns the compilations that exceed the time limit. */
    @GuardedBy("lock")
    private List<Compilation<?>> adjustThreads(long now) {
        long longest = 0;
        for (ArrayDeque<Compilation<?>> queue : waiting.values()) {
            longest = Math.max(longest, queue.getFirst().waitedNanos(now));
        }
        if (waitingCount > idle && longest >= PATIENCE.toNanos() && threads < config.maxThreads()) {
            startThread();
            if (threads == config.maxThreads()) {
                LOG.warn("all {} threads that may compile statements are at work", threads);
            }
        }
        List<Compilation<?>> late = new ArrayList<>();
        config.timeLimit()
                .ifPresent(limit -> atWork.stream()
                        .filter(one -> !one.isDone() && one.workedNanos(now) > limit.toNanos())
                        .forEach(late::add));
        return late;
    }

    private SkepException tooLong() {
        String limit = config.timeLimit().map(Duration::toSeconds).orElse(0L) + " s";
        return new SkepException(
                        StandardErrorCode.TIME_LIMIT_EXCEEDED, "the statement took longer to compile than " + limit)
                .withHint("split it, for example with a temporary table, or raise " + CompileConfig.TIME_LIMIT.name());
    }

    /**
     * Cancels all waiting and running compilations. Waits for the supervisor for a bounded time, but not for threads
     * that do not react.
     */
    @Override
    public void close() {
        List<Compilation<?>> all = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            all.addAll(atWork);
            waiting.values().forEach(all::addAll);
            waiting.clear();
            waitingCount = 0;
            workArrived.signalAll();
            watchWanted.signalAll();
        } finally {
            lock.unlock();
        }
        SkepException reason = new SkepException(StandardErrorCode.OPERATION_CANCELED, "the server is stopping");
        all.forEach(one -> one.cancel(reason));
        try {
            supervisor.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
