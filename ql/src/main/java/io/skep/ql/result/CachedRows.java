package io.skep.ql.result;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.query.OperatorTimes;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.storage.scan.ScanStats;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The execution of a query whose rows are in the cache. */
public final class CachedRows implements StageGraphExecution {
    /** What takes the place of the scheduler in the statistics of such a query. */
    public static final String SCHEDULER = "result cache";

    @GuardedBy("this")
    private final Iterator<Batch> rows;

    @GuardedBy("this")
    private @Nullable SkepException cancelled;

    public CachedRows(List<Batch> rows) {
        this.rows = rows.iterator();
    }

    @Override
    public synchronized CompletableFuture<Optional<Batch>> next() {
        if (cancelled != null) {
            return CompletableFuture.failedFuture(cancelled);
        }
        return CompletableFuture.completedFuture(rows.hasNext() ? Optional.of(rows.next()) : Optional.empty());
    }

    @Override
    public synchronized void cancel(SkepException reason) {
        cancelled = reason;
    }

    @Override
    public ExecutionStats stats() {
        return new ExecutionStats(SCHEDULER, List.of(), ScanStats.NONE, OperatorTimes.NONE, 0, 0);
    }

    @Override
    public void close() {}
}
