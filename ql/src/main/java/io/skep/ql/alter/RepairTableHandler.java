package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.AcidFolder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * MSCK [REPAIR] TABLE name [ADD | DROP | SYNC PARTITIONS]. Makes the catalog's partitions agree with the existing
 * folders.
 */
public final class RepairTableHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        Set<String> words = new HashSet<>();
        TableName name = null;
        for (SyntaxNode child : statement.children()) {
            if (child.is(org.apache.hadoop.hive.ql.parse.HiveParser.TOK_TABNAME)) {
                name = TableName.asWritten(child, context);
            } else {
                words.add(child.text().toLowerCase(Locale.ROOT));
            }
        }
        if (name == null) {
            throw new SkepException(StandardErrorCode.SYNTAX_ERROR, "MSCK names a table").at(statement.position());
        }
        Table table = context.table(name);
        AlterTableHandler.refuseRows(table, statement);
        boolean repair = words.contains("repair");
        boolean drops = words.contains("drop") || words.contains("sync");
        boolean adds = !words.contains("drop");
        TableName wanted = name;
        List<TableUse> uses = TransactionalChange.uses(table, TableAccess.DEFINE_EXCLUSIVE);
        return CommandStatement.changing("MSCK", run -> {
            if (repair && !table.partitionKeys().isEmpty()) {
                TransactionalChange.define(
                        uses,
                        run,
                        context,
                        scope -> ExclusiveTables.run(wanted, context, () -> {
                            Table now = context.table(wanted);
                            TransactionalChange.requireLocked(now, uses);
                            TransactionalChange.changeRows(now, uses, scope);
                            repair(now, adds, drops, run, scope, context);
                        }));
            }
        });
    }

    /**
     * Repairs a table. All folders are listed before the first change, so that a cancelled statement has changed
     * nothing.
     */
    private static void repair(
            Table table,
            boolean adds,
            boolean drops,
            CommandRun run,
            TransactionScope scope,
            StatementContext context) {
        List<Partition> known = context.catalog().partitions(table, values -> true);
        List<List<String>> gone = drops ? gone(known, context.services().files()) : List.of();
        List<Partition> fresh = new ArrayList<>();
        if (adds) {
            Set<List<String>> there = new HashSet<>();
            known.forEach(partition -> there.add(partition.values()));
            collect(table, table.storage().location(), new ArrayList<>(), there, fresh, context);
        }
        if (gone.isEmpty() && fresh.isEmpty()) {
            return;
        }
        if (table.isTransactional()) {
            long given = scope.transaction().snapshot(table).getHighWatermark();
            fresh.forEach(partition -> requireKnown(table, partition, given, context));
        }
        run.beginCommit();
        if (!gone.isEmpty()) {
            context.catalog().dropPartitions(table, gone, DroppedFiles.KEPT);
        }
        if (!fresh.isEmpty()) {
            context.catalog().addPartitions(table, fresh, true);
        }
    }

    /**
     * Refuses a folder with write ids that the table has not given yet. Its rows would become those of later
     * transactions.
     */
    private static void requireKnown(Table table, Partition partition, long known, StatementContext context) {
        Interruption.check();
        String location = partition.storage().location();
        long highest = context.services().files().folders(location).stream()
                .flatMap(folder -> AcidFolder.parse(folder.substring(folder.lastIndexOf('/') + 1)).stream())
                .mapToLong(AcidFolder::maxWriteId)
                .max()
                .orElse(0);
        if (highest > known) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PATH,
                            "The maximum writeId " + highest + " in table " + table.qualifiedName()
                                    + " is greater than the maximum allocated in the metastore " + known + ": "
                                    + location)
                    .withHint("the folder is of another table; move it away, or copy its rows with INSERT ... SELECT");
        }
    }

    private static List<List<String>> gone(List<Partition> known, TableFiles files) {
        List<List<String>> gone = new ArrayList<>();
        for (Partition partition : known) {
            Interruption.check();
            if (!files.exists(partition.storage().location())) {
                gone.add(partition.values());
            }
        }
        return gone;
    }

    /** Collects folders named {@code key=value} level by level; others are not partitions. */
    private static void collect(
            Table table,
            String folder,
            List<String> values,
            Set<List<String>> there,
            List<Partition> fresh,
            StatementContext context) {
        Interruption.check();
        List<FieldSchema> keys = table.partitionKeys();
        if (values.size() == keys.size()) {
            if (!there.contains(values)) {
                fresh.add(AlterPartitions.found(table, values, folder, context));
            }
            return;
        }
        String prefix = keys.get(values.size()).name() + "=";
        for (String below : context.services().files().folders(folder)) {
            String name = below.substring(below.lastIndexOf('/') + 1);
            // Hive neither creates nor finds a folder without a value.
            if (name.toLowerCase(Locale.ROOT).startsWith(prefix) && name.length() > prefix.length()) {
                List<String> longer = new ArrayList<>(values);
                longer.add(PartitionName.unescape(name.substring(prefix.length())));
                collect(table, below, longer, there, fresh, context);
            }
        }
    }
}
