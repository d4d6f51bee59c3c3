package io.skep.llap.server;

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
 * One task attempt from submission to its end. It is over when it has finished, failed or been cancelled; it has ended when, in
 * addition, no executor is in one of its drivers any more and all it held is freed. An executor that does not come back from a
 * driver is written off: the attempt ends without it, and what that thread still holds is freed when it does come back. Guarded
 * by itself; nothing is called with the lock held but {@link Thread#interrupt}.
 */
final class TaskRun {
    /** What an attempt was given. */
    interface Holdings {
        /**
         * Frees it, once.
         *
         * @param inUse whether threads that were written off may still use some of it
         */
        void free(boolean inUse);

        /** The last of those threads has come back. Called once, after {@link #free}, if it was in use. */
        void cameBack();
    }

    private final String name;
    private final ExecutorPool executors;
    private final QueryShare share;
    private final CompletableFuture<?> ready;
    private final Supplier<Task> assembly;
    private final Supplier<PartitionSizes> sizes;
    private final Holdings holdings;
    /** Executors in code of the attempt that may take its time. */
    private final Set<Thread> executing = new HashSet<>();

    private final CompletableFuture<TaskStats> result = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private @Nullable Task task;
    private @Nullable SkepException failure;
    private int inside;
    private boolean over;
    private boolean cleaned;
    private boolean freed;
    private int writtenOff;
    private boolean inUse;

    /**
     * @param name for the log
     * @param ready done, well or not, when the task can be made
     * @param assembly makes the task, on an executor
     * @param sizes of its output, asked for when it has ended
     * @param holdings what the task was given; freed after its last step
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

    /** The task's figures or failure; done when it has ended. */
    CompletableFuture<TaskStats> result() {
        return result;
    }

    /** Done when nothing is left of the attempt. Never fails. */
    CompletableFuture<@Nullable Void> ended() {
        return ended;
    }

    synchronized boolean isOver() {
        return over;
    }

    /** An executor enters; false when the attempt is over. */
    private synchronized boolean enter() {
        if (over) {
            return false;
        }
        inside++;
        executing.add(Thread.currentThread());
        return true;
    }

    /** An executor leaves, for what follows is the process's own code: an interrupt was not meant for that. */
    private void leave() {
        boolean last;
        synchronized (this) {
            if (executing.remove(Thread.currentThread())) {
                inside--;
            } else {
                writtenOff--;
            }
            last = lastCameBack();
        }
        Thread.interrupted();
        endIfDone();
        if (last) {
            holdings.cameBack();
        }
    }

    /** Called with the lock held. */
    private boolean lastCameBack() {
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
            // Whoever closes the task is in it: what it holds must not be counted before it has been given back.
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
        TaskStats figures = figures(last);
        try {
            holdings.free(inUse);
        } catch (RuntimeException e) {
            reason = reason == null ? Failures.asSkepException(e) : reason;
        }
        cameBackWhileFreed();
        if (reason == null) {
            result.complete(figures);
        } else {
            result.completeExceptionally(reason);
        }
        ended.complete(null);
    }

    private void cameBackWhileFreed() {
        boolean last;
        synchronized (this) {
            freed = true;
            last = lastCameBack();
        }
        if (last) {
            holdings.cameBack();
        }
    }

    private TaskStats figures(@Nullable Task task) {
        if (task == null) {
            return TaskStats.NONE;
        }
        TaskStatistics statistics = task.statistics();
        ScanStats scan = statistics.scan();
        return new TaskStats(
                statistics.outputRows(),
                statistics.times(),
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

    /** The first step: makes the task, queues its drivers but one, and goes on as that one. */
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

        /** The task's first driver, if the task could be made. */
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
