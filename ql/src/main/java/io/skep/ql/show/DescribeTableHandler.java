package io.skep.ql.show;

import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** DESCRIBE [EXTENDED | FORMATTED] table [PARTITION (...)] [column]. */
public final class DescribeTableHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(0);
        Table stored = context.tableOfDatabase(TableName.of(target.child(0), context));
        Table table = ShownPolicies.of(stored, context);
        String form = statement.childCount() > 1 ? statement.child(1).text().toLowerCase(Locale.ROOT) : "";
        Optional<SyntaxNode> column = target.children().stream()
                .skip(1)
                .filter(child -> !child.is(HiveParser.TOK_PARTSPEC))
                .findFirst();
        Optional<Partition> partition = target.first(HiveParser.TOK_PARTSPEC)
                .map(spec -> PartitionSpec.of(table, spec, context).partition(context));
        if (DefinitionJson.isWanted(context)) {
            return command(List.of("json"), DefinitionJson.described(table, partition, column, form, context));
        }
        if (column.isPresent()) {
            ColumnDescription description = new ColumnDescription(stored, partition, column.get(), context);
            return form.equals("formatted")
                    ? command(List.of("column_property", "value"), description.properties())
                    : command(TableDescription.COLUMNS, description.lines());
        }
        TableDescription description = new TableDescription(table, partition, context);
        return command(
                TableDescription.COLUMNS,
                switch (form) {
                    case "formatted" -> description.formatted();
                    case "extended" -> description.extended();
                    default -> description.plain();
                });
    }

    private static SqlStatement command(List<String> names, List<List<Optional<String>>> rows) {
        return CommandStatement.withText("DESCTABLE", names, log -> rows);
    }
}
