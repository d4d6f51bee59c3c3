package io.skep.ql.statement;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** DROP DATABASE [IF EXISTS] name [RESTRICT | CASCADE]. */
final class DropDatabaseHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode name = statement.child(0);
        String database = Texts.identifier(name);
        boolean ifExists = statement.has(HiveParser.TOK_IFEXISTS);
        boolean cascade = statement.has(HiveParser.TOK_CASCADE);
        return CommandStatement.of("DROPDATABASE", () -> {
            if (context.catalog().database(database).isPresent()) {
                context.catalog().dropDatabase(database, cascade);
            } else if (!ifExists) {
                context.database(database, name.position());
            }
        });
    }
}
