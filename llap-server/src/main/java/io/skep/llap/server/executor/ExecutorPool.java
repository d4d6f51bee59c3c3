package io.skep.llap.server.executor;

import io.skep.common.concurrent.Uninterruptibly;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon's executors: as many threads as cores, each running one step for a quantum and then the next. A step that waits
 * holds no thread. Thread-safe.
 */
public final class ExecutorPool implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ExecutorPool.class.getName());

    private final StepQueue queue = new StepQueue();
    private final long quantumNanos;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();

    public ExecutorPool(String name, int executors, long quantumNanos) {
        this.quantumNanos = quantumNanos;
        for (int i = 0; i < executors; i++) {
            threads.add(
                    Thread.ofPlatform().daemon().name(name + "-executor-" + i).start(this::work));
        }
    }

    /** Runs a step from now on until it has nothing more to do; forgotten when the pool is closed. */
    public void submit(QueryShare query, Step step) {
        queue.add(new StepQueue.Waiting(query, step));
    }

    private void work() {
        for (StepQueue.Waiting next = queue.take(); next != null; next = queue.take()) {
            run(next);
            // What a user's function leaves behind must not meet the next query.
            Thread.interrupted();
        }
    }

    private void run(StepQueue.Waiting waiting) {
        int level = StepQueue.level(waiting.query().consumedNanos());
        running.incrementAndGet();
        long start = System.nanoTime();
        CompletableFuture<?> wait = null;
        try {
            wait = waiting.step().run(quantumNanos);
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.ERROR, "a step ended with an exception that it should have handled", bug);
        } finally {
            running.decrementAndGet();
        }
        long used = System.nanoTime() - start;
        waiting.query().add(used);
        boolean again = wait != null && wait.isDone();
        queue.ran(waiting, level, used, again);
        if (wait != null && !again) {
            var _ = wait.whenComplete((value, error) -> queue.add(waiting));
        }
    }

    public int executors() {
        return threads.size();
    }

    /** Steps that could run and wait for an executor. */
    public int queued() {
        return queue.size();
    }

    /** Executors at work. */
    public int running() {
        return running.get();
    }

    /** Lets the steps that run end their quantum, and forgets the others. */
    @Override
    public void close() {
        queue.close();
        threads.forEach(Uninterruptibly::join);
    }
}
