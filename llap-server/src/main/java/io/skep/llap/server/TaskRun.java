package io.skep.llap.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.engine.filter.ColumnValues;
import io.skep.engine.operator.Failures;
import io.skep.engine.plan.codec.ColumnValuesCodec;
import io.skep.engine.task.Driver;
import io.skep.engine.task.Task;
import io.skep.engine.task.TaskStatistics;
import io.skep.llap.client.PartitionSizes;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.ValueReport;
import io.skep.llap.server.executor.ExecutorPool;
import io.skep.llap.server.executor.QueryShare;
import io.skep.llap.server.executor.Step;
import io.skep.storage.scan.ScanStats;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One task attempt from submission to its end. It is over when it has finished, failed or been cancelled. It has ended
 * when, in addition, no executor is in one of its drivers and all its resources are freed. An executor that does not
 * return from a driver is written off. The attempt then ends without it, and what that thread still holds is freed when
 * it returns. Guarded by itself. No other code is called with the lock held, except {@link Thread#interrupt}.
 */
final class TaskRun {
    /** The resources of an attempt. */
    interface Holdings {
        /**
         * Frees the resources. Called once.
         *
         * @param inUse whether threads that were written off may still use some of them
         */
        void free(boolean inUse);

        /**
         * Reports that the last of those threads has returned. Called once, after {@link #free}, if resources were in
         * use.
         */
        void threadsReturned();
    }

    private final String name;
    private final ExecutorPool executors;
    private final QueryShare share;
    private final CompletableFuture<?> ready;
    private final Supplier<Task> assembly;
    private final Supplier<PartitionSizes> sizes;
    private final Holdings holdings;
    /** Executors that run code of the attempt which may run for long. */
    @GuardedBy("this")
    private final Set<Thread> executing = new HashSet<>();

    private final CompletableFuture<TaskStats> result = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    @GuardedBy("this")
    private @Nullable Task task;

    @GuardedBy("this")
    private @Nullable SkepException failure;

    @GuardedBy("this")
    private int inside;

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private boolean cleaned;

    @GuardedBy("this")
    private boolean freed;

    @GuardedBy("this")
    private int writtenOff;

    private boolean inUse;

    /**
     * @param name for the log
     * @param ready completes, normally or with a failure, when the task can be created
     * @param assembly creates the task, on an executor
     * @param sizes returns the partition sizes of its output; called when the attempt has ended
     * @param holdings resources of the task, freed after its last step
     */
    TaskRun(
            String name,
            ExecutorPool executors,
            QueryShare share,
            CompletableFuture<?> ready,
            Supplier<Task> assembly,
            Supplier<PartitionSizes> sizes,
            Holdings holdings) {
        this.name = name;
        this.executors = executors;
        this.share = share;
        this.ready = ready;
        this.assembly = assembly;
        this.sizes = sizes;
        this.holdings = holdings;
    }

    void start() {
        executors.submit(share, new Assembly());
    }

    /** The task's statistics or its failure. Completes when the attempt has ended. */
    CompletableFuture<TaskStats> result() {
        return result;
    }

    /** Completes when nothing is left of the attempt. Never fails. */
    CompletableFuture<@Nullable Void> ended() {
        return ended;
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Registers the current executor as being in the attempt. Returns false when the attempt is over. */
    private synchronized boolean enter() {
        if (over) {
            return false;
        }
        inside++;
        executing.add(Thread.currentThread());
        return true;
    }

    /**
     * Unregisters the current executor. It also clears the thread's interrupt, which was not meant for the daemon's own
     * code that follows.
     */
    private void leave() {
        boolean last;
        synchronized (this) {
            if (executing.remove(Thread.currentThread())) {
                inside--;
            } else {
                writtenOff--;
            }
            last = allThreadsReturned();
        }
        Thread.interrupted();
        endIfDone();
        if (last) {
            holdings.threadsReturned();
        }
    }

    /** Whether the last written-off thread has returned; true only once. Called with the lock held. */
    @GuardedBy("this")
    private boolean allThreadsReturned() {
        boolean last = freed && inUse && writtenOff == 0;
        inUse &= !last;
        return last;
    }

    private synchronized boolean interruptIfOver(Thread executor) {
        if (!over || !executing.contains(executor)) {
            return false;
        }
        executor.interrupt();
        return true;
    }

    private void writeOff(Thread executor) {
        synchronized (this) {
            if (!over || !executing.remove(executor)) {
                return;
            }
            inside--;
            writtenOff++;
        }
        endIfDone();
    }

    /** Ends the attempt with a failure, unless it is over already or all its rows are in its output. */
    void fail(SkepException reason) {
        Task made;
        synchronized (this) {
            made = task;
        }
        finish(made != null && made.finished() ? null : reason);
    }

    private void finish(@Nullable SkepException reason) {
        Task toClose;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            failure = reason;
            toClose = task;
            // The thread that closes the task counts as inside it. Otherwise memory that the task is about to release
            // would be counted as leaked.
            inside++;
        }
        try {
            close(toClose);
        } finally {
            synchronized (this) {
                inside--;
            }
            endIfDone();
        }
    }

    private void close(@Nullable Task toClose) {
        if (toClose == null) {
            return;
        }
        try {
            toClose.close();
        } catch (RuntimeException e) {
            synchronized (this) {
                failure = failure == null ? Failures.asSkepException(e) : failure;
            }
        }
    }

    private void endIfDone() {
        Task last;
        SkepException reason;
        synchronized (this) {
            if (!over || inside > 0 || cleaned) {
                return;
            }
            cleaned = true;
            last = task;
            reason = failure;
            inUse = writtenOff > 0;
        }
        TaskStats stats = stats(last);
        try {
            holdings.free(inUse);
        } catch (RuntimeException e) {
            reason = reason == null ? Failures.asSkepException(e) : reason;
        }
        cameBackWhileFreed();
        if (reason == null) {
            result.complete(stats);
        } else {
            result.completeExceptionally(reason);
        }
        ended.complete(null);
    }

    private void cameBackWhileFreed() {
        boolean last;
        synchronized (this) {
            freed = true;
            last = allThreadsReturned();
        }
        if (last) {
            holdings.threadsReturned();
        }
    }

    private TaskStats stats(@Nullable Task task) {
        if (task == null) {
            return TaskStats.NONE;
        }
        TaskStatistics statistics = task.statistics();
        ScanStats scan = statistics.scan();
        return new TaskStats(
                statistics.outputRows(),
                statistics.times(),
                statistics.operators(),
                statistics.peakMemoryBytes(),
                statistics.spilledBytes(),
                scan.rows(),
                scan.rowGroupsRead(),
                scan.rowGroupsSkipped(),
                scan.bytesRead(),
                scan.cacheHitBytes(),
                scan.cacheMissBytes(),
                scan.ioNanos(),
                sizes.get(),
                report(task.values()));
    }

    private static ValueReport report(Map<Integer, ColumnValues> values) {
        return values.isEmpty() ? ValueReport.NONE : new ValueReport(ColumnValuesCodec.encode(values));
    }

    /** A step of the attempt. */
    private abstract class OwnStep implements Step {
        @Override
        public boolean interruptIfUnwanted(Thread executor) {
            return interruptIfOver(executor);
        }

        @Override
        public void writeOff(Thread executor) {
            TaskRun.this.writeOff(executor);
        }

        @Override
        public String purpose() {
            return name;
        }
    }

    /** The first step of the attempt. It creates the task, queues all drivers but one, and continues as that one. */
    private final class Assembly extends OwnStep {
        private @Nullable DriverStep first;

        @Override
        public @Nullable CompletableFuture<?> run(long quantumNanos) {
            if (!ready.isDone()) {
                return ready;
            }
            DriverStep step = first != null ? first : assemble();
            return step == null ? null : step.run(quantumNanos);
        }

        /** Creates the task and returns its first driver, or null if the task could not be created. */
        private @Nullable DriverStep assemble() {
            if (!enter()) {
                endIfDone();
                return null;
            }
            try {
                adopt(assembly.get());
            } catch (RuntimeException | Error e) {
                finish(Failures.asSkepException(e));
            } finally {
                leave();
            }
            return first;
        }

        private void adopt(Task made) {
            boolean late;
            synchronized (TaskRun.this) {
                task = made;
                late = over;
            }
            if (late) {
                close(made);
                return;
            }
            for (Driver driver : made.drivers()) {
                DriverStep step = new DriverStep(made, driver);
                if (first == null) {
                    first = step;
                } else {
                    executors.submit(share, step);
                }
            }
        }
    }

    private final class DriverStep extends OwnStep {
        private final Task owner;
        private final Driver driver;

        DriverStep(Task owner, Driver driver) {
            this.owner = owner;
            this.driver = driver;
        }

        @Override
        public @Nullable CompletableFuture<?> run(long quantumNanos) {
            if (!enter()) {
                return null;
            }
            try {
                CompletableFuture<?> wait = driver.process(quantumNanos);
                if (owner.finished()) {
                    finish(null);
                    return null;
                }
                return driver.finished() ? null : wait;
            } catch (RuntimeException | Error e) {
                finish(Failures.asSkepException(e));
                return null;
            } finally {
                leave();
            }
        }
    }
}
