package io.skep.ql.create;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.DataConnectors;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** DROP CONNECTOR [IF EXISTS] name. Databases may still refer to it, as in Hive. */
public final class DropConnectorHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode node = statement.child(0);
        String name = SyntaxText.identifier(node);
        boolean ifExists = statement.has(HiveParser.TOK_IFEXISTS);
        if (!ifExists) {
            DataConnectors.require(node, context);
        }
        return CommandStatement.changing("DROPDATACONNECTOR", run -> {
            run.beginCommit();
            if (!context.services().connectors().drop(name) && !ifExists) {
                throw DataConnectors.notFound(node.position(), name);
            }
        });
    }
}
