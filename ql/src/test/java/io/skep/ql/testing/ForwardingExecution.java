package io.skep.ql.testing;

import io.skep.common.error.SkepException;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Forwards each call to another execution. Subclasses override some of the calls. */
public abstract class ForwardingExecution implements StageGraphExecution {
    private final StageGraphExecution inner;

    public ForwardingExecution(StageGraphExecution inner) {
        this.inner = inner;
    }

    @Override
    public CompletableFuture<Optional<Batch>> next() {
        return inner.next();
    }

    @Override
    public void cancel(SkepException reason) {
        inner.cancel(reason);
    }

    @Override
    public boolean mayHaveStarted() {
        return inner.mayHaveStarted();
    }

    @Override
    public ExecutionStats stats() {
        return inner.stats();
    }

    @Override
    public void close() {
        inner.close();
    }
}
