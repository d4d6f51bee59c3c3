package io.skep.ql.create;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Database;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.DataConnectors;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * CREATE DATABASE [IF NOT EXISTS] name [COMMENT] [LOCATION] [MANAGEDLOCATION] [WITH DBPROPERTIES], and CREATE REMOTE
 * DATABASE [IF NOT EXISTS] name [COMMENT] USING connector [WITH DBPROPERTIES].
 */
public final class CreateDatabaseHandler implements StatementHandler {
    /** The property that names the other system's database, if it has another name there. */
    private static final String REMOTE_NAME = "connector.remoteDbName";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        String name = SyntaxText.identifier(statement.child(0));
        Map<String, String> properties = statement
                .first(HiveParser.TOK_PROPERTIES)
                .map(SyntaxText::properties)
                .orElse(Map.of());
        Optional<Database.Remote> remote = statement
                .first(HiveParser.TOK_DATACONNECTOR)
                .map(connector -> new Database.Remote(
                        DataConnectors.require(connector.child(0), context).name(),
                        properties.getOrDefault(REMOTE_NAME, name)));
        Database database = new Database(
                name,
                text(statement, HiveParser.TOK_DATABASECOMMENT),
                location(statement, HiveParser.TOK_DATABASELOCATION, context)
                        .orElse(context.services().warehouse() + "/" + name + ".db"),
                location(statement, HiveParser.TOK_DATABASE_MANAGEDLOCATION, context),
                context.session().user(),
                false,
                properties,
                remote);
        boolean ifNotExists = statement.has(HiveParser.TOK_IFNOTEXISTS);
        Consumer<CommandRun> create = run -> {
            if (context.catalog().database(name).isEmpty()) {
                run.beginCommit();
                context.catalog().createDatabase(database);
            } else if (!ifNotExists) {
                throw CompileErrors.namedTask(
                        statement.child(0).position(),
                        StandardErrorCode.DATABASE_EXISTS,
                        ErrorMsg.DATABASE_ALREADY_EXISTS,
                        ErrorMsg.DATABASE_ALREADY_EXISTS.format(name));
            }
        };
        return CommandStatement.changing(
                "CREATEDATABASE", run -> ExclusiveTables.runForDatabase(name, context, () -> create.accept(run)));
    }

    private static Optional<String> location(SyntaxNode statement, int type, StatementContext context) {
        return statement
                .first(type)
                .map(node -> context.services()
                        .paths()
                        .check(SyntaxText.string(node.child(0)), node.child(0).position()));
    }

    private static Optional<String> text(SyntaxNode statement, int type) {
        return statement.first(type).map(node -> SyntaxText.string(node.child(0)));
    }
}
