package io.skep.ql.export;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.metastore.hive.ExportedDefinitions;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.CompiledTables;
import io.skep.ql.commit.StagingFolders;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.insert.FileNamer;
import io.skep.ql.insert.PlainCopy;
import io.skep.ql.path.FolderOwners;
import io.skep.ql.statement.CommandRun;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The work of one EXPORT. Copies are made in a staging folder. They get to their places in one commit, so that the
 * folder has a whole export or none.
 */
final class Export {
    private final Table table;
    private final List<Partition> partitions;
    private final Optional<PlainCopy> rows;
    private final String target;
    private final TextPosition where;
    private final StatementContext context;
    private final TableFiles files;

    /**
     * @param partitions those whose files are copied
     * @param rows of a transactional table, which are written instead
     * @param target the absolute path of the folder, with its scheme
     */
    Export(
            Table table,
            List<Partition> partitions,
            Optional<PlainCopy> rows,
            String target,
            TextPosition where,
            StatementContext context) {
        this.table = table;
        this.partitions = List.copyOf(partitions);
        this.rows = rows;
        this.target = target;
        this.where = where;
        this.context = context;
        this.files = context.services().files();
    }

    /** @throws SkepException INVALID_PATH unless the folder is empty, and neither a table's nor above one */
    void checkTarget() {
        if (files.exists(target + "/" + ExportLayout.DEFINITION)
                || !files.files(target).isEmpty()) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "Target is not an empty directory : " + target)
                    .withHint("name a new folder, or delete the files first")
                    .at(where);
        }
        new FolderOwners(context.catalog().folders(), context.services().paths())
                .overlapping(target)
                .ifPresent(owner -> {
                    throw new SkepException(
                                    StandardErrorCode.INVALID_PATH,
                                    target + " is, or overlaps, the folder of " + owner.owner())
                            .withHint("choose a folder of its own")
                            .at(where);
                });
    }

    void run(CommandRun run) {
        String name = context.nextName();
        String staging = target + "/" + StagingFolders.PREFIX + context.nextName();
        TableCommits commits = context.services().commits();
        commits.checkPlace(target);
        SessionFiles ofUser = context.access().ofSession().files();
        requireReadable(ofUser);
        ofUser.requireWritable(target);
        boolean isNew = !files.exists(target);
        ofUser.giveFolders(List.of(target), () -> files.makeDirectory(target));
        commits.folders().note(staging);
        boolean isCommitted = false;
        try {
            Map<String, String> copies =
                    rows.isPresent() ? written(rows.get(), staging, run, ofUser) : copied(staging, ofUser);
            commits.commit(new CommitRequest(
                    name,
                    List.of(),
                    List.of(target),
                    true,
                    Optional.empty(),
                    context.gate(run::beginCommit),
                    plan -> plan(plan, staging, copies),
                    () -> {}));
            isCommitted = true;
        } finally {
            if (!isCommitted && !commits.isUnfinished(name)) {
                commits.folders().delete(staging);
                if (isNew) {
                    files.deleteEmpty(target);
                }
            }
        }
    }

    private void requireReadable(SessionFiles ofUser) {
        // The query reads the files of transactional tables.
        if (ofUser.isImpersonated() && rows.isEmpty()) {
            List<Split> splits = partitions.isEmpty() && table.partitionKeys().isEmpty()
                    ? files.splits(table, Optional.empty(), SplitEnumerator.Seen.NOBODY)
                    : files.splits(table, partitions, Optional.empty(), SplitEnumerator.Seen.NOBODY);
            ofUser.requireReadable(places().values(), splits);
        }
    }

    /** Returns the folders of the export, each with the folder of the table or partition. */
    private Map<String, String> places() {
        Map<String, String> places = new LinkedHashMap<>();
        if (table.partitionKeys().isEmpty()) {
            places.put(ExportLayout.folder(), table.storage().location());
        }
        partitions.forEach(partition -> places.put(
                ExportLayout.folder(table, partition), partition.storage().location()));
        return places;
    }

    private Map<String, List<TableFiles.TableFile>> listing() {
        Map<String, List<TableFiles.TableFile>> listing = new LinkedHashMap<>();
        places().forEach((folder, location) ->
                listing.put(folder, files.exists(location) ? files.files(location) : List.of()));
        return listing;
    }

    /**
     * Copies all files and writes the definition. A file that another statement replaces meanwhile may be copied in
     * parts of both, so the listing must be the same afterwards.
     *
     * @return the path of each copy, with the path that it gets
     */
    private Map<String, String> copied(String staging, SessionFiles ofUser) {
        Map<String, String> copies = new LinkedHashMap<>();
        Map<String, List<TableFiles.TableFile>> before = listing();
        files.makeDirectory(staging);
        before.forEach((folder, found) -> {
            FileNamer names = new FileNamer(target + "/" + folder, new HashSet<>());
            for (TableFiles.TableFile file : found) {
                String copy = staging + "/" + copies.size();
                files.copy(file.path(), copy);
                copies.put(copy, names.loaded(file.path()));
            }
        });
        define(partitions, staging, copies);
        copies.keySet().forEach(ofUser::give);
        if (!listing().equals(before)) {
            throw new SkepException(
                            StandardErrorCode.TABLE_CHANGED,
                            "files of table " + table.qualifiedName() + " came or went while they were copied")
                    .withHint("run the statement again");
        }
        CompiledTables.requireSamePlace(List.of(table), context.catalog());
        return copies;
    }

    /**
     * Writes the rows and the definition. As in Hive, partitions without rows are not there.
     *
     * @return the path of each file, with the path that it gets
     */
    private Map<String, String> written(PlainCopy plain, String staging, CommandRun run, SessionFiles ofUser) {
        Map<String, String> copies = new LinkedHashMap<>();
        String folder = staging + "/rows";
        ofUser.giveFolders(List.of(staging, folder), () -> files.makeDirectory(folder));
        List<Partition> found = plain.write(folder, run, context);
        if (table.partitionKeys().isEmpty()) {
            move(folder, ExportLayout.folder(), copies);
        }
        List<Partition> own = new ArrayList<>();
        for (Partition partition : found) {
            String name = ExportLayout.folder(table, partition);
            move(partition.storage().location(), name, copies);
            String location = table.storage().location() + "/" + name;
            own.add(Revision.storage(partition, Revision.location(partition.storage(), location)));
        }
        define(own, staging, copies);
        copies.keySet().forEach(ofUser::give);
        CompiledTables.requireSamePlace(List.of(table), context.catalog());
        return copies;
    }

    private void move(String from, String folder, Map<String, String> copies) {
        FileNamer names = new FileNamer(target + "/" + folder, new HashSet<>());
        for (TableFiles.TableFile file : files.files(from)) {
            copies.put(file.path(), names.loaded(file.path()));
        }
    }

    private void define(List<Partition> exported, String staging, Map<String, String> copies) {
        String definition = staging + "/" + copies.size();
        files.create(definition, ExportedDefinitions.encode(definition(exported)));
        copies.put(definition, target + "/" + ExportLayout.DEFINITION);
    }

    private ExportedDefinitions.Exported definition(List<Partition> exported) {
        Table plain = Revision.properties(table, ExportLayout.properties(table.properties()));
        return new ExportedDefinitions.Exported(
                plain,
                exported.stream()
                        .map(partition ->
                                Revision.properties(partition, ExportLayout.properties(partition.properties())))
                        .toList());
    }

    private void plan(CommitPlan plan, String staging, Map<String, String> copies) {
        checkTarget();
        copies.forEach(plan::arrive);
        plan.remove(staging);
    }
}
