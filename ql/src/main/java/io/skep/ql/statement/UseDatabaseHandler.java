package io.skep.ql.statement;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;

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
