package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
                truncate(table, values -> spec.isEmpty() || spec.get().matches(values), context);
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
        commit(table, () -> List.of(table.storage().location()), context, () -> {
            Table now = context.session().table(table.database(), table.name()).orElse(table);
            Map<String, String> properties = new TableFigures(context).ofEmpty(now.properties());
            TableStore.replace(now, Revision.properties(now, properties), false, context);
        });
    }

    private static void truncate(Table table, Predicate<List<String>> wanted, StatementContext context) {
        List<Partition> partitions = new ArrayList<>();
        Supplier<List<String>> folders = () -> {
            partitions.addAll(context.catalog().partitions(table, wanted));
            return partitions.stream()
                    .map(partition -> partition.storage().location())
                    .toList();
        };
        commit(table, folders, context, () -> {
            TableFigures figures = new TableFigures(context);
            List<Partition> empty = partitions.stream()
                    .map(partition -> Revision.properties(partition, figures.ofEmpty(partition.properties())))
                    .toList();
            if (!empty.isEmpty()) {
                context.catalog().alterPartitions(table, empty);
            }
        });
    }

    private static void commit(
            Table table, Supplier<List<String>> folders, StatementContext context, Runnable inCatalog) {
        TableFiles files = context.services().files();
        Supplier<List<TableCommits.Step>> steps = () -> {
            List<TableCommits.Step> deletes = new ArrayList<>();
            for (String folder : folders.get()) {
                files.files(folder).forEach(file -> deletes.add(TableCommits.Step.deleteOf(file.path(), table)));
            }
            return deletes;
        };
        context.services()
                .commits()
                .commit(
                        context.queryId().value() + "-" + context.nextNumber(),
                        TableStore.isTemporary(table, context) ? List.of() : List.of(table),
                        steps,
                        inCatalog);
    }
}
