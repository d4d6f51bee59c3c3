package io.skep.bench.simulation;

import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.TaskSubmission;
import io.skep.service.direct.DirectScheduler;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Measures the cost of placing, laying out, dispatching and closing a query, on daemons that respond immediately. */
public final class SchedulingCost {
    private static final int EXECUTORS = 16;

    private final AtomicLong tasks = new AtomicLong();
    private final DirectScheduler scheduler;
    private final Workload workload;
    private int queries;

    /**
     * The cost of a kind of query, in processor time.
     *
     * @param tasksAQuery number of tasks of a query
     */
    public record Cost(double tasksAQuery, double microsAQuery) {
        public double nanosATask() {
            return 1000 * microsAQuery / tasksAQuery;
        }
    }

    public SchedulingCost(int daemons) {
        List<DaemonConnection> connections = new ArrayList<>();
        for (int slot = 0; slot < daemons; slot++) {
            connections.add(new InstantDaemon(new DaemonIdentity(slot, "life " + slot, EXECUTORS)));
        }
        scheduler = new DirectScheduler(() -> connections);
        workload = new Workload(daemons);
    }

    /**
     * Returns the mean over some queries, after the same number of warm-up queries.
     *
     * @param ranges number of ranges that a query reads
     * @param rows number of rows that it is expected to read
     */
    public Cost measure(int ranges, double rows, int count) {
        run(ranges, rows, count);
        tasks.set(0);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        run(ranges, rows, count);
        return new Cost((double) tasks.get() / count, (threads.getCurrentThreadCpuTime() - start) / 1e3 / count);
    }

    private void run(int ranges, double rows, int count) {
        for (int i = 0; i < count; i++) {
            StageGraphRun query = workload.first("q" + queries++, Math.min(ranges, workload.size()), rows);
            scheduler.start(query).close();
        }
    }

    private final class InstantDaemon implements DaemonConnection {
        private final DaemonIdentity identity;

        InstantDaemon(DaemonIdentity identity) {
            this.identity = identity;
        }

        @Override
        public DaemonIdentity identity() {
            return identity;
        }

        @Override
        public void register(QueryId query, EncodedPlan plan) {}

        @Override
        public CompletableFuture<TaskStats> submit(TaskSubmission submission) {
            tasks.incrementAndGet();
            return CompletableFuture.completedFuture(TaskStats.NONE);
        }

        @Override
        public PageStream open(QueryId query, TaskAttemptId output, int partition) {
            return new PageStream() {
                @Override
                public CompletableFuture<Optional<Batch>> next() {
                    return CompletableFuture.completedFuture(Optional.empty());
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public CompletableFuture<@Nullable Void> cancel(QueryId query, TaskAttemptId attempt, String reason) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<@Nullable Void> finishQuery(QueryId query, String reason) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
