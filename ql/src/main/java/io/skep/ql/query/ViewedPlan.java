package io.skep.ql.query;

import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedQuery;
import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.physical.ScanAssignment;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.StatementTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A plan that reads materialized views in the place of their sources.
 *
 * @param compiled the plan
 * @param views those that it reads
 * @param fromSources the plan of the same query that reads no such view
 */
record ViewedPlan(QueryCompiler.Compiled compiled, List<FreshView> views, PhysicalPlan fromSources) {
    ViewedPlan {
        views = List.copyOf(views);
    }

    /** Compiles a query, if views answer parts of it. */
    static Optional<ViewedPlan> of(AnalyzedQuery query, QueryCompiler compiler, StatementContext context) {
        FreshViews fresh = new FreshViews(context);
        List<FreshView> candidates = fresh.of(query);
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        RelFactory factory = RelFactory.of(query.rel().getCluster());
        QueryCompiler.Compiled compiled = compiler.query(query.rel(), query.names(), fresh.scans(candidates, factory));
        Set<String> read = compiled.plan().scans().stream()
                .map(ScanAssignment::table)
                .map(Table::qualifiedName)
                .collect(Collectors.toSet());
        List<FreshView> used = candidates.stream()
                .filter(candidate -> read.contains(candidate.view().qualifiedName()))
                .toList();
        return used.isEmpty()
                ? Optional.empty()
                : Optional.of(new ViewedPlan(
                        compiled,
                        used,
                        compiler.query(query.rel(), query.names()).plan()));
    }

    PhysicalPlan plan() {
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
