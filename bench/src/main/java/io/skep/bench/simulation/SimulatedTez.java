package io.skep.bench.simulation;

import io.skep.common.error.SkepException;
import io.skep.common.query.OperatorTimes;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.StageGraphRunner;
import io.skep.storage.scan.ScanStats;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Simulates Tez, the last fallback of a query. It takes two seconds and always succeeds. */
final class SimulatedTez implements StageGraphRunner {
    private static final long NANOS = 2_000_000_000L;

    private final VirtualTime time;
    private final Tally tally;

    SimulatedTez(VirtualTime time, Tally tally) {
        this.time = time;
        this.tally = tally;
    }

    @Override
    public StageGraphExecution start(StageGraphRun run) {
        tally.throughTez++;
        return new StageGraphExecution() {
            @Override
            public CompletableFuture<Optional<Batch>> next() {
                CompletableFuture<Optional<Batch>> end = new CompletableFuture<>();
                time.after(NANOS, () -> end.complete(Optional.empty()));
                return end;
            }

            @Override
            public void cancel(SkepException reason) {}

            @Override
            public ExecutionStats stats() {
                return new ExecutionStats("tez", List.of(), ScanStats.NONE, OperatorTimes.NONE, 0, 0);
            }

            @Override
            public void close() {}
        };
    }
}
