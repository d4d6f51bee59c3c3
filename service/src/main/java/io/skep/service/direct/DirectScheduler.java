package io.skep.service.direct;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.PlacementStats;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.placement.DaemonRing;
import io.skep.llap.client.placement.HotRanges;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.llap.client.placement.QueryPlacement;
import io.skep.llap.client.placement.ReadCosts;
import io.skep.storage.table.Split;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs stage graphs on daemons, without Tez. Sends one message to each daemon that runs a part of the query.
 * {@link #start} never waits. Thread-safe.
 */
public final class DirectScheduler implements StageGraphRunner {
    private final Supplier<List<DaemonConnection>> daemons;
    private final ReadCosts costs;
    private final ScanSelectivity shares = new ScanSelectivity();
    private final HotRanges heat;
    private final LongSupplier clock;
    private final AtomicReference<@Nullable DirectCluster> cluster = new AtomicReference<>();
    private final AtomicReference<PlacementStats> placed = new AtomicReference<>(PlacementStats.NONE);

    /**
     * @param daemons the live daemons at the time of the call, including those whose loss is not yet known; a daemon
     *     keeps the same connection while it lives
     */
    public DirectScheduler(Supplier<List<DaemonConnection>> daemons) {
        this(daemons, ReadCosts.MEASURED, System::nanoTime);
    }

    /** @param clock nanoseconds; only differences are used */
    public DirectScheduler(Supplier<List<DaemonConnection>> daemons, ReadCosts costs, LongSupplier clock) {
        this.daemons = daemons;
        this.costs = costs;
        this.heat = new HotRanges(clock);
        this.clock = clock;
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        DirectCluster live = cluster();
        QueryPlacement round = live.begin();
        TaskLayout layout = TaskLayout.of(
                run,
                live.executors(),
                live.assigner(round, DaemonRing.key(run.queryId().value(), 0)));
        placed.accumulateAndGet(round.stats(), PlacementStats::plus);
        // The plan contains this statement's literals and is not sent twice, so its name need not be derived from its
        // content.
        EncodedPlan plan = new EncodedPlan(
                run.queryId().value(),
                LazyEncoded.of(run.graph(), () -> PlanCodec.encode(run.graph())),
                run.graph().files());
        DirectExecution execution = new DirectExecution(run, layout, live, plan, round.stats());
        execution.start();
        return execution;
    }

    /** Returns the daemon that is the best one for each split, as for a query that would start now. */
    public List<DaemonConnection> homes(PlanNode.Scan scan, List<Split> splits) {
        DirectCluster live = cluster();
        int[] placed = live.assigner(live.begin(), 0).assign(scan, splits);
        return Arrays.stream(placed).mapToObj(live::daemon).toList();
    }

    private DirectCluster cluster() {
        List<DaemonConnection> live = daemons.get();
        if (live.stream().anyMatch(DaemonConnection::isLost)) {
            // A connection detects the loss of its daemon earlier than the list of daemons.
            live = live.stream().filter(daemon -> !daemon.isLost()).toList();
        }
        if (live.isEmpty()) {
            throw new SkepException(StandardErrorCode.QUEUE_FULL, "there is no LLAP daemon to run the query");
        }
        DirectCluster known = cluster.get();
        while (known == null || !known.consistsOf(live)) {
            DirectCluster next = new DirectCluster(live, work(), costs, shares, heat, clock);
            known = cluster.compareAndSet(known, next) ? next : cluster.get();
        }
        return known;
    }

    /** Returns the unfinished work that this scheduler has assigned to the daemons of the last query. */
    public List<OutstandingWork> work() {
        DirectCluster known = cluster.get();
        return known == null ? List.of() : known.work();
    }

    /** Returns statistics of the placement of ranges since the start. */
    public PlacementStats placed() {
        return placed.get();
    }
}
