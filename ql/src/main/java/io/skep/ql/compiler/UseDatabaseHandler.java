package io.skep.ql.compiler;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;

/** USE database. */
final class UseDatabaseHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode name = statement.child(0);
        String database = SyntaxText.identifier(name);
        context.database(database, name.position());
        return CommandStatement.of("SWITCHDATABASE", () -> context.session().useDatabase(database));
    }
}
