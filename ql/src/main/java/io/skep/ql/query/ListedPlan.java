package io.skep.ql.query;

import io.skep.engine.schedule.StageGraphRun;
import io.skep.metastore.Table;
import io.skep.ql.commit.CompiledTables;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.execution.AttemptSource;
import io.skep.ql.execution.QueryAttemptId;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A plan together with the files that its scans read. */
public final class ListedPlan implements AttemptSource {
    private final PhysicalPlan plan;
    private final StatementContext context;

    public ListedPlan(PhysicalPlan plan, StatementContext context) {
        this.plan = plan;
        this.context = context;
    }

    @Override
    public QueryAttemptId begin() {
        return context.nextAttempt();
    }

    @Override
    public StageGraphRun list(QueryAttemptId attempt) {
        // All scans see the files as they were at one point between commits.
        Map<Integer, List<Split>> splits =
                context.services().commits().listConsistently(tables(false), tables(true), this::allSplits);
        return new StageGraphRun(
                attempt.name(), plan.graph(), splits, context.settings().forRun());
    }

    private List<Table> tables(boolean temporary) {
        return plan.scans().stream()
                .map(ScanAssignment::table)
                .filter(table -> TableStore.isTemporary(table, context) == temporary)
                .toList();
    }

    private Map<Integer, List<Split>> allSplits(SplitEnumerator.Seen seen) {
        CompiledTables.requireSamePlace(tables(false), context.catalog());
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
}
