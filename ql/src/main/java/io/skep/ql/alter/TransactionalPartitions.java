package io.skep.ql.alter;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.insert.LoadedFile;
import io.skep.ql.insert.TransactionalLoad;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.write.WrittenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * ADD PARTITION ... LOCATION of a transactional table. As in Hive, the files of that folder are moved into the
 * partition's own folder, where they belong to a write id like loaded files.
 */
final class TransactionalPartitions {
    private final Alteration alteration;
    private final Table table;
    private final StatementContext context;
    private final boolean ifNotExists;

    private TransactionalPartitions(Alteration alteration) {
        this.alteration = alteration;
        this.table = alteration.table();
        this.context = alteration.context();
        this.ifNotExists = alteration.clause().has(HiveParser.TOK_IFNOTEXISTS);
    }

    /**
     * A partition to be added.
     *
     * @param partition the partition in its own folder
     * @param sources the files that it gets
     * @param look fails when these have become files of a table
     */
    private record Added(Partition partition, List<TableFiles.TableFile> sources, Runnable look) {
        String location() {
            return partition.storage().location();
        }
    }

    static boolean isFor(Alteration alteration) {
        return alteration.clause().is(HiveParser.TOK_ALTERTABLE_ADDPARTS)
                && alteration.table().isTransactional()
                && alteration.clause().has(HiveParser.TOK_PARTITIONLOCATION);
    }

    static Consumer<CommandRun> add(Alteration alteration) {
        TransactionalPartitions partitions = new TransactionalPartitions(alteration);
        List<Added> added = partitions.added();
        List<TableUse> uses = new ArrayList<>(AlterLocks.of(alteration));
        added.stream()
                .filter(each -> !each.sources().isEmpty())
                .map(each -> TableUse.ofPartition(alteration.table(), TableAccess.INSERT, partitions.name(each)))
                .forEach(uses::add);
        return run -> {
            TransactionalChange.write(uses, run, alteration.context(), scope -> partitions.add(added, scope, run));
            alteration.context().services().commits().awaitFolders(Optional.empty());
        };
    }

    private String name(Added added) {
        return PartitionName.of(table, added.partition().values());
    }

    private List<Added> added() {
        List<Added> added = new ArrayList<>();
        for (AlterPartitions.Spec spec : AlterPartitions.specs(alteration)) {
            Partition fresh = AlterPartitions.fresh(table, spec.values(), context);
            added.add(spec.location()
                    .map(literal -> located(fresh, literal))
                    .orElseGet(() -> new Added(fresh, List.of(), () -> {})));
        }
        return added;
    }

    private Added located(Partition fresh, SyntaxNode literal) {
        String location = AlterPartitions.located(literal, table, context);
        TableFiles files = context.services().files();
        List<TableFiles.TableFile> sources = files.exists(location) ? files.files(location) : List.of();
        Runnable look =
                sources.isEmpty() ? () -> {} : TransactionalLoad.check(table, location, sources, literal, context);
        return new Added(fresh, sources, look);
    }

    private void add(List<Added> wanted, TransactionScope scope, CommandRun run) {
        List<Added> added = wanted.stream().filter(this::isNew).toList();
        if (added.isEmpty()) {
            return;
        }
        TableCommits commits = context.services().commits();
        String staging = TransactionalLoad.staging(table, context);
        commits.checkPlace(staging);
        commits.folders().note(staging);
        String name = context.nextName();
        boolean isCommitted = false;
        try {
            List<List<LoadedFile>> here = new ArrayList<>();
            for (int i = 0; i < added.size(); i++) {
                here.add(LoadedFile.near(
                        added.get(i).sources(), false, added.get(i).location(), staging + "/" + i, context));
            }
            CommitRequest request = CommitRequest.of(
                            name, table, false, plan -> plan(added, here, scope, staging, plan), () -> {
                                record(added);
                                scope.commit();
                            })
                    .withGate(context.gate(run::beginCommit))
                    .withSourceFolders(folders(added));
            List<String> locations = added.stream().map(Added::location).toList();
            context.access().ofSession().files().giveFolders(locations, () -> commits.commit(request));
            isCommitted = true;
        } finally {
            if (!isCommitted && !commits.isUnfinished(name)) {
                commits.folders().delete(staging);
            }
        }
    }

    private static Set<String> folders(List<Added> added) {
        return added.stream()
                .flatMap(each -> each.sources().stream())
                .map(source -> source.path().substring(0, source.path().lastIndexOf('/')))
                .collect(Collectors.toSet());
    }

    /** Whether the partition is added. One that exists is left alone, or is an error. */
    private boolean isNew(Added added) {
        Interruption.check();
        boolean isThere =
                context.catalog().partition(table, added.partition().values()).isPresent();
        if (isThere && !ifNotExists) {
            throw CompileErrors.task(
                    alteration.clause().position(),
                    StandardErrorCode.PARTITION_EXISTS,
                    ErrorMsg.PARTITION_EXISTS,
                    "AlreadyExistsException(message:Partition already exists: " + name(added) + ")");
        }
        return !isThere;
    }

    private void plan(
            List<Added> added, List<List<LoadedFile>> here, TransactionScope scope, String staging, CommitPlan plan) {
        for (int i = 0; i < added.size(); i++) {
            Added each = added.get(i);
            each.look().run();
            if (!isNew(each)) {
                throw CompileErrors.task(
                        alteration.clause().position(),
                        StandardErrorCode.TABLE_CHANGED,
                        ErrorMsg.PARTITION_EXISTS,
                        "partition " + name(each) + " was added by another statement meanwhile");
            }
            if (!here.get(i).isEmpty()) {
                AcidWrite write =
                        new AcidWrite(AcidWrite.Kind.INSERT, scope.transaction().writeId(table), 0);
                new TransactionalLoad(table, write).plan(here.get(i), each.location(), plan);
            }
            here.get(i).stream()
                    .filter(file -> !file.path().equals(file.given()))
                    .forEach(file -> plan.removeSource(file.given()));
            plan.change(table, name(each), each.location(), true);
        }
        plan.remove(staging);
        plan.decideBy(scope.transaction().id());
    }

    private void record(List<Added> added) {
        StatisticsProperties stats = new StatisticsProperties(context);
        context.catalog()
                .addPartitions(
                        table, added.stream().map(each -> counted(each, stats)).toList(), false);
    }

    private static Partition counted(Added added, StatisticsProperties stats) {
        List<WrittenFile> files = added.sources().stream()
                .map(source -> new WrittenFile(source.path(), 0, source.length()))
                .toList();
        StatisticsProperties.Written written = new StatisticsProperties.Written(files, Set.of(), false);
        return added.partition()
                .withProperties(
                        new TreeMap<>(stats.ofTransaction(added.partition().properties(), written)));
    }
}
