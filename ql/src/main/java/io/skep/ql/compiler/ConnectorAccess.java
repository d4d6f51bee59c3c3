package io.skep.ql.compiler;

import io.skep.ql.authorize.AccessNeed;
import io.skep.ql.authorize.AccessedObject.OfConnector;
import io.skep.ql.authorize.RequiredPrivilege;
import io.skep.ql.authorize.StatementNeeds;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;

/**
 * The needs of statements about data connectors. As in Hive, only the role admin may change them and all may list and
 * describe them, but their properties, in which there may be passwords, are shown to the role admin only.
 */
final class ConnectorAccess {
    private ConnectorAccess() {}

    static AccessRule change(String operation) {
        return (statement, context) ->
                StatementNeeds.of(operation, AccessNeed.output(object(statement), RequiredPrivilege.ADMIN));
    }

    static StatementNeeds described(SyntaxNode statement, StatementContext context) {
        AccessNeed need = statement.childCount() > 1
                ? AccessNeed.input(object(statement), RequiredPrivilege.ADMIN)
                : AccessNeed.input(object(statement));
        return StatementNeeds.of("DESCDATACONNECTOR", need);
    }

    private static OfConnector object(SyntaxNode statement) {
        return new OfConnector(SyntaxText.identifier(statement.child(0)));
    }
}
