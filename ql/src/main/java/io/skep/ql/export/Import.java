package io.skep.ql.export;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.insert.FileNamer;
import io.skep.ql.insert.LoadedFile;
import io.skep.ql.insert.TransactionalLoad;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.orc.OrcFileFormat;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.write.WrittenFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * The work of one IMPORT. Copies are made in a staging folder in that of the table. One commit makes them the table's,
 * and creates the table if it is new.
 */
final class Import {
    private final Table table;
    private final boolean isNew;
    private final List<Partition> partitions;
    private final TextPosition where;
    private final StatementContext context;
    private final TableFiles files;

    /** The files of the export, by the folders to which they are copied. */
    private final Map<String, List<TableFiles.TableFile>> sources = new LinkedHashMap<>();

    /**
     * @param partitions those that are added, in their new folders
     * @param folder the absolute path of the export
     */
    Import(
            Table table,
            boolean isNew,
            List<Partition> partitions,
            String folder,
            TextPosition where,
            StatementContext context) {
        this.table = table;
        this.isNew = isNew;
        this.partitions = List.copyOf(partitions);
        this.where = where;
        this.context = context;
        this.files = context.services().files();
        if (table.partitionKeys().isEmpty()) {
            sources.put(table.storage().location(), found(folder + "/" + ExportLayout.folder()));
        }
        for (Partition partition : partitions) {
            sources.put(partition.storage().location(), found(folder + "/" + ExportLayout.folder(table, partition)));
        }
    }

    private List<TableFiles.TableFile> found(String folder) {
        return files.exists(folder) ? files.files(folder) : List.of();
    }

    /**
     * @param exported the table of the export
     * @throws SkepException for files that statements may not name, that are none, or that the table cannot have
     */
    void checkSources(Table exported) {
        PathPolicy paths = context.services().paths();
        for (List<TableFiles.TableFile> found : sources.values()) {
            for (TableFiles.TableFile file : found) {
                paths.check(file.path(), where);
                if (paths.isSpecial(file.path())) {
                    throw new SkepException(StandardErrorCode.INVALID_PATH, file.path() + " is not a regular file")
                            .at(where);
                }
            }
            if (exported.isTransactional() || table.isTransactional()) {
                checkRowIds(found);
            }
            if (table.isTransactional()) {
                TransactionalLoad.requireBuckets(table.storage(), found, where);
            }
        }
    }

    /** Refuses identifiers of rows, which are those of another table. */
    private void checkRowIds(List<TableFiles.TableFile> found) {
        if (FileFormats.of(table.storage().format()) instanceof OrcFileFormat) {
            TransactionalLoad.refuseAnyRowIds(table, found, where, context);
        }
    }

    /** @throws SkepException in Hive's words when a table has files */
    static void requireEmpty(Table table, TextPosition where, StatementContext context) {
        TableFiles files = context.services().files();
        String location = table.storage().location();
        if (files.exists(location) && !files.files(location).isEmpty()) {
            throw CompileErrors.plain(where, StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.TABLE_DATA_EXISTS);
        }
    }

    static SkepException partitionExists(String name, TextPosition where) {
        ErrorMsg error = ErrorMsg.PARTITION_EXISTS;
        return CompileErrors.plain(
                where, StandardErrorCode.PARTITION_EXISTS, error, error.getMsg() + " " + name.replace('/', ','));
    }

    void run(CommandRun run) {
        TransactionalChange.write(uses(), run, context, scope -> run(run, scope));
    }

    private List<TableUse> uses() {
        if (!table.isTransactional()) {
            return List.of();
        }
        return List.of(
                table.partitionKeys().isEmpty()
                        ? TableUse.of(table, TableAccess.INSERT)
                        : TableUse.ofDynamicPartitions(table, TableAccess.INSERT));
    }

    private void run(CommandRun run, TransactionScope scope) {
        String name = context.nextName();
        String location = table.storage().location();
        String staging = location + "/" + StagingFolders.PREFIX + context.nextName();
        TableCommits commits = context.services().commits();
        commits.checkPlace(location);
        SessionFiles ofUser = context.access().ofSession().files();
        ofUser.requireWritable(location);
        boolean wasThere = files.exists(location);
        ofUser.giveFolders(List.of(location), () -> files.makeDirectory(location));
        commits.folders().note(staging);
        boolean isCommitted = false;
        try {
            Map<String, List<LoadedFile>> copies = copied(staging, ofUser);
            commits.commit(new CommitRequest(
                    name,
                    isNew ? List.of() : List.of(table),
                    List.of(),
                    false,
                    isNew ? Optional.of(created(name)) : Optional.empty(),
                    context.gate(run::beginCommit),
                    plan -> plan(plan, staging, copies, scope),
                    () -> record(scope)));
            isCommitted = true;
        } finally {
            if (!isCommitted && !commits.isUnfinished(name)) {
                commits.folders().delete(staging);
                if (isNew && !wasThere) {
                    // A cancelled statement does not get the lease that the next call needs.
                    files.deleteEmpty(location);
                }
                if (isNew) {
                    ExclusiveTables.deleteIfForgotten(
                            table, sources.keySet().stream().toList(), context);
                }
            }
        }
        if (isNew) {
            commits.awaitFolders(Optional.of(location));
        }
    }

