package io.skep.ql.compiler;

import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.alter.TruncateTableHandler;
import io.skep.ql.insert.ChangeHandler;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Compiles DELETE. Without a condition it is a TRUNCATE of a table whose rows have no identifiers, as in Hive, and
 * needs what TRUNCATE needs. Hive truncates tables with row identifiers too. Their rows are deleted here, since a
 * TRUNCATE would wait for other writers.
 */
final class DeleteHandler implements StatementHandler {
    private static final HiveSqlParser PARSER = new HiveSqlParser(Map.of());

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        return truncation(statement, context)
                .map(truncation -> new TruncateTableHandler().compile(truncation, context))
                .orElseGet(() -> new ChangeHandler().compile(statement, context));
    }

    /** Returns the TRUNCATE that a DELETE stands for. */
    static Optional<SyntaxNode> truncation(SyntaxNode delete, StatementContext context) {
        SyntaxNode name = delete.child(0);
        TableName wanted = TableName.of(name, context);
        if (delete.first(HiveParser.TOK_WHERE).isPresent()
                || context.session()
                        .table(wanted.database(), wanted.table())
                        .filter(DeleteHandler::isTruncated)
                        .isEmpty()) {
            return Optional.empty();
        }
        SyntaxNode template = PARSER.parse("truncate table a");
        return Optional.of(template.withChildren(List.of(template.child(0).withChildren(List.of(name)))));
    }

    private static boolean isTruncated(Table table) {
        boolean isTable =
                table.kind() == Table.TableKind.MANAGED_TABLE || table.kind() == Table.TableKind.EXTERNAL_TABLE;
        return isTable && (!table.isTransactional() || table.isInsertOnly());
    }
}
