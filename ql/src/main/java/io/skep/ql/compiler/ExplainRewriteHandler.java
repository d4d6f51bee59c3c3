package io.skep.ql.compiler;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.List;

/**
 * EXPLAIN REWRITE, which shows how subqueries were rewritten as text. As in Hive since its cost-based optimizer, none
 * are: the query is checked, and nothing is shown.
 */
final class ExplainRewriteHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        StatementKinds.compile(statement.child(0), context).close();
        return CommandStatement.withText("EXPLAIN", List.of("Explain"), log -> List.of());
    }
}
