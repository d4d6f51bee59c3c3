package io.skep.ql.show;

import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.List;
import java.util.Optional;

/** SHOW CONNECTORS. */
public final class ShowConnectorsHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        boolean json = DefinitionJson.isWanted(context);
        return CommandStatement.withText("SHOWDATACONNECTORS", List.of(json ? "json" : "connector_name"), log -> {
            List<String> names = context.services().connectors().names();
            return json
                    ? DefinitionJson.rows(DefinitionJson.names("connectors", names))
                    : names.stream().map(name -> List.of(Optional.of(name))).toList();
        });
    }
}
