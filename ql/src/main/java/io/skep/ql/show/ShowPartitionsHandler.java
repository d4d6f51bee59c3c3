package io.skep.ql.show;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** SHOW PARTITIONS table [PARTITION (...)] [WHERE condition] [ORDER BY columns] [LIMIT n]. */
public final class ShowPartitionsHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        TableName name = TableName.asWritten(statement.child(0), context);
        Table table = context.table(name);
        if (table.partitionKeys().isEmpty()) {
            throw CompileErrors.namedTask(
                    name.position(),
                    StandardErrorCode.INVALID_PARTITION,
                    ErrorMsg.TABLE_NOT_PARTITIONED,
                    ErrorMsg.TABLE_NOT_PARTITIONED.format(table.name()));
        }
        Optional<PartitionFilter> filter =
                statement.first(HiveParser.TOK_WHERE).map(where -> new PartitionFilter(table, where.child(0), context));
        Comparator<String> order = statement
                .first(HiveParser.TOK_ORDERBY)
                .map(clause -> PartitionOrder.of(table, clause))
                .orElse((_, _) -> 0);
        Optional<PartitionSpec> spec =
                statement.first(HiveParser.TOK_PARTSPEC).map(node -> PartitionSpec.of(table, node, context));
        long limit = statement
                .first(HiveParser.TOK_LIMIT)
                .map(node -> Long.parseLong(node.child(node.childCount() - 1).text()))
                .orElse(Long.MAX_VALUE);
        Predicate<String> wanted = partition -> spec.isEmpty() || spec.get().matches(PartitionName.values(partition));
        boolean json = DefinitionJson.isWanted(context);
        return CommandStatement.withText("SHOWPARTITIONS", List.of("partition"), log -> {
            List<String> named = context.catalog().partitionNames(table).stream()
                    .filter(wanted)
                    .toList();
            List<String> shown = filter.map(condition -> condition.matching(named)).orElse(named).stream()
                    .sorted(order)
                    .limit(limit)
                    .toList();
            return json ? DefinitionJson.rows(DefinitionJson.partitions(table, shown)) : texts(shown, context);
        });
    }

    private static List<List<Optional<String>>> texts(List<String> partitions, StatementContext context) {
        boolean decode = context.settings().getBoolean("hive.decode.partition.name");
        return partitions.stream()
                .map(partition -> List.of(Optional.of(decode ? PartitionName.unescape(partition) : partition)))
                .toList();
    }
}
