package io.skep.ql.schedule;

import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.metastore.schedule.ScheduledQueryStore;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * ALTER SCHEDULED QUERY name schedule | EXECUTED AS 'user' | ENABLE | DISABLE | [DEFINED] AS statement | EXECUTE. Each
 * but the last also computes when the query is due next.
 */
public final class AlterScheduledQueryHandler implements StatementHandler {
    private static final String OPERATION = "ALTER_SCHEDULED_QUERY";

    private final StatementHandler statements;

    /** @param statements compiles statements of any kind */
    public AlterScheduledQueryHandler(StatementHandler statements) {
        this.statements = statements;
    }

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        context.access().check();
        SyntaxNode name = statement.child(0);
        SyntaxNode clause = statement.child(1);
        ScheduledQuery before = ScheduleOwner.find(OPERATION, name, context);
        ScheduledQueryStore schedules = context.services().schedules();
        if (clause.is(HiveParser.TOK_EXECUTE)) {
            return CommandStatement.of(OPERATION, () -> schedules.execute(before.namespace(), before.name()));
        }
        UnaryOperator<ScheduledQuery> change = clause.is(HiveParser.TOK_QUERY)
                ? ScheduleClause.statement(clause.child(0), statements, context)
                : ScheduleClause.of(clause, context);
        if (clause.is(HiveParser.TOK_EXECUTED_AS)) {
            ScheduleOwner.require(OPERATION, change.apply(before), clause.position(), context);
        }
        return CommandStatement.of(
                OPERATION,
                () -> schedules.alter(before.namespace(), before.name(), now -> {
                    // Another statement may have given it to another user meanwhile.
                    ScheduleOwner.require(OPERATION, now, name.position(), context);
                    return change.apply(now);
                }));
    }
}
