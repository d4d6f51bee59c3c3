package io.skep.service.direct;

import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.TaskStats;
import io.skep.llap.client.placement.DaemonRing;
import io.skep.llap.client.placement.HotRanges;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.llap.client.placement.QueryPlacement;
import io.skep.llap.client.placement.ReadCosts;
import io.skep.llap.client.placement.SplitPlacement;
import io.skep.storage.table.Split;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A set of daemons with their hash ring and the work assigned to each daemon. Created once per set of daemons, not once
 * per query. Thread-safe.
 */
final class DirectCluster {
    private final List<DaemonConnection> daemons;
    private final List<Integer> executors;
    private final List<OutstandingWork> work;
    private final SplitPlacement placement;
    private final ReadCosts costs;
    private final ScanSelectivity shares;
    private final LongSupplier clock;

    /**
     * @param known work assigned to daemons before, some of which may be in this set
     * @param clock nanoseconds; only differences are used
     */
    DirectCluster(
            List<DaemonConnection> daemons,
            List<OutstandingWork> known,
            ReadCosts costs,
            ScanSelectivity shares,
            HotRanges heat,
            LongSupplier clock) {
        this.daemons = List.copyOf(daemons);
        this.costs = costs;
        this.shares = shares;
        this.clock = clock;
        Map<DaemonIdentity, OutstandingWork> present = new HashMap<>();
        known.forEach(one -> present.put(one.daemon(), one));
        this.work = daemons.stream()
                .map(DaemonConnection::identity)
                .map(daemon -> present.getOrDefault(daemon, new OutstandingWork(daemon, clock)))
                .toList();
        this.executors = work.stream().map(one -> one.daemon().executors()).toList();
        this.placement =
                new SplitPlacement(work, daemon -> this.daemons.get(daemon).load(), costs, heat);
    }

    /**
     * Whether this cluster consists of exactly these connections. Called for each query, even with a thousand daemons.
     */
    @SuppressWarnings("ReferenceEquality")
    boolean consistsOf(List<DaemonConnection> others) {
        if (others.size() != daemons.size()) {
            return false;
        }
        for (int i = 0; i < others.size(); i++) {
            if (others.get(i) != daemons.get(i)) {
                return false;
            }
        }
        return true;
    }

    DaemonConnection daemon(int index) {
        return daemons.get(index);
    }

    List<Integer> executors() {
        return executors;
    }

    List<OutstandingWork> work() {
        return work;
    }

    long now() {
        return clock.getAsLong();
    }

    QueryPlacement begin() {
        return placement.begin();
    }

    /** Assigns splits by the homes of their file ranges. */
    TaskLayout.SplitAssigner assigner(QueryPlacement round, long key) {
        return new TaskLayout.SplitAssigner() {
            @Override
            public int[] assign(PlanNode.Scan scan, List<Split> splits) {
                int[] placed = new int[splits.size()];
                double share = shares.of(scan);
                for (int i = 0; i < placed.length; i++) {
                    Split split = splits.get(i);
                    placed[i] =
                            round.place(DaemonRing.key(split.file().path(), split.start()), bytes(scan, split, share));
                }
                return placed;
            }

            @Override
            public int anywhere() {
                return round.anywhere(key);
            }
        };
    }

    /**
     * Returns the bytes of a split that a scan reads, assuming that all columns have the same size.
     *
     * @param share fraction of the row groups that the scan reads
     */
    private static long bytes(PlanNode.Scan scan, Split split, double share) {
        int columns = split.fileColumns().size();
        int read = Math.min(scan.request().columns().size(), columns);
        double ofColumns = columns == 0 ? 1 : (double) read / columns;
        return Math.max(1, (long) (split.length() * ofColumns * share));
    }

    /** Returns the expected executor time of a task, based on what it reads. */
    long nanos(List<PlanNode.Scan> scans, TaskLayout.TaskPlace task) {
        long nanos = costs.taskNanos();
        for (PlanNode.Scan scan : scans) {
            double share = shares.of(scan);
            for (Split split : task.splits().getOrDefault(scan.id(), List.of())) {
                nanos += costs.cachedNanos(bytes(scan, split, share));
            }
        }
        return nanos;
    }

    /** Returns the additional executor time that a task may have used for data that was not in the cache. */
    long nanosOfFiles(TaskStats stats) {
        return stats.bytesRead() == 0 ? 0 : costs.awayNanos(stats.bytesRead());
    }

    /** Records that a task has finished whose only scan is this one. */
    void recordFinishedTask(PlanNode.Scan scan, TaskStats stats) {
        shares.recordFinishedTask(scan, stats);
    }
}
