package io.skep.llap.server.executor;

import io.skep.llap.server.executor.StepQueue.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The daemon's executors. There are as many threads as cores, and each runs one step for a quantum and then the next
 * one. A step that waits holds no thread.
 *
 * <p>A step may call code that does not return. When it is overdue and other queries wait, its thread is detached: it
 * leaves the pool with that step, and a new thread replaces it. A step whose result is no longer needed is interrupted
 * repeatedly. If that does not help, its thread is written off, and its task ends without it. The number of detached
 * threads is bounded. Beyond the bound, executors stay in the steps that they are in ({@link #exhausted}). Thread-safe.
 */
public final class ExecutorPool implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ExecutorPool.class.getName());
    private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();
    private static final int SHOWN_FRAMES = 12;

    private final String name;
    private final ExecutorConfig config;
    private final StepQueue queue;
    private final List<Executor> executors = new CopyOnWriteArrayList<>();
    private final Set<Executor> detached = ConcurrentHashMap.newKeySet();
    private final AtomicInteger running = new AtomicInteger();
    private final Thread watch;
    private volatile int overdue;
    private volatile boolean watching = true;
    private int started;

    public ExecutorPool(String name, ExecutorConfig config) {
        this.name = name;
        this.config = config;
        this.queue = new StepQueue(config.executors());
        refill();
        this.watch = Thread.ofPlatform().daemon().name(name + "-executor-watch").start(this::watch);
    }

    /** Starts the missing executors. If the machine cannot provide a thread, a later check starts it. */
    private void refill() {
        while (executors.size() < config.executors()) {
            Executor executor = new Executor(name + "-executor-" + started++, this::work);
            executor.start();
            executors.add(executor);
        }
    }

    /** Runs a step from now on until it has nothing more to do. The step is dropped when the pool is closed. */
    public void submit(QueryShare query, Step step) {
        queue.add(new Waiting(query, step));
    }

    private void work(Executor self) {
        boolean more = true;
        while (more) {
            more = runNext(self);
        }
    }

    /**
     * Runs the next step. Returns false when the thread must stop. It is a separate method so that a waiting thread
     * holds no reference to its last step.
     */
    private boolean runNext(Executor self) {
        Waiting next = queue.take();
        if (next == null) {
            return false;
        }
        run(self, next);
        if (self.detached()) {
            detached.remove(self);
            if (!self.writtenOff()) {
                queue.threadReturned(next.query());
            }
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0} has come back from {1}",
                    self.thread().getName(),
                    next.step().purpose());
            return false;
        }
        // An interrupt that a user's function leaves behind must not affect the next query.
        Thread.interrupted();
        return true;
    }

    private void run(Executor self, Waiting waiting) {
        int level = StepQueue.level(waiting.query().consumedNanos());
        running.incrementAndGet();
        long start = System.nanoTime();
        CompletableFuture<?> wait = null;
        try {
            wait = self.run(waiting, config.quantumNanos());
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

    private void watch() {
        while (watching) {
            try {
                checkExecutors();
            } catch (Throwable failure) {
                // Without this thread, a function that does not return would stop the daemon.
                LOG.log(System.Logger.Level.ERROR, "cannot look after the executors", failure);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void checkExecutors() {
        refill();
        long now = System.nanoTime();
        int late = 0;
        for (Executor executor : executors) {
            Optional<Executor.StepRun> stay = executor.stay();
            if (stay.isPresent() && checkExecutor(executor, stay.get(), now)) {
                late++;
            }
        }
        for (Executor executor : detached) {
            executor.stay().ifPresent(stay -> giveUpIfUnwanted(executor, stay, now));
        }
        if (late > 0 && overdue == 0) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "{0} threads are in steps that do not return;"
                            + " {1} executors more are overdue and get no replacement",
                    detached.size(),
                    late);
        }
        overdue = late;
    }

    /** Checks an executor. Returns true when it should be replaced but cannot be. */
    private boolean checkExecutor(Executor executor, Executor.StepRun stay, long now) {
        giveUpIfUnwanted(executor, stay, now);
        QueryShare query = stay.waiting().query();
        boolean others = executor.writtenOff() ? queue.size() > 0 : queue.hasOther(query);
        if (now - stay.startNanos() < config.overdue().toNanos() || !others) {
            return false;
        }
        if (detached.size() >= config.maxDetached()) {
            return true;
        }
        replace(executor, stay);
        return false;
    }

    private void giveUpIfUnwanted(Executor executor, Executor.StepRun stay, long now) {
        if (executor.interruptUnwanted(stay, now, config)) {
            Step step = stay.waiting().step();
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is written off: {1} has ended, and this does not return:{2}",
                    executor.thread().getName(),
                    step.purpose(),
                    trace(executor.thread()));
            if (executor.detached()) {
                queue.threadReturned(stay.waiting().query());
            }
            // A separate thread, because freeing the task's resources may take long.
            Thread.ofVirtual().start(() -> step.writeOff(executor.thread()));
        }
    }

    /**
     * Replaces an executor by a new thread. A thread that is written off does not count among the detached threads of
     * its query, whose other tasks may continue.
     */
    private void replace(Executor executor, Executor.StepRun stay) {
        QueryShare query = stay.waiting().query();
        boolean counted = !executor.writtenOff();
        detached.add(executor);
        if (counted) {
            queue.detached(query);
        }
        if (!executor.detach(stay)) {
            detached.remove(executor);
            if (counted) {
                queue.threadReturned(query);
            }
            return;
        }
        executors.remove(executor);
        LOG.log(
                System.Logger.Level.INFO,
                "{0} is replaced: it has been in {1} for {2} ms",
                executor.thread().getName(),
                stay.waiting().step().purpose(),
                (System.nanoTime() - stay.startNanos()) / 1_000_000);
        refill();
    }

    private static String trace(Thread thread) {
        StringBuilder text = new StringBuilder();
        Arrays.stream(thread.getStackTrace())
                .limit(SHOWN_FRAMES)
                .forEach(frame -> text.append("\n    at ").append(frame));
        return text.toString();
    }

    public int executors() {
        return config.executors();
    }

    public ExecutorStats stats() {
        int writtenOff = 0;
        int outside = 0;
        for (Executor executor : detached) {
            outside++;
            writtenOff += executor.writtenOff() ? 1 : 0;
        }
        return new ExecutorStats(running(), queue.size(), outside, writtenOff, overdue);
    }

    /** The number of steps that are ready and wait for an executor. */
    public int queued() {
        return queue.size();
    }

    /** The number of executors that run a step. */
    public int running() {
        return Math.clamp(running.get() - detached.size(), 0, config.executors());
    }

    /**
     * Whether no executor is left for other queries. That is the case when all are in steps that do not return and no
     * more may be replaced.
     */
    public boolean exhausted() {
        return overdue >= config.executors();
    }

    /** Lets running steps finish their quantum, and drops the others. Threads that do not return are left behind. */
    @Override
    public void close() {
        List<Thread> threads = new ArrayList<>();
        executors.forEach(executor -> threads.add(executor.thread()));
        detached.forEach(executor -> threads.add(executor.thread()));
        threads.forEach(ExecutorPool::logExitCall);
        queue.close();
        Deadline deadline = Deadline.in(config.closeWithin());
        threads.stream()
                .filter(thread -> !deadline.join(thread))
                .forEach(thread -> LOG.log(
                        System.Logger.Level.WARNING, "{0} is left behind:{1}", thread.getName(), trace(thread)));
        watching = false;
        LockSupport.unpark(watch);
        var _ = deadline.join(watch);
    }

    /** Logs that a function has asked to end the process. Otherwise its end could not be attributed to a query. */
    private static void logExitCall(Thread thread) {
        boolean exits = Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("java.lang.Runtime")
                        && frame.getMethodName().equals("exit"));
        if (exits) {
            LOG.log(System.Logger.Level.ERROR, "a function tried to end the process:{0}", trace(thread));
        }
    }
}
