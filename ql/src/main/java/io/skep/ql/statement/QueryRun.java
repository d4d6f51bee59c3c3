package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.engine.schedule.StageGraphExecution;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.metastore.Table;
import io.skep.ql.commit.CompiledTables;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A plan's run: it may be cancelled before it starts, while it runs, and after it has ended. */
final class QueryRun implements AutoCloseable {
    private final PhysicalPlan plan;
    private final StatementContext context;
    private final QueryId queryId;
    private @Nullable StageGraphExecution execution;
    private @Nullable SkepException cancelled;

    /** A statement's runs have names of their own: the query's, and from the second on a number behind it. */
    QueryRun(PhysicalPlan plan, StatementContext context) {
        this.plan = plan;
        this.context = context;
        int number = context.nextRun();
        this.queryId = number == 0 ? context.queryId() : new QueryId(context.queryId() + "-" + number);
    }

    /** Enumerates splits and starts the tasks. */
    void start() {
        // All scans see the files as one moment between commits left them.
        Map<Integer, List<Split>> splits = context.services().commits().listed(sharedTables(), this::allSplits);
        Map<String, String> settings = context.settings().forRun();
        StageGraphRun run = new StageGraphRun(queryId, plan.graph(), splits, settings);
        synchronized (this) {
            if (cancelled != null) {
                throw cancelled;
            }
            execution = context.services().runner().start(run);
        }
    }

    private List<Table> sharedTables() {
        return plan.scans().stream()
                .map(ScanAssignment::table)
                .filter(table -> !TableStore.isTemporary(table, context))
                .toList();
    }

    private Map<Integer, List<Split>> allSplits(SplitEnumerator.Seen seen) {
        CompiledTables.requireSamePlace(sharedTables(), context.catalog());
        Map<Integer, List<Split>> splits = new HashMap<>();
        for (ScanAssignment scan : plan.scans()) {
            splits.put(scan.scan(), splits(scan, seen));
        }
        return splits;
    }

    private List<Split> splits(ScanAssignment scan, SplitEnumerator.Seen seen) {
        Table table = scan.table();
        TableFiles files = context.services().files();
        return table.partitionKeys().isEmpty()
                ? files.splits(table, seen)
                : files.splits(table, context.pruner(table).partitions(scan, context.catalog()), seen);
    }

    /** Waits for the next rows; empty at the end. */
    Optional<Batch> next() {
        StageGraphExecution running = running();
        if (running == null) {
            throw new IllegalStateException("the query has not been started");
        }
        try {
            return running.next().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof SkepException failure ? failure : e;
        }
    }

    private synchronized @Nullable StageGraphExecution running() {
        return execution;
    }

    synchronized void cancel(SkepException reason) {
        cancelled = cancelled == null ? reason : cancelled;
        if (execution != null) {
            execution.cancel(reason);
        }
    }

    Optional<ExecutionFigures> figures() {
        StageGraphExecution running = running();
        return running == null ? Optional.empty() : Optional.of(running.figures());
    }

    @Override
    public void close() {
        StageGraphExecution running = running();
        if (running != null) {
            running.close();
        }
    }
}
