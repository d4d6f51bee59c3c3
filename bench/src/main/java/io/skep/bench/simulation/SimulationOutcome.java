package io.skep.bench.simulation;

import io.skep.common.query.PlacementStats;
import java.util.List;
import java.util.Locale;

/**
 * The result of a simulation.
 *
 * @param seconds seconds of the virtual clock
 * @param tasks number of submitted tasks
 * @param kills tasks that did not finish: those of lost daemons, and the others of the same queries
 * @param failedQueries queries that had returned rows when they lost a daemon, or that lost a daemon three times
 * @param hits ranges that were found in the cache of the daemon that read them
 * @param medianMillis median time of a query, from its start to the last row
 * @param longestWaitMillis longest wait of a task's piece for an executor
 * @param broken guarantees that were violated; empty when there are none
 */
public record SimulationOutcome(
        SimulationPlan plan,
        double seconds,
        long tasks,
        long kills,
        long failedQueries,
        long throughTez,
        PlacementStats placed,
        long hits,
        long misses,
        double medianMillis,
        double p99Millis,
        double longestMillis,
        double longestWaitMillis,
        List<String> broken) {
    public SimulationOutcome {
        broken = List.copyOf(broken);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "seed %d, %d daemons, %d servers, %d clients: %,d queries, %,d tasks in %.1f s;"
                        + " ms a query: median %.1f, p99 %.1f, longest %.1f; killed %.3f %%, failed %d,"
                        + " through Tez %d; home %.2f %%, other home %.2f %%, away %.2f %%; cache hits %.2f %%;"
                        + " longest wait %.1f ms",
                plan.seed(),
                plan.daemons(),
                plan.servers(),
                plan.clients(),
                plan.queries(),
                tasks,
                seconds,
                medianMillis,
                p99Millis,
                longestMillis,
                percent(kills, tasks),
                failedQueries,
                throughTez,
                percent(placed.home(), placed.ranges()),
                percent(placed.otherHome(), placed.ranges()),
                percent(placed.away(), placed.ranges()),
                percent(hits, hits + misses),
                longestWaitMillis);
    }

    static double percent(long part, long whole) {
        return whole == 0 ? 0 : 100.0 * part / whole;
    }
}
