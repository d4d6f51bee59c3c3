package io.skep.ql.schedule;

import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;

/** DROP SCHEDULED QUERY name. An execution that is under way continues; what is known about executions is deleted. */
public final class DropScheduledQueryHandler implements StatementHandler {
    private static final String OPERATION = "DROP_SCHEDULED_QUERY";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        ScheduledQuery query = ScheduleOwner.find(OPERATION, statement.child(0), context);
        return CommandStatement.of(
                OPERATION, () -> context.services().schedules().drop(query.namespace(), query.name()));
    }
}
