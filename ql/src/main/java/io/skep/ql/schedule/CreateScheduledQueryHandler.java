package io.skep.ql.schedule;

import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * CREATE SCHEDULED QUERY name CRON 'expression' | EVERY [n] unit [AT | OFFSET BY 'time'] [EXECUTED AS 'user'] [ENABLE |
 * DISABLE] [DEFINED] AS statement.
 */
public final class CreateScheduledQueryHandler implements StatementHandler {
    private static final String OPERATION = "CREATE_SCHEDULED_QUERY";

    private final StatementHandler statements;

    /** @param statements compiles statements of any kind */
    public CreateScheduledQueryHandler(StatementHandler statements) {
        this.statements = statements;
    }

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        context.access().check();
        SyntaxNode name = statement.child(0);
        ScheduleKey key = ScheduleKey.of(name, context);
        ScheduledQuery query = new ScheduledQuery(
                key.namespace(),
                key.name(),
                context.settings().getBoolean(ScheduleSettings.CREATE_AS_ENABLED.name()),
                "",
                context.session().user(),
                "");
        for (SyntaxNode clause : statement.children().subList(1, statement.childCount())) {
            if (!clause.is(HiveParser.TOK_QUERY)) {
                query = ScheduleClause.of(clause, context).apply(query);
            }
        }
        ScheduleOwner.require(OPERATION, query, name.position(), context);
        SyntaxNode scheduled = statement.first(HiveParser.TOK_QUERY).orElseThrow();
        ScheduledQuery made = ScheduleClause.statement(scheduled.child(0), statements, context)
                .apply(query);
        return CommandStatement.of(
                OPERATION, () -> context.services().schedules().create(made));
    }
}
