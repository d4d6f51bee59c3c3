package io.skep.bench.simulation;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Clients that each run one query after another. A client reads the rows, closes the query, pauses briefly, and starts
 * the next one.
 */
final class SimulatedClients {
    /** The maximum time until a cancelled query can be closed. It includes waiting for lost daemons. */
    private static final long CLOSE_AFTER = 4 * SimulationPlan.RPC_TIMEOUT;

    private final SimulationPlan plan;
    private final VirtualTime time;
    private final Random random;
    private final Tally tally;
    private final Workload workload;
    private final List<? extends StageGraphRunner> servers;
    private final IntConsumer onAsk;
    private int asked;
    private int answered;
    private int closed;

    /** @param onAsk receives the number of each query before it starts */
    SimulatedClients(
            SimulationPlan plan,
            VirtualTime time,
            Random random,
            Tally tally,
            Workload workload,
            List<? extends StageGraphRunner> servers,
            IntConsumer onAsk) {
        this.plan = plan;
        this.time = time;
        this.random = random;
        this.tally = tally;
        this.workload = workload;
        this.servers = servers;
        this.onAsk = onAsk;
    }

    void start() {
        for (int client = 0; client < plan.clients(); client++) {
            time.after(random.nextInt(1_000_000_000), this::ask);
        }
    }

    /** Whether all queries were started, answered and closed. */
    boolean done() {
        return closed == plan.queries();
    }

    String left() {
        return asked + " queries asked, " + answered + " answered, " + closed + " closed of " + plan.queries();
    }

    private void ask() {
        if (asked == plan.queries()) {
            return;
        }
        onAsk.accept(asked);
        String query = "q" + asked++;
        StageGraphRun run = workload.draw(query, random);
        run.splits().values().forEach(splits -> tally.ranges += splits.size());
        long start = time.now();
        try {
            StageGraphExecution execution =
                    servers.get(random.nextInt(servers.size())).start(run);
            pull(query, execution, start);
        } catch (SkepException e) {
            answer(query, Optional.empty(), start, e);
        }
    }

    private void pull(String query, StageGraphExecution execution, long start) {
        var _ = execution
                .next()
                .whenComplete((rows, error) -> time.after(0, () -> {
                    if (error != null) {
                        answer(query, Optional.of(execution), start, error);
                    } else if (rows.isEmpty()) {
                        answer(query, Optional.of(execution), start, null);
                    } else {
                        pull(query, execution, start);
                    }
                }));
    }

    private void answer(String query, Optional<StageGraphExecution> execution, long start, @Nullable Throwable error) {
        answered++;
        tally.latencies.add(time.now() - start);
        if (error != null) {
            Throwable cause =
                    error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
            boolean known = cause instanceof SkepException failure && failure.code() == StandardErrorCode.DAEMON_LOST;
            tally.check(known, "a query failed for no lost daemon: " + cause);
            tally.failedQueries++;
        }
        execution.ifPresentOrElse(one -> close(query, one), () -> closed++);
        time.after(random.nextInt(100_000_000), this::ask);
    }

    /**
     * Closing waits, which is not possible on the simulation's single thread. At that time nothing is left to wait for.
     */
    private void close(String query, StageGraphExecution execution) {
        execution.cancel(new SkepException(StandardErrorCode.OPERATION_CANCELED, "the client has what it wanted"));
        time.after(CLOSE_AFTER, () -> {
            if (tally.openEnds(query) == 0) {
                execution.close();
            } else {
                tally.check(false, query + " did not end: " + tally.openEnds(query) + " daemons have not said so");
            }
            closed++;
        });
    }
}
