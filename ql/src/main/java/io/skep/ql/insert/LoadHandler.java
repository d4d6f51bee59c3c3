package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.analyze.StrictChecks;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.handler.VersionedTables;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statement.TransactionalChange;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.ql.transaction.TableAccess;
import io.skep.ql.transaction.TableUse;
import io.skep.ql.transaction.TransactionScope;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.file.FilePermissions;
import io.skep.storage.table.TableFormat;
import io.skep.storage.write.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * LOAD DATA [LOCAL] INPATH path [OVERWRITE] INTO TABLE name [PARTITION (...)]. Adds files to a table without changing
 * their content, or their rows where these have to be divided among buckets or partitions ({@link LoadAsInsert}).
 */
public final class LoadHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(1);
        Table table = context.queriedTable(target.child(0));
        refuse(statement, table);
        boolean local = hasWord(statement, "local");
        boolean overwrite = hasWord(statement, "overwrite");
        boolean infers = LoadAsInsert.infersPartitions(table, target);
        Optional<List<String>> partition = infers ? Optional.empty() : PartitionSpec.complete(table, target, context);
        LoadSource source = LoadSource.of(statement.child(0), local, context);
        List<TableFiles.TableFile> sources = source.files();
        refuseListBuckets(statement, table);
        FileFormatCheck check = new FileFormatCheck(context.services().files());
        Optional<Partition> known =
                partition.flatMap(values -> context.catalog().partition(table, values));
        StorageDescriptor storage = known.map(Partition::storage).orElse(table.storage());
        LoadSourceCheck sourceCheck = new LoadSourceCheck(table, storage, context);
        sourceCheck.check(source, local, statement.child(0));
        Runnable sourcesLook = local ? () -> {} : () -> sourceCheck.refuseFilesOfTables(source, statement.child(0));
        TableFormat ofTable = formatOf(table, known, overwrite);
        if (infers || divides(storage, context)) {
            TableFormat format = LoadAsInsert.namedFormat(statement, ofTable).orElse(ofTable);
            sources.forEach(file -> check.check(file.path(), format.inputFormat(), statement.child(0)));
            Map<String, Optional<String>> values = LoadAsInsert.values(table, target, context);
            LoadAsInsert insert = new LoadAsInsert(
                    table, LoadAsInsert.columns(table, values), values, source, format, local, overwrite, sourcesLook);
            return CommandStatement.changing("LOAD", run -> insert.run(run, context));
        }
        refuseFormat(statement);
        if (storage.buckets() > 0) {
            TransactionalLoad.requireBuckets(storage, sources, statement.child(0));
        }
        return moving(
                new Load(table, partition, sources, ofTable, local, overwrite, sourcesLook, context), check, statement);
    }

    private static SqlStatement moving(Load load, FileFormatCheck check, SyntaxNode statement) {
        for (TableFiles.TableFile file : load.sources()) {
            check.check(file.path(), load.format().inputFormat(), statement.child(0));
        }
        TransactionalLoad.refuseRowIds(load.table(), load.sources(), statement.child(0), load.context());
        return CommandStatement.changing("LOAD", load::load);
    }

    /** Whether rows have to be divided among buckets, since the names of files are not believed. */
    private static boolean divides(StorageDescriptor storage, StatementContext context) {
        return storage.buckets() > 0
                && StrictChecks.of(context.settings().explicit())
                        .loadIntoBuckets()
                        .isPresent();
    }

    /** Moves files that the server has written into a temporary table of the session, which has their format. */
    public static void addParts(Table table, List<WrittenFile> parts, CommandRun run, StatementContext context) {
        List<TableFiles.TableFile> sources = parts.stream()
                .map(part -> new TableFiles.TableFile(part.path(), part.length(), 0))
                .toList();
        SessionFiles ofUser = context.access().ofSession().files();
        if (ofUser.isImpersonated()) {
            parts.stream()
                    .flatMap(part -> Stream.of(part.path(), FilePermissions.parent(part.path())))
                    .distinct()
                    .forEach(ofUser::give);
        }
        new Load(table, Optional.empty(), sources, table.storage().format(), false, false, () -> {}, context).load(run);
    }

    /**
     * Replaces the files of a table or partition, which has the table's format, by one that has the same rows.
     *
     * @param writer writes the file to the path that it is given
     * @param filesLook fails when the files are no longer those that the writer has read
     */
    static void replaceFiles(
            Table table,
            Optional<List<String>> partition,
            Consumer<String> writer,
            Runnable filesLook,
            CommandRun run,
            StatementContext context) {
        TableFormat format = table.storage().format();
        Arriving arriving = (_, staging) -> {
            String file = staging + "/000000_0";
            SessionFiles ofUser = context.access().ofSession().files();
            ofUser.giveFolders(
                    List.of(staging), () -> context.services().files().makeDirectory(staging));
            writer.accept(file);
            ofUser.give(file);
            return List.of(new LoadedFile(file, file));
        };
        new Load(table, partition, List.of(), format, true, true, arriving, filesLook, context).load(run);
    }

    /**
     * Returns the format in which the files will be read. It is the partition's format, or, as in Hive, the table's
     * format when the files replace those of the partition.
     */
    private static TableFormat formatOf(Table table, Optional<Partition> known, boolean overwrite) {
        return overwrite
                ? table.storage().format()
                : known.map(Partition::storage).orElse(table.storage()).format();
    }

    private static boolean hasWord(SyntaxNode statement, String word) {
        return statement.children().stream()
                .skip(2)
                .anyMatch(child -> child.text().equalsIgnoreCase(word));
    }

    private static void refuse(SyntaxNode statement, Table table) {
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW || table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            throw CompileErrors.plain(
                    statement.child(1).position(), StandardErrorCode.NOT_A_TABLE, ErrorMsg.DML_AGAINST_VIEW);
        }
        VersionedTables.refuse(table);
        HandlerRules.refuse(
                table, ErrorMsg.LOAD_INTO_NON_NATIVE, statement.child(1).position());
    }

    private static void refuseListBuckets(SyntaxNode statement, Table table) {
        if (table.storage().skew().isListBucketed()) {
            throw CompileErrors.plain(
                    statement.child(1).position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.LOAD_INTO_STORED_AS_DIR);
        }
    }

    private static void refuseFormat(SyntaxNode statement) {
        statement.first(HiveParser.TOK_INPUTFORMAT).ifPresent(clause -> {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "LOAD DATA ... INPUTFORMAT SERDE is not supported where files are moved as they are")
                    .withHint("create an external table of that format and insert from it")
                    .at(clause.position());
        });
    }

    /** Puts files where a rename moves them into the folder of a table. */
    private interface Arriving {
        List<LoadedFile> files(String folder, String staging);
    }

    /**
     * The work of one LOAD. Copies are made in a staging folder first, so that nothing is visible when copying fails.
     *
     * @param format the format of the files
     * @param arriving makes the copies
     * @param sourcesLook fails when a file has become another table's
     */
    private record Load(
            Table table,
            Optional<List<String>> partition,
            List<TableFiles.TableFile> sources,
            TableFormat format,
            boolean local,
            boolean overwrite,
            Arriving arriving,
            Runnable sourcesLook,
            StatementContext context) {
        Load(
                Table table,
                Optional<List<String>> partition,
                List<TableFiles.TableFile> sources,
                TableFormat format,
                boolean local,
                boolean overwrite,
                Runnable sourcesLook,
                StatementContext context) {
            this(
                    table,
                    partition,
                    sources,
                    format,
                    local,
                    overwrite,
                    (folder, staging) -> LoadedFile.near(sources, local, folder, staging, context),
                    sourcesLook,
                    context);
        }

        void load(CommandRun run) {
            TransactionalChange.write(uses(), run, context, scope -> load(run, scope));
        }

        private List<TableUse> uses() {
            TableAccess access = overwrite ? TableAccess.OVERWRITE : TableAccess.INSERT;
            return TransactionalChange.uses(table, access, partition.map(values -> PartitionName.of(table, values)));
        }

        private void load(CommandRun run, TransactionScope scope) {
            String folder = folder();
            String staging = folder + "/" + StagingFolders.PREFIX + context.nextName();
            TableCommits commits = context.services().commits();
            commits.checkPlace(folder);
            SessionFiles ofUser = context.access().ofSession().files();
            ofUser.requireWritable(folder);
            ofUser.giveFolders(List.of(folder), () -> context.services().files().makeDirectory(folder));
            String name = context.nextName();
            commits.folders().note(staging);
            boolean isCommitted = false;
            boolean isGone = false;
            try {
                // Copying takes time, so the files are copied before other statements have to wait.
                List<LoadedFile> here = arriving.files(folder, staging);
                CommitRequest request = CommitRequest.of(
                                name,
                                table,
                                TableStore.isTemporary(table, context),
                                plan -> plan(plan, folder, staging, here, scope),
                                () -> {
                                    record(folder);
                                    scope.commit();
                                })
                        .withGate(context.gate(run::beginCommit));
                // The files are moved out of a folder over which another statement may be creating a table.
                commits.commit(local ? request : request.withSourceFolders(foldersOfSources()));
                isCommitted = true;
            } catch (SkepException e) {
                isGone = e.code() == StandardErrorCode.TABLE_NOT_FOUND;
                throw e;
            } finally {
                if (!isCommitted && !commits.isUnfinished(name)) {
                    commits.folders().delete(staging);
                }
                if (isGone) {
                    ExclusiveTables.deleteIfForgotten(table, List.of(folder), context);
                }
            }
        }

        private Set<String> foldersOfSources() {
            return sources.stream()
                    .map(source -> source.path().substring(0, source.path().lastIndexOf('/')))
                    .collect(Collectors.toSet());
        }

        private Optional<Partition> known() {
            return partition.flatMap(values -> context.catalog().partition(table, values));
        }

        /** Returns the partition with the format of its new files. */
        private Partition after(Partition known) {
            return known.withStorage(known.storage().withFormat(format));
        }

        private String folder() {
            return known().map(found -> found.storage().location()).orElseGet(this::defaultFolder);
        }

        /** Called with the table's lease, since the partition may have been dropped or moved. */
        private void requireUnchanged(String folder) {
            if (TableStore.isTemporary(table, context)) {
                return;
            }
            if (!folder().equals(folder) || !formatOf(table, known(), overwrite).equals(format)) {
                throw new SkepException(
                                StandardErrorCode.TABLE_CHANGED,
                                "the partition of " + table.qualifiedName() + " was moved or altered by another"
                                        + " statement meanwhile")
                        .withHint("run the statement again");
            }
        }

        private String defaultFolder() {
            return table.storage().location()
                    + partition
                            .map(values -> "/" + PartitionName.of(table, values))
                            .orElse("");
        }

        private void plan(
                CommitPlan plan, String folder, String staging, List<LoadedFile> here, TransactionScope scope) {
            requireUnchanged(folder);
            sourcesLook.run();
            if (table.isTransactional()) {
                new TransactionalLoad(table, write(scope)).plan(here, folder, plan);
                plan.decideBy(scope.transaction().id());
            } else {
                FileNamer names = new FileNamer(folder, plan.takenNames(folder));
                here.forEach(source -> plan.arrive(source.path(), names.loaded(source.given())));
                if (overwrite) {
                    plan.retire(folder, table);
                }
            }
            here.stream()
                    .filter(source -> !local && !source.path().equals(source.given()))
                    .forEach(source -> plan.removeSource(source.given()));
            if (!TableStore.isTemporary(table, context)) {
                if (partition.isEmpty()) {
                    plan.change(table);
                } else {
                    change(plan, PartitionName.of(table, partition.get()), folder);
                }
            }
            plan.remove(staging);
        }

        private AcidWrite write(TransactionScope scope) {
            AcidWrite.Kind kind = overwrite ? AcidWrite.Kind.OVERWRITE : AcidWrite.Kind.INSERT;
            return new AcidWrite(kind, scope.transaction().writeId(table), 0);
        }

        private void change(CommitPlan plan, String name, String folder) {
            Optional<Partition> before = known();
            if (before.equals(before.map(this::after))) {
                plan.change(table, name, folder, before.isEmpty());
            } else {
                plan.change(table, name, folder, before.orElseThrow().storage().format(), format);
            }
        }

        private void record(String folder) {
            if (partition.isEmpty()) {
                Table now =
                        context.session().table(table.database(), table.name()).orElse(table);
                TableStore.replace(now, Revision.properties(now, counted(now.properties(), folder)), false, context);
                return;
            }
            Optional<Partition> known = known();
            Partition before = known.map(this::after)
                    .orElseGet(() -> new Partition(
                            partition.get(),
                            context.services().clock().instant().getEpochSecond(),
                            0,
                            Revision.location(table.storage(), folder),
                            new TreeMap<>(new StatisticsProperties(context).ofNew(table.columns()))));
            Partition after = Revision.properties(before, counted(before.properties(), folder));
            if (known.isPresent()) {
                context.catalog().alterPartitions(table, List.of(after));
            } else {
                context.catalog().addPartitions(table, List.of(after), true);
            }
        }

        private Map<String, String> counted(Map<String, String> properties, String folder) {
            StatisticsProperties stats = new StatisticsProperties(context);
            if (!table.isTransactional()) {
                return stats.ofUncounted(properties, folder);
            }
            List<WrittenFile> files = sources.stream()
                    .map(source -> new WrittenFile(source.path(), 0, source.length()))
                    .toList();
            return stats.ofTransaction(properties, new StatisticsProperties.Written(files, Set.of(), overwrite));
        }
    }
}
