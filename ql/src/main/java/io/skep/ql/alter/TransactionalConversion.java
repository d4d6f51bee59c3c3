package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.insert.LoadedFile;
import io.skep.ql.insert.TransactionalLoad;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.ListBucketRules;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.storage.acid.AcidWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * SET TBLPROPERTIES ('transactional' = 'true') of a plain table, also to give row ids to an insert-only one. The files
 * of a table with row ids stay. Their rows have the write id 0, or that of their folder, and row ids by their
 * positions. The files of a table that becomes insert-only are moved into the folder of a write id whose transaction
 * has committed before. A failure before the definition changes leaves a plain table. Its files may be in that folder,
 * where files of plain tables are read too.
 */
final class TransactionalConversion {
    /** Names of files by which a row's bucket is known. */
    private static final Pattern ORIGINAL = Pattern.compile("[0-9]+_[0-9]+(_copy_[0-9]+)?");

    private final Alteration alteration;
    private final StatementContext context;
    private final TableName name;

    private TransactionalConversion(Alteration alteration) {
        this.alteration = alteration;
        this.context = alteration.context();
        this.name = new TableName(
                alteration.table().database(),
                alteration.table().name(),
                alteration.clause().position());
    }

    static boolean isFor(Alteration alteration) {
        return alteration.clause().is(HiveParser.TOK_ALTERTABLE_PROPERTIES)
                && TransactionalRules.isConversion(
                        alteration.table(),
                        SyntaxText.properties(alteration.clause().child(0)));
    }

    static Consumer<CommandRun> prepare(Alteration alteration) {
        TransactionalConversion conversion = new TransactionalConversion(alteration);
        Table changed = conversion.changed(alteration.table());
        return run -> conversion.run(changed.isInsertOnly(), run);
    }

    /** Checks everything but files, and returns the table after the change. */
    private Table changed(Table table) {
        if (TableStore.isTemporary(table, context)) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "temporary tables are not transactional: " + table.qualifiedName())
                    .at(alteration.clause().position());
        }
        Table changed = AlterProperties.changed(alteration.of(table));
        TransactionalRules.requireConvertible(changed, alteration);
        ListBucketRules.refuseTransactional(changed, alteration.clause().position());
        return Revision.properties(changed, StatisticsProperties.uncertain(changed.properties()));
    }

    private void run(boolean isInsertOnly, CommandRun run) {
        List<TableUse> uses = List.of(TableUse.of(alteration.table(), TableAccess.DEFINE_EXCLUSIVE));
        TransactionalChange.define(uses, run, context, () -> {
            if (isInsertOnly) {
                moveFiles(run);
            } else {
                ExclusiveTables.run(name, context, () -> keepFiles(run));
            }
        });
    }

    private Table now() {
        Table now = context.table(name);
        AlterTableHandler.check(now, false, name);
        boolean isSame = now.isTransactional() == alteration.table().isTransactional()
                && now.isInsertOnly() == alteration.table().isInsertOnly();
        if (!isSame) {
            throw TransactionalChange.changed(now);
        }
        return now;
    }

    private void keepFiles(CommandRun run) {
        Table now = now();
        Table changed = changed(now);
        for (String location : locations(now)) {
            checkNames(now, location);
        }
        run.beginCommit();
        record(now, changed);
    }

    private List<Partition> partitions(Table table) {
        return table.partitionKeys().isEmpty() ? List.of() : context.catalog().partitions(table, values -> true);
    }

    private List<String> locations(Table table) {
        return table.partitionKeys().isEmpty()
                ? List.of(table.storage().location())
                : partitions(table).stream()
                        .map(partition -> partition.storage().location())
                        .toList();
    }

    private List<TableFiles.TableFile> files(String location) {
        Interruption.check();
        TableFiles files = context.services().files();
        return files.exists(location) ? files.files(location) : List.of();
    }

    private void checkNames(Table table, String location) {
        for (TableFiles.TableFile file : files(location)) {
            String last = file.path().substring(file.path().lastIndexOf('/') + 1);
            if (!ORIGINAL.matcher(last).matches()) {
                throw TransactionalRules.refused(
                                "Unexpected data file name format.  Cannot convert " + table.qualifiedName()
                                        + " to transactional table.  File: " + file.path(),
                                alteration)
                        .withHint("names of files are like 000000_0; INSERT OVERWRITE of the table from itself gives"
                                + " such names");
            }
        }
    }

    /** The statistics of partitions change first, while the table is still plain. */
    private void record(Table now, Table changed) {
        List<Partition> counted = partitions(now).stream()
                .filter(partition -> partition.properties().containsKey(StatisticsProperties.ACCURATE))
                .map(partition ->
                        Revision.properties(partition, StatisticsProperties.uncertain(partition.properties())))
                .toList();
        if (!counted.isEmpty()) {
            context.catalog().alterPartitions(now, counted);
        }
        try {
            TableStore.replace(now, changed, false, context);
        } catch (SkepException e) {
            // The answer may be lost. The files of a table that was changed must not be moved back.
            if (context.table(name).isInsertOnly() != changed.isInsertOnly()) {
                throw e;
            }
        }
    }

    private void moveFiles(CommandRun run) {
        Table compiled = now();
        long writeId = context.services()
                .transactions()
                .committedWriteId(context.session().user(), context.queryId().value(), compiled);
        TransactionalLoad load =
                new TransactionalLoad(changed(compiled), new AcidWrite(AcidWrite.Kind.INSERT, writeId, 0));
        context.services()
                .commits()
                .commit(CommitRequest.of(context.nextName(), compiled, false, plan -> plan(load, now(), plan), () -> {
                            Table now = now();
                            record(now, changed(now));
                        })
                        .withGate(context.gate(run::beginCommit)));
    }

    private void plan(TransactionalLoad load, Table table, CommitPlan plan) {
        if (table.partitionKeys().isEmpty()) {
            move(load, table.storage().location(), plan);
            plan.change(table);
        }
        for (Partition partition : partitions(table)) {
            String location = partition.storage().location();
            move(load, location, plan);
            plan.change(table, PartitionName.of(table, partition.values()), location, false);
        }
    }

    private void move(TransactionalLoad load, String location, CommitPlan plan) {
        List<LoadedFile> sources = new ArrayList<>();
        for (TableFiles.TableFile file : files(location)) {
            sources.add(new LoadedFile(file.path(), file.path()));
        }
        load.plan(sources, location, plan);
    }
}
