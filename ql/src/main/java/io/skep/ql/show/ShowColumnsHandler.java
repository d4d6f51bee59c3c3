package io.skep.ql.show;

import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** SHOW [SORTED] COLUMNS IN table [IN database] [LIKE pattern]. */
public final class ShowColumnsHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.asWritten(statement.child(0), context);
        Optional<String> pattern = Optional.empty();
        boolean sorted = false;
        for (int i = 1; i < statement.childCount(); i++) {
            SyntaxNode child = statement.child(i);
            if (child.is(HiveParser.TOK_FROM)) {
                name = new TableName(SyntaxText.identifier(statement.child(++i)), name.table(), name.position());
                context.database(name.database(), child.position());
            } else if (child.text().equalsIgnoreCase("sorted")) {
                sorted = true;
            } else {
                pattern = Optional.of(SyntaxText.string(child));
            }
        }
        List<List<Optional<String>>> rows = rows(context.table(name), pattern, sorted);
        return CommandStatement.withText("SHOWCOLUMNS", List.of("field"), log -> rows);
    }

    private static List<List<Optional<String>>> rows(Table table, Optional<String> pattern, boolean sorted) {
        List<FieldSchema> columns = new ArrayList<>(table.columns());
        columns.addAll(table.partitionKeys());
        List<String> names = new ArrayList<>(columns.stream()
                .map(FieldSchema::name)
                .filter(SyntaxText.starred(pattern))
                .toList());
        if (sorted) {
            names.sort(null);
        }
        return names.stream().map(column -> List.of(Optional.of(column))).toList();
    }
}
