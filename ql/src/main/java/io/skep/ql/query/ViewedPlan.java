package io.skep.ql.query;

import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.optimize.MaterializedViewScan;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.physical.WriteTarget;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.StatementTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;

/**
 * A plan that reads materialized views in the place of their sources.
 *
 * @param compiled the plan
 * @param views those that it reads
 * @param fromSources the plan of the same query that reads no such view
 */
public record ViewedPlan(QueryCompiler.Compiled compiled, List<FreshView> views, PhysicalPlan fromSources) {
    public ViewedPlan {
        views = List.copyOf(views);
    }

    /** Compiles a query, if views answer parts of it. */
    static Optional<ViewedPlan> of(AnalyzedQuery query, QueryCompiler compiler, StatementContext context) {
        FreshViews fresh = new FreshViews(context);
        return of(fresh.of(query), fresh, query.rel(), views -> compiler.query(query.rel(), query.names(), views));
    }

    /**
     * Compiles a query whose rows are written. Views that are older than its sources do not answer it, whatever the
     * session allows: a statement may replace the rows that it reads.
     *
     * @param rows the query's rows in the form in which they are written
     */
    public static Optional<ViewedPlan> ofWrite(
            AnalyzedQuery query, RelNode rows, WriteTarget target, QueryCompiler compiler, StatementContext context) {
        FreshViews fresh = new FreshViews(context);
        return of(fresh.current(query), fresh, rows, views -> compiler.write(rows, target, views));
    }

    private static Optional<ViewedPlan> of(
            List<FreshView> candidates,
            FreshViews fresh,
            RelNode root,
            Function<List<MaterializedViewScan>, QueryCompiler.Compiled> planning) {
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        QueryCompiler.Compiled compiled = planning.apply(fresh.scans(candidates, RelFactory.of(root.getCluster())));
        Set<String> read = compiled.plan().scans().stream()
                .map(ScanAssignment::table)
                .map(Table::qualifiedName)
                .collect(Collectors.toSet());
        List<FreshView> used = candidates.stream()
                .filter(candidate -> read.contains(candidate.view().qualifiedName()))
                .toList();
        return used.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ViewedPlan(compiled, used, planning.apply(List.of()).plan()));
    }

    public PhysicalPlan plan() {
        return compiled.plan();
    }

    /**
     * Whether the views contain the rows that a transaction sees. Called after the views' files have been listed: a
     * view whose sources have not changed since it was filled cannot have been filled again from newer rows meanwhile.
     */
    boolean isOf(StatementTransaction transaction, StatementContext context) {
        List<FreshView> checked = views.stream().filter(view -> !view.isTimed()).toList();
        if (checked.isEmpty()) {
            return true;
        }
        var now = new FreshViews(context).now(checked);
        return checked.stream()
                .allMatch(view ->
                        view.content().isOf(transaction) && view.content().isOf(now));
    }
}
