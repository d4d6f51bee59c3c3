package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.SyntaxNode;
import java.util.List;
import java.util.Optional;

/** New names for tables, views and partitions, and a new query for a view. */
final class AlterRename {
    private AlterRename() {}

    static Runnable table(AlterTableHandler.Alteration alteration) {
        StatementContext context = alteration.context();
        Table table = alteration.table();
        TableName name = TableName.of(alteration.clause().child(0), context);
        context.database(name.database(), name.position());
        if (context.session().table(name.database(), name.table()).isPresent()) {
            throw new SkepException(
                            StandardErrorCode.TABLE_EXISTS, "a table of the name " + name.qualified() + " exists")
                    .at(name.position());
        }
        return () -> {
            TableStore.replace(table, Revision.named(table, name.database(), name.table()), false, context);
            context.session().table(name.database(), name.table()).ifPresent(moved -> sweep(table, moved, context));
        };
    }

    /** Writes to the table by its old name are going to fail; what they have written so far has moved along. */
    private static void sweep(Table before, Table moved, StatementContext context) {
        String folder = moved.storage().location();
        if (folder.isEmpty() || folder.equals(before.storage().location())) {
            return;
        }
        TableFiles files = context.services().files();
        for (String name : files.names(folder)) {
            if (name.startsWith(InsertPlanning.STAGING)) {
                files.delete(folder + "/" + name);
            }
        }
    }

    static Runnable partition(AlterTableHandler.Alteration alteration) {
        StatementContext context = alteration.context();
        Table table = alteration.table();
        SyntaxNode old = alteration
                .partition()
                .orElseThrow(() -> alteration.notSupported("renaming partitions without naming one"));
        Partition partition = PartitionSpec.of(table, old, context).partition(context);
        List<String> values =
                PartitionSpec.of(table, alteration.clause().child(0), context).complete();
        if (context.catalog().partition(table, values).isPresent()) {
            throw new SkepException(StandardErrorCode.PARTITION_EXISTS, "the partition " + values + " exists already")
                    .at(alteration.clause().position());
        }
        return () -> context.catalog().renamePartition(table, partition.values(), Revision.values(partition, values));
    }

    static Runnable viewQuery(AlterTableHandler.Alteration alteration) {
        Table view = alteration.table();
        SyntaxNode query = alteration.clause().child(0);
        TableName name =
                new TableName(view.database(), view.name(), alteration.clause().position());
        ViewDefinition definition = ViewDefinition.of(name, query, List.of(), Optional.empty(), alteration.context());
        CreateViewHandler.requireSameKeys(view, definition, name, alteration.context());
        Table changed = Revision.view(
                Revision.partitionKeys(view, List.of()),
                definition.storage(),
                definition.original(),
                definition.expanded());
        return () -> TableStore.replace(view, changed, false, alteration.context());
    }
}
