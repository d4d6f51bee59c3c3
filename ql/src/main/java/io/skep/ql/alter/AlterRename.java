package io.skep.ql.alter;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FolderMove;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.commit.RenameRequest;
import io.skep.ql.create.CreateViewHandler;
import io.skep.ql.create.ViewDefinition;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.transaction.TableUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Renames tables, views and partitions, and replaces the query of a view. */
final class AlterRename {
    private AlterRename() {}

    /** Renames a table, after looking it up again under the leases of both names. */
    static Consumer<CommandRun> table(Alteration alteration) {
        StatementContext context = alteration.context();
        Table table = alteration.table();
        TableName old = new TableName(
                table.database(), table.name(), alteration.clause().position());
        TableName name = TableName.of(alteration.clause().child(0), context);
        if (table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            throw alteration.notSupported("RENAME of a materialized view");
        }
        requireFree(name, context);
        List<TableName> leased = new ArrayList<>(List.of(old, name));
        if (!name.database().equals(table.database())) {
            leased.add(new TableName(name.database(), "", name.position()));
        }
        List<TableUse> uses = AlterLocks.of(alteration);
        return run -> TransactionalChange.define(
                uses,
                run,
                context,
                () -> ExclusiveTables.renaming(leased, run, context, renames -> {
                    Table now = context.table(old);
                    AlterTableHandler.check(now, table.kind() == Table.TableKind.VIRTUAL_VIEW, old);
                    TransactionalChange.requireLocked(now, uses);
                    requireFree(name, context);
                    Table renamed = Revision.named(now, name.database(), name.table());
                    Runnable inCatalog = () -> TableStore.replace(now, renamed, false, context);
                    if (TableStore.isTemporary(now, context)) {
                        run.beginCommit();
                        inCatalog.run();
                    } else {
                        Optional<FolderMove> folder = context.catalog().movedFolder(now, renamed);
                        renames.accept(RenameRequest.ofTable(now, renamed, folder, inCatalog));
                    }
                }));
    }

    private static void requireFree(TableName name, StatementContext context) {
        context.database(name.database(), name.position());
        if (context.session().table(name.database(), name.table()).isPresent()) {
            throw CompileErrors.task(
                    name.position(),
                    StandardErrorCode.TABLE_EXISTS,
                    ErrorMsg.REPL_INVALID_ALTER_TABLE,
                    "Unable to alter table. new table " + name.qualified() + " already exists");
        }
    }

    static Consumer<CommandRun> partition(Alteration alteration) {
        StatementContext context = alteration.context();
        Table table = alteration.table();
        TableName name = new TableName(
                table.database(), table.name(), alteration.clause().position());
        partitionOf(table, alteration);
        List<TableUse> uses = AlterLocks.of(alteration);
        return run -> TransactionalChange.define(
                uses,
                run,
                context,
                scope -> ExclusiveTables.renaming(List.of(name), run, context, renames -> {
                    Table now = context.table(name);
                    AlterTableHandler.check(now, table.kind() == Table.TableKind.VIRTUAL_VIEW, name);
                    TransactionalChange.requireLocked(now, uses);
                    TransactionalChange.changeRows(now, uses, scope);
                    renames.accept(partitionOf(now, alteration));
                }));
    }

    private static RenameRequest partitionOf(Table table, Alteration alteration) {
        StatementContext context = alteration.context();
        SyntaxNode old = alteration
                .partition()
                .orElseThrow(() -> alteration.notSupported("renaming partitions without naming one"));
        Partition partition = PartitionSpec.of(table, old, context).partition(context);
        List<String> values = PartitionSpec.of(table, alteration.clause().child(0), context)
                .completeNew("get partition: Value for key %s is null or empty");
        if (context.catalog().partition(table, values).isPresent()) {
            throw CompileErrors.task(
                    alteration.clause().position(),
                    StandardErrorCode.PARTITION_EXISTS,
                    ErrorMsg.GENERIC_ERROR,
                    "Unable to rename partition. Partition already exists:" + table.qualifiedName() + "." + values);
        }
        return RenameRequest.ofPartition(
                table,
                PartitionName.of(table, partition.values()),
                PartitionName.of(table, values),
                context.catalog().movedFolder(table, partition, values),
                () -> context.catalog().renamePartition(table, partition.values(), Revision.values(partition, values)));
    }

    static Runnable viewQuery(Alteration alteration) {
        Table view = alteration.table();
        PolicyProperties.refuseReplacement(view, alteration.clause().position());
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
