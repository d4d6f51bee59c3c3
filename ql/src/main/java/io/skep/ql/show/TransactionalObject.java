package io.skep.ql.show;

import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The table or partition that SHOW LOCKS and SHOW COMPACTIONS name. As in Hive, a table need not exist, but one whose
 * partition is named must.
 */
record TransactionalObject(String database, String table, Optional<String> partition) {
    /** @param node TOK_TABTYPE */
    static TransactionalObject of(SyntaxNode node, StatementContext context) {
        TableName name = name(node.child(0), context);
        Optional<String> partition = node.first(HiveParser.TOK_PARTSPEC).map(spec -> {
            Table table = context.table(name);
            return PartitionName.of(
                    table, PartitionSpec.of(table, spec, context).complete());
        });
        return new TransactionalObject(name.database(), name.table(), partition);
    }

    private static TableName name(SyntaxNode node, StatementContext context) {
        if (node.is(HiveParser.TOK_TABNAME)) {
            return TableName.of(node, context);
        }
        return node.childCount() == 2
                ? new TableName(
                        SyntaxText.identifier(node.child(0)), SyntaxText.identifier(node.child(1)), node.position())
                : new TableName(context.session().currentDatabase(), SyntaxText.identifier(node), node.position());
    }
}
