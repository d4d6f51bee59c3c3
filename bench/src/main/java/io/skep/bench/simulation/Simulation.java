package io.skep.bench.simulation;

import io.skep.common.query.PlacementStats;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.llap.client.placement.OutstandingWork;
import io.skep.llap.client.placement.ReadCosts;
import io.skep.ql.execution.QueryRuns;
import io.skep.service.direct.DirectScheduler;
import io.skep.service.direct.SchedulerChoice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One run of a {@link SimulationPlan}. The same plan always produces the same run. */
public final class Simulation {
    /** The maximum delay of a query by silent daemons: three runs that each wait for one, and a run through Tez. */
    private static final double SECONDS_OF_SILENCE = 60;

    /**
     * The maximum factor by which a daemon is slower than others, doubled, because a query's ranges wait in turn with
     * those of all others.
     */
    private static final double SLOWEST_IN_TURN = 2 * 4;

    private static final long MAX_NANOS = 3_600_000_000_000L;

    private final SimulationPlan plan;
    private final VirtualTime time = new VirtualTime();
    private final Tally tally = new Tally();
    private final SimulatedCluster cluster;
    private final SimulatedClients clients;
    private final List<DirectScheduler> schedulers = new ArrayList<>();

    private Simulation(SimulationPlan plan) {
        this.plan = plan;
        Random random = new Random(plan.seed());
        cluster = new SimulatedCluster(plan, time, random, tally);
        List<StageGraphRunner> servers = new ArrayList<>();
        for (int i = 0; i < plan.servers(); i++) {
            int server = i;
            DirectScheduler scheduler =
                    new DirectScheduler(() -> cluster.daemons(server), ReadCosts.MEASURED, time::now);
            schedulers.add(scheduler);
            servers.add(new QueryRuns(
                    new SchedulerChoice(scheduler, new SimulatedTez(time, tally), failure -> {}), Runnable::run));
        }
        Map<Integer, Integer> faults = faults(random);
        clients = new SimulatedClients(
                plan, time, random, tally, new Workload(plan.daemons()), servers, query -> happen(faults, query));
    }

    /** Returns the faults by the query before which they occur: positive for deaths, negative for hangs. */
    private Map<Integer, Integer> faults(Random random) {
        Map<Integer, Integer> faults = new HashMap<>();
        for (int i = 0; i < plan.deaths() + plan.hangs(); i++) {
            faults.put(random.nextInt(plan.queries()), i < plan.deaths() ? 1 : -1);
        }
        return faults;
    }

    private void happen(Map<Integer, Integer> faults, int query) {
        int fault = faults.getOrDefault(query, 0);
        if (fault > 0) {
            cluster.kill();
        } else if (fault < 0) {
            cluster.hang();
        }
    }

    /** Runs a plan to its end. */
    public static SimulationOutcome run(SimulationPlan plan) {
        return new Simulation(plan).run();
    }

    private SimulationOutcome run() {
        clients.start();
        while (!clients.done() && time.now() < MAX_NANOS) {
            if (!time.step()) {
                break;
            }
        }
        double seconds = time.now() / 1e9;
        tally.check(clients.done(), clients.left());
        while (time.now() < 2 * MAX_NANOS && time.step()) {
            // Delivers the messages that are still in flight.
        }
        checkEnd();
        return outcome(seconds);
    }

    private void checkEnd() {
        tally.check(
                tally.submitted == tally.ended(),
                tally.submitted + " tasks were submitted, " + tally.ended() + " have ended");
        tally.check(tally.failedOtherwise == 0, tally.failedOtherwise + " tasks failed for no reason");
        for (DirectScheduler scheduler : schedulers) {
            for (OutstandingWork work : scheduler.work()) {
                tally.check(work.nanos() == 0 && work.drivers() == 0, "work is left on " + work.daemon());
            }
        }
        cluster.checkEnd();
        if (plan.deaths() + plan.hangs() == 0) {
            tally.check(tally.lost + tally.cancelled == 0, "tasks were killed although no daemon was lost");
            tally.check(tally.failedQueries + tally.throughTez == 0, "queries failed although no daemon was lost");
        }
    }

    private SimulationOutcome outcome(double seconds) {
        PlacementStats placed =
                schedulers.stream().map(DirectScheduler::placed).reduce(PlacementStats.NONE, PlacementStats::plus);
        List<Long> latencies = new ArrayList<>(tally.latencies);
        Collections.sort(latencies);
        long longest = latencies.isEmpty() ? 0 : latencies.getLast();
        checkWaits(longest);
        return new SimulationOutcome(
                plan,
                seconds,
                tally.submitted,
                tally.lost + tally.cancelled,
                tally.failedQueries,
                tally.throughTez,
                placed,
                tally.cacheHits,
                tally.cacheMisses,
                millis(latencies, 0.5),
                millis(latencies, 0.99),
                longest / 1e6,
                tally.longestWait / 1e6,
                tally.broken());
    }

    /**
     * Checks two bounds. The wait for an executor is bounded by the total requests of all clients before, with nothing
     * cached. The time of a query is bounded by the waits of its pieces in turn.
     */
    private void checkWaits(long longestQuery) {
        double ranges = (double) tally.ranges / plan.queries() * plan.clients();
        long piece = ReadCosts.MEASURED.cachedNanos(Workload.SPLIT) + ReadCosts.MEASURED.awayNanos(Workload.SPLIT);
        double most = 1e9 * SECONDS_OF_SILENCE + SLOWEST_IN_TURN * ranges * piece / (plan.daemons() * plan.executors());
        tally.check(tally.longestWait <= most, "a wait of " + tally.longestWait / 1e9 + " s, more than " + most / 1e9);
        double turns = 3 + Math.ceil((double) Workload.MAX_RANGES / plan.executors());
        double all = 1e9 * SECONDS_OF_SILENCE + turns * (tally.longestWait + SLOWEST_IN_TURN * piece);
        tally.check(longestQuery <= all, "a query took " + longestQuery / 1e9 + " s, more than " + all / 1e9);
    }

    private static double millis(List<Long> sorted, double share) {
        return sorted.isEmpty() ? 0 : sorted.get((int) (share * (sorted.size() - 1))) / 1e6;
    }
}
