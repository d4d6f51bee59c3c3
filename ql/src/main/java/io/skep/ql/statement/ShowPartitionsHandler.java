package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** SHOW PARTITIONS table [PARTITION (...)] [LIMIT n]. */
final class ShowPartitionsHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.of(statement.child(0), context);
        Table table = context.table(name);
        if (table.partitionKeys().isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PARTITION,
                            "Table " + table.name() + " is not a partitioned table")
                    .at(name.position());
        }
        for (int type : List.of(HiveParser.TOK_WHERE, HiveParser.TOK_ORDERBY)) {
            statement.first(type).ifPresent(clause -> {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "SHOW PARTITIONS with WHERE or ORDER BY is not supported yet")
                        .at(clause.position());
            });
        }
        Optional<PartitionSpec> spec =
                statement.first(HiveParser.TOK_PARTSPEC).map(node -> PartitionSpec.of(table, node, context));
        long limit = statement
                .first(HiveParser.TOK_LIMIT)
                .map(node -> Long.parseLong(node.child(node.childCount() - 1).text()))
                .orElse(Long.MAX_VALUE);
        boolean decode = context.settings().getBoolean("hive.decode.partition.name");
        Predicate<String> wanted = partition -> spec.isEmpty() || spec.get().matches(PartitionName.values(partition));
        return CommandStatement.withText(
                "SHOWPARTITIONS",
                List.of("partition"),
                log -> context.catalog().partitionNames(table).stream()
                        .filter(wanted)
                        .limit(limit)
                        .map(partition -> List.of(Optional.of(decode ? PartitionName.unescape(partition) : partition)))
                        .toList());
    }
}
