package io.skep.ql.alter;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.connector.DataConnector;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrincipalKind;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.DataConnectors;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** ALTER CONNECTOR name SET DCPROPERTIES, URL or OWNER. Properties are added to those that are there. */
public final class AlterConnectorHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode name = statement.child(0);
        DataConnector before = DataConnectors.require(name, context);
        UnaryOperator<DataConnector> change = change(statement, before);
        return CommandStatement.changing("ALTERDATACONNECTOR", run -> {
            run.beginCommit();
            if (!context.services().connectors().alter(before.name(), change)) {
                throw DataConnectors.notFound(name.position(), before.name());
            }
        });
    }

    private static UnaryOperator<DataConnector> change(SyntaxNode statement, DataConnector before) {
        SyntaxNode value = statement.child(1);
        return switch (statement.type()) {
            case HiveParser.TOK_ALTERDATACONNECTOR_PROPERTIES -> properties(SyntaxText.properties(value));
            case HiveParser.TOK_ALTERDATACONNECTOR_OWNER -> owner(SyntaxText.principal(value));
            default -> url(url(value, before));
        };
    }

    private static UnaryOperator<DataConnector> properties(Map<String, String> set) {
        return now -> {
            Map<String, String> properties = new TreeMap<>(now.properties());
            properties.putAll(set);
            return with(now, now.url(), now.owner(), now.ownerIsRole(), properties);
        };
    }

    private static UnaryOperator<DataConnector> owner(Principal owner) {
        boolean role = owner.kind() == PrincipalKind.ROLE;
        return now -> with(now, now.url(), owner.name(), role, now.properties());
    }

    private static UnaryOperator<DataConnector> url(String url) {
        return now -> with(now, url, now.owner(), now.ownerIsRole(), now.properties());
    }

    private static String url(SyntaxNode value, DataConnector before) {
        String wanted = SyntaxText.string(value);
        if (wanted.isBlank() || wanted.equals(before.url())) {
            throw CompileErrors.task(
                    value.position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    "New URL for data connector cannot be blank or the same as the current one");
        }
        return DataConnectors.url(value);
    }

    private static DataConnector with(
            DataConnector connector, String url, String owner, boolean role, Map<String, String> properties) {
        return new DataConnector(connector.name(), connector.type(), url, connector.comment(), owner, role, properties);
    }
}