    private CommitRequest.Created created(String commit) {
        Map<String, String> properties = new TreeMap<>(table.properties());
        properties.put(CommitRequest.CREATED_BY, commit);
        Table marked = table.withProperties(properties);
        return new CommitRequest.Created(marked, () -> context.catalog().createTable(marked, List.of()));
    }

    /** Returns the copies in the staging folder, by the folders that they will be in. */
    private Map<String, List<LoadedFile>> copied(String staging, SessionFiles ofUser) {
        Map<String, List<LoadedFile>> copies = new LinkedHashMap<>();
        files.makeDirectory(staging);
        int number = 0;
        for (Map.Entry<String, List<TableFiles.TableFile>> place : sources.entrySet()) {
            List<LoadedFile> here = new ArrayList<>();
            for (TableFiles.TableFile file : place.getValue()) {
                String copy = staging + "/" + number++;
                files.copy(file.path(), copy);
                ofUser.give(copy);
                here.add(new LoadedFile(file.path(), copy));
            }
            copies.put(place.getKey(), here);
        }
        return copies;
    }

    /** Repeats the checks, since the table may have changed while the files were copied. */
    private void plan(CommitPlan plan, String staging, Map<String, List<LoadedFile>> copies, TransactionScope scope) {
        if (!isNew) {
            requireUnchanged();
        }
        if (table.isTransactional()) {
            AcidWrite write =
                    new AcidWrite(AcidWrite.Kind.INSERT, scope.transaction().writeId(table), 0);
            TransactionalLoad load = new TransactionalLoad(table, write);
            copies.forEach((location, here) -> load.plan(here, location, plan));
            List<String> names = partitions.stream()
                    .map(partition -> PartitionName.of(table, partition.values()))
                    .toList();
            if (!names.isEmpty()) {
                scope.transaction().addPartitions(table, names, TableAccess.INSERT);
            }
            plan.decideBy(scope.transaction().id());
        } else {
            copies.forEach((location, here) -> {
                FileNamer names = new FileNamer(location, plan.takenNames(location));
                here.forEach(copy -> plan.arrive(copy.path(), names.loaded(copy.given())));
            });
        }
        if (table.partitionKeys().isEmpty()) {
            plan.change(table);
        }
        partitions.forEach(partition -> plan.change(
                table,
                PartitionName.of(table, partition.values()),
                partition.storage().location(),
                true));
        plan.remove(staging);
    }

    private void requireUnchanged() {
        if (table.partitionKeys().isEmpty()) {
            requireEmpty(table, where, context);
        }
        for (Partition partition : partitions) {
            if (context.catalog().partition(table, partition.values()).isPresent()) {
                throw partitionExists(PartitionName.of(table, partition.values()), where);
            }
        }
    }

    /**
     * Records partitions and the number of files. Rows are not counted. A new table is an ordinary one only when its
     * transaction has committed.
     */
    private void record(TransactionScope scope) {
        Table now = now();
        if (!partitions.isEmpty()) {
            long created = context.services().clock().instant().getEpochSecond();
            List<Partition> added = partitions.stream()
                    .map(partition -> new Partition(
                            partition.values(),
                            created,
                            0,
                            partition.storage(),
                            counted(partition.properties(), partition.storage().location())))
                    .toList();
            context.catalog().addPartitions(now, added, true);
        }
        if (table.partitionKeys().isEmpty()) {
            replace(now, counted(now.properties(), table.storage().location()));
        }
        scope.commit();
        Table recorded = now();
        Map<String, String> properties = new TreeMap<>(recorded.properties());
        properties.remove(CommitRequest.CREATED_BY);
        replace(recorded, properties);
    }

    private Table now() {
        return context.session().table(table.database(), table.name()).orElse(table);
    }

    private void replace(Table now, Map<String, String> after) {
        if (!after.equals(now.properties())) {
            TableStore.replace(now, Revision.properties(now, after), false, context);
        }
    }

    private Map<String, String> counted(Map<String, String> properties, String location) {
        StatisticsProperties stats = new StatisticsProperties(context);
        if (!table.isTransactional()) {
            return stats.ofUncounted(properties, location);
        }
        List<WrittenFile> added = sources.getOrDefault(location, List.of()).stream()
                .map(file -> new WrittenFile(file.path(), 0, file.length()))
                .toList();
        return stats.ofTransaction(properties, new StatisticsProperties.Written(added, Set.of(), false));
    }
}
