package io.skep.bench.simulation;

import java.util.Locale;
import java.util.function.Consumer;

/**
 * Implements {@code bin/bench simulation}: many seeds of small clusters, one large cluster, and the cost of scheduling
 * by the number of daemons.
 */
public final class SimulationBench {
    private static final int[] CLUSTERS = {1, 10, 100, 1000};
    private static final double MAX_KILLS_PERCENT = 1;

    private final Consumer<String> lines;
    private boolean failed;

    public SimulationBench(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Whether a guarantee was violated so far. */
    public boolean failed() {
        return failed;
    }

    /** Runs seeds one after another. Prints those that violate a guarantee, and a summary. */
    public void seeds(long first, long count, int queries) {
        long steadyTasks = 0;
        long steadyKills = 0;
        long tasks = 0;
        long kills = 0;
        long asked = 0;
        long failedQueries = 0;
        long throughTez = 0;
        double longest = 0;
        long start = System.nanoTime();
        for (long seed = first; seed < first + count; seed++) {
            SimulationOutcome outcome = Simulation.run(SimulationPlan.random(seed, queries));
            judge(outcome);
            tasks += outcome.tasks();
            kills += outcome.kills();
            if (outcome.plan().isSteady()) {
                steadyTasks += outcome.tasks();
                steadyKills += outcome.kills();
            }
            asked += queries;
            failedQueries += outcome.failedQueries();
            throughTez += outcome.throughTez();
            longest = Math.max(longest, outcome.longestMillis());
        }
        double killed = SimulationOutcome.percent(steadyKills, steadyTasks);
        lines.accept(String.format(
                Locale.ROOT,
                "%,d seeds from %d: %,d queries, %,d tasks; killed %.3f %%,"
                        + " %.3f %% where faults are rare; %d queries had given rows when they lost a daemon,"
                        + " %d went through Tez; longest query %.1f s; %.1f s of this machine",
                count,
                first,
                asked,
                tasks,
                SimulationOutcome.percent(kills, tasks),
                killed,
                failedQueries,
                throughTez,
                longest / 1e3,
                (System.nanoTime() - start) / 1e9));
        if (killed > MAX_KILLS_PERCENT) {
            failed = true;
            lines.accept("BROKEN: more than one percent of tasks were killed where faults are rare");
        }
    }

    private void judge(SimulationOutcome outcome) {
        if (!outcome.broken().isEmpty()) {
            failed = true;
            lines.accept("BROKEN: " + outcome);
            outcome.broken().forEach(promise -> lines.accept("    " + promise));
        }
    }

    /** Runs one cluster of a given size, with deaths and hangs. */
    public void cluster(SimulationPlan plan) {
        long start = System.nanoTime();
        SimulationOutcome outcome = Simulation.run(plan);
        judge(outcome);
        lines.accept(
                String.format(Locale.ROOT, "%s; %.1f s of this machine", outcome, (System.nanoTime() - start) / 1e9));
    }

    /** Prints the scheduler's cost of a report of one range, and of a scan with four ranges per daemon. */
    public void costs() {
        // The first queries run code that is not compiled yet.
        new SchedulingCost(10).measure(40, 1e6, 5000);
        for (int daemons : CLUSTERS) {
            SchedulingCost cost = new SchedulingCost(daemons);
            SchedulingCost.Cost report = cost.measure(1, 1000, 20_000);
            SchedulingCost.Cost scan = cost.measure(4 * daemons, 1e5 * daemons, Math.max(50, 10_000 / daemons));
            lines.accept(String.format(
                    Locale.ROOT,
                    "%,5d daemons: report %.1f us (%.0f tasks, %.0f ns a task);"
                            + " scan %.1f us (%,.0f tasks, %.0f ns a task)",
                    daemons,
                    report.microsAQuery(),
                    report.tasksAQuery(),
                    report.nanosATask(),
                    scan.microsAQuery(),
                    scan.tasksAQuery(),
                    scan.nanosATask()));
        }
    }
}
