package io.skep.ql.show;

import io.skep.metastore.connector.DataConnector;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.DataConnectors;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** DESCRIBE CONNECTOR [EXTENDED] name. EXTENDED shows the properties, in which there may be passwords. */
public final class DescribeConnectorHandler implements StatementHandler {
    private static final String OPERATION = "DESCDATACONNECTOR";

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        DataConnector connector = DataConnectors.require(statement.child(0), context);
        boolean extended = statement.childCount() > 1;
        if (DefinitionJson.isWanted(context)) {
            return CommandStatement.withText(
                    OPERATION, List.of("json"), log -> DefinitionJson.rows(json(connector, extended)));
        }
        List<String> columns = new ArrayList<>(List.of("name", "type", "url", "owner_name", "owner_type", "comment"));
        List<Optional<String>> row = new ArrayList<>();
        row.add(Optional.of(connector.name()));
        row.add(Optional.of(connector.type()));
        row.add(Optional.of(connector.url()));
        row.add(Optional.of(connector.owner()));
        row.add(Optional.of(ownerType(connector)));
        row.add(Optional.of(connector.comment().orElse("")));
        if (extended) {
            columns.add("parameters");
            row.add(Optional.of(DescribeDatabaseHandler.parameters(connector.properties())));
        }
        return CommandStatement.withText(OPERATION, columns, log -> List.of(row));
    }

    private static String ownerType(DataConnector connector) {
        return connector.ownerIsRole() ? "ROLE" : "USER";
    }

    private static Map<String, Object> json(DataConnector connector, boolean extended) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("connector", connector.name());
        json.put("type", connector.type());
        json.put("url", connector.url());
        json.put("owner", connector.owner());
        json.put("ownerType", ownerType(connector));
        connector.comment().ifPresent(comment -> json.put("comment", comment));
        if (extended && !connector.properties().isEmpty()) {
            json.put("params", new TreeMap<>(connector.properties()));
        }
        return json;
    }
}
