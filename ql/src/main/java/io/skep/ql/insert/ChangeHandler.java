package io.skep.ql.insert;

import io.skep.engine.plan.RowChange;
import io.skep.metastore.FieldSchema;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.transaction.TableAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Compiles UPDATE and DELETE: a query of the rows that change, with their identifiers and their new values. */
public final class ChangeHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        ChangedTable changed = ChangedTable.of(statement.child(0), Optional.empty(), context);
        Optional<SyntaxNode> set = statement.first(HiveParser.TOK_SET_COLUMNS_CLAUSE);
        Map<String, SyntaxNode> values =
                set.map(clause -> changed.assignments(clause, context)).orElse(Map.of());
        RowChange change = set.isPresent() ? RowChange.UPDATE : RowChange.DELETE;
        List<SyntaxNode> selected = new ArrayList<>();
        selected.add(ChangePlanning.code(change));
        selected.add(changed.rowId());
        for (FieldSchema column : changed.table().columns()) {
            SyntaxNode kept = set.isPresent() ? changed.column(column.name()) : ChangeSyntax.expression("null");
            selected.add(values.getOrDefault(column.name(), kept));
        }
        changed.table().partitionKeys().forEach(key -> selected.add(changed.column(key.name())));
        SyntaxNode query = ChangeSyntax.query(
                ChangeSyntax.table(statement.child(0)), selected, statement.first(HiveParser.TOK_WHERE));
        TableAccess access = set.isPresent() ? TableAccess.UPDATE : TableAccess.DELETE;
        return new ChangePlanning(changed, List.of(access), context).compile(query);
    }
}
