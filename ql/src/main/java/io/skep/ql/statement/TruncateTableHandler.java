package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** TRUNCATE TABLE name [PARTITION (...)]: all files go, partitions stay. */
final class TruncateTableHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(0);
        TableName name = TableName.of(target.child(0), context);
        Table table = context.table(name);
        refuse(table, statement, name);
        Optional<PartitionSpec> spec =
                target.first(HiveParser.TOK_PARTSPEC).map(node -> PartitionSpec.of(table, node, context));
        spec.filter(PartitionSpec::isComplete).ifPresent(complete -> complete.partition(context));
        return CommandStatement.of("TRUNCATETABLE", () -> {
            if (table.partitionKeys().isEmpty()) {
                truncate(table, context);
            } else {
                truncate(
                        table,
                        context.catalog()
                                .partitions(
                                        table,
                                        values -> spec.isEmpty() || spec.get().matches(values)),
                        context);
            }
        });
    }

    private static void refuse(Table table, SyntaxNode statement, TableName name) {
        if (statement.childCount() > 1 && statement.child(1).is(HiveParser.TOK_TABCOLNAME)) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "TRUNCATE of columns is not supported")
                    .at(statement.child(1).position());
        }
        boolean force =
                statement.children().stream().anyMatch(child -> child.text().equalsIgnoreCase("force"));
        boolean purged = "true".equalsIgnoreCase(table.properties().get("external.table.purge"));
        boolean managed = table.kind() == Table.TableKind.MANAGED_TABLE;
        if (!managed && !(table.kind() == Table.TableKind.EXTERNAL_TABLE && (force || purged))) {
            throw new SkepException(
                            StandardErrorCode.NOT_A_TABLE, "Cannot truncate non-managed table " + table.name() + ".")
                    .at(name.position());
        }
    }

    private static void truncate(Table table, StatementContext context) {
        commit(List.of(table.storage().location()), context, () -> {
            TableFigures figures = new TableFigures(context);
            Table empty = Revision.properties(table, figures.ofEmpty(table.properties()));
            TableStore.replace(table, empty, false, context);
        });
    }

    private static void truncate(Table table, List<Partition> partitions, StatementContext context) {
        if (partitions.isEmpty()) {
            return;
        }
        TableFigures figures = new TableFigures(context);
        List<Partition> empty = partitions.stream()
                .map(partition -> Revision.properties(partition, figures.ofEmpty(partition.properties())))
                .toList();
        List<String> folders = partitions.stream()
                .map(partition -> partition.storage().location())
                .toList();
        commit(folders, context, () -> context.catalog().alterPartitions(table, empty));
    }

    private static void commit(List<String> folders, StatementContext context, Runnable inCatalog) {
        List<TableCommits.Step> steps = new ArrayList<>();
        for (String folder : folders) {
            context.services()
                    .files()
                    .files(folder)
                    .forEach(file -> steps.add(new TableCommits.Step.Delete(file.path())));
        }
        context.services().commits().commit(context.queryId().value() + "-" + context.nextNumber(), steps, inCatalog);
    }
}
