package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.connector.DataConnector;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.DataConnectors;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** CREATE CONNECTOR [IF NOT EXISTS] name TYPE 'type' URL 'url' [COMMENT] [WITH DCPROPERTIES]. */
public final class CreateConnectorHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode name = statement.child(0);
        DataConnector connector = new DataConnector(
                SyntaxText.identifier(name),
                text(statement, HiveParser.TOK_DATACONNECTORTYPE)
                        .map(SyntaxText::string)
                        .orElseThrow(),
                text(statement, HiveParser.TOK_DATACONNECTORURL)
                        .map(DataConnectors::url)
                        .orElseThrow(),
                text(statement, HiveParser.TOK_DATACONNECTORCOMMENT).map(SyntaxText::string),
                context.session().user(),
                false,
                statement
                        .first(HiveParser.TOK_PROPERTIES)
                        .map(SyntaxText::properties)
                        .orElse(Map.of()));
        boolean ifNotExists = statement.has(HiveParser.TOK_IFNOTEXISTS);
        return CommandStatement.changing("CREATEDATACONNECTOR", run -> {
            run.beginCommit();
            if (!context.services().connectors().create(connector) && !ifNotExists) {
                ErrorMsg error = ErrorMsg.DATACONNECTOR_ALREADY_EXISTS;
                throw CompileErrors.namedTask(
                        name.position(), StandardErrorCode.CONNECTOR_EXISTS, error, error.format(connector.name()));
            }
        });
    }

    private static Optional<SyntaxNode> text(SyntaxNode statement, int clause) {
        return statement.first(clause).map(node -> node.child(0));
    }
}
