package io.skep.ql.schedule;

import io.skep.metastore.schedule.ScheduledQuery;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** What the clauses of CREATE and ALTER change of a scheduled query. */
final class ScheduleClause {
    private ScheduleClause() {}

    static UnaryOperator<ScheduledQuery> of(SyntaxNode clause, StatementContext context) {
        if (ScheduleExpression.isSchedule(clause)) {
            String expression = ScheduleExpression.of(clause);
            ScheduleKey.requireShort("the schedule", expression, clause);
            return query -> query.withSchedule(expression);
        }
        return switch (clause.type()) {
            case HiveParser.TOK_EXECUTED_AS -> {
                String user = SyntaxText.string(clause.child(0));
                ScheduleKey.requireShort("the user", user, clause);
                yield query -> query.withUser(user);
            }
            case HiveParser.TOK_ENABLE -> query -> query.withEnabled(true);
            case HiveParser.TOK_DISABLE -> query -> query.withEnabled(false);
            default -> throw new IllegalStateException(clause + " in " + context.queryId());
        };
    }

    /**
     * Compiles a scheduled statement, so that its mistakes show at once.
     *
     * @param statements compiles statements of any kind
     */
    static UnaryOperator<ScheduledQuery> statement(
            SyntaxNode scheduled, StatementHandler statements, StatementContext context) {
        try (SqlStatement _ = statements.compile(scheduled, context)) {
            String text = ScheduledStatement.text(scheduled, context);
            return query -> query.withStatement(text);
        }
    }
}
