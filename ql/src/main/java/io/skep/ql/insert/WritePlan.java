package io.skep.ql.insert;

import io.skep.ql.physical.PhysicalPlan;
import io.skep.ql.query.ListedPlan;
import io.skep.ql.query.ViewedPlan;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.TransactionScope;

/**
 * The plan of a write.
 *
 * @param plan the plan to show
 * @param fromSources the plan that reads no materialized view, of which the tables are read that the query names
 * @param listed the plan that runs, with its files
 */
record WritePlan(PhysicalPlan plan, PhysicalPlan fromSources, ListedPlan listed) {
    static WritePlan of(PhysicalPlan plan, TransactionScope scope, StatementContext context) {
        return new WritePlan(plan, plan, new ListedPlan(plan, context, scope));
    }

    static WritePlan of(ViewedPlan viewed, TransactionScope scope, StatementContext context) {
        return new WritePlan(viewed.plan(), viewed.fromSources(), ListedPlan.of(viewed, context, scope));
    }
}
