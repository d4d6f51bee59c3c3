package io.skep.ql.show;

import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statistics.StatisticsProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** SHOW TBLPROPERTIES table [('key')]. */
public final class ShowPropertiesHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Table table = ShownPolicies.of(context.table(TableName.of(statement.child(0), context)), context);
        Optional<String> key =
                statement.childCount() > 1 ? Optional.of(SyntaxText.string(statement.child(1))) : Optional.empty();
        return CommandStatement.withText(
                "SHOW_TBLPROPERTIES",
                List.of("prpt_name", "prpt_value"),
                log -> key.map(name -> one(table, name)).orElseGet(() -> all(table)));
    }

    private static List<List<Optional<String>>> one(Table table, String name) {
        String value = StatisticsProperties.shown(table.properties()).get(name);
        return value == null
                ? List.of(List.of(
                        Optional.of("Table " + table.qualifiedName() + " does not have property: " + name),
                        Optional.empty()))
                : List.of(List.of(Optional.of(name), Optional.of(value)));
    }

    private static List<List<Optional<String>>> all(Table table) {
        List<List<Optional<String>>> rows = new ArrayList<>();
        StatisticsProperties.shown(table.properties())
                .forEach((name, value) -> rows.add(List.of(Optional.of(name), Optional.of(value))));
        return rows;
    }
}
