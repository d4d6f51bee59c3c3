package io.skep.ql.authorize;

import io.skep.metastore.Table;
import io.skep.ql.commit.ChangedFiles;
import io.skep.ql.commit.TableFiles;
import io.skep.storage.file.FilePermissions;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the session's user may do with files, and who owns new ones. With {@code hive.server2.enable.doAs} HDFS decides
 * by the user's permissions, and the user owns what its statements write. The server itself still reads and writes
 * the files. Otherwise, in sessions of the server, and for the server's own user, all files may be used, and new ones
 * belong to the server.
 */
public final class SessionFiles {
    private static final Set<RequiredPrivilege> CHANGES = Set.of(
            RequiredPrivilege.INSERT, RequiredPrivilege.UPDATE, RequiredPrivilege.DELETE, RequiredPrivilege.OWNERSHIP);

    private final Optional<Impersonated> impersonated;
    private final TableFiles files;
    private final String warehouse;

    /**
     * A user for whom HDFS is asked.
     *
     * @param permissions what HDFS says
     */
    public record Impersonated(String user, FilePermissions permissions) {}

    /**
     * @param impersonated empty where the server's own rights count
     * @param warehouse the folder of new databases
     */
    public SessionFiles(Optional<Impersonated> impersonated, TableFiles files, String warehouse) {
        this.impersonated = impersonated;
        this.files = files;
        this.warehouse = warehouse;
    }

    /** Whether HDFS is asked for the user. */
    public boolean isImpersonated() {
        return impersonated.isPresent();
    }

    /**
     * Requires that the user may read the files of splits, and list the folders that they are in.
     *
     * @param folders further folders, of tables or partitions
     * @throws io.skep.common.error.SkepException ACCESS_DENIED
     */
    public void requireReadable(Collection<String> folders, Collection<Split> splits) {
        impersonated.ifPresent(asked -> {
            Set<String> paths = new LinkedHashSet<>();
            splits.forEach(split -> paths.add(split.file().path()));
            asked.permissions().requireReadable(asked.user(), folders, paths);
        });
    }

    /**
     * Requires that the user may read files, which may be hidden ones.
     *
     * @throws io.skep.common.error.SkepException ACCESS_DENIED
     */
    public void requireReadableFiles(Collection<String> paths) {
        impersonated.ifPresent(asked -> asked.permissions().requireReadable(asked.user(), List.of(), paths));
    }

    /**
     * Requires that the user may add files to a folder, or to the nearest one above it that exists.
     *
     * @throws io.skep.common.error.SkepException ACCESS_DENIED
     */
    public void requireWritable(String folder) {
        impersonated.ifPresent(asked -> asked.permissions().requireWritable(asked.user(), List.of(folder)));
    }

    /**
     * Requires that the user may delete or move folders. What is in writable folders counts as the user's.
     *
     * @throws io.skep.common.error.SkepException ACCESS_DENIED
     */
    public void requireRemovable(Collection<String> folders) {
        impersonated.ifPresent(asked -> {
            asked.permissions().requireWritable(asked.user(), folders);
            asked.permissions().requireRemovable(asked.user(), folders);
        });
    }

    /**
     * Requires that the user may change files.
     *
     * @throws io.skep.common.error.SkepException ACCESS_DENIED
     */
    public void requireChangeable(ChangedFiles changed) {
        impersonated.ifPresent(asked -> {
            asked.permissions().requireWritable(asked.user(), changed.folders());
            asked.permissions().requireRemovable(asked.user(), changed.removed());
        });
    }

    /** Gives a new file or folder to the user. */
    public void give(String path) {
        impersonated.ifPresent(asked -> files.give(path, asked.user()));
    }

    /** Runs what may make folders, and gives those that are new to the user. */
    public void giveFolders(List<String> folders, Runnable making) {
        if (impersonated.isEmpty()) {
            making.run();
            return;
        }
        Set<String> missing = new LinkedHashSet<>();
        folders.forEach(folder -> missing.addAll(files.missingFolders(folder)));
        making.run();
        missing.stream().filter(files::exists).forEach(this::give);
    }

    /** Requires what a statement needs of the folders of objects that it names. What queries read is checked later. */
    void require(String operation, List<AccessNeed> needs) {
        if (impersonated.isEmpty()) {
            return;
        }
        boolean namesPath = needs.stream().anyMatch(need -> need.object() instanceof AccessedObject.OfPath);
        for (AccessNeed need : needs) {
            switch (need.object()) {
                case AccessedObject.OfTable object ->
                    written(operation, need, object.table()).forEach(this::requireWritable);
                case AccessedObject.OfDatabase object -> {
                    if (changes(need)) {
                        requireWritable(object.database().location());
                        object.database().managedLocation().ifPresent(this::requireWritable);
                    }
                }
                case AccessedObject.OfNewDatabase _ -> {
                    if (!namesPath) {
                        requireWritable(warehouse);
                    }
                }
                case AccessedObject.OfPath path -> require(operation, need.side(), path.resolved());
                case AccessedObject.OfNewTable _,
                        AccessedObject.OfFunction _,
                        AccessedObject.OfScheduledQuery _,
                        AccessedObject.OfConnector _,
                        AccessedObject.OfCommand _,
                        AccessedObject.OfServer _ -> {}
            }
        }
    }

    private static boolean changes(AccessNeed need) {
        return need.privileges().stream().anyMatch(CHANGES::contains)
                && (need.side() == AccessNeed.Side.OUTPUT
                        || !need.privileges().equals(Set.of(RequiredPrivilege.OWNERSHIP)));
    }

    /** Returns the folders in which a statement changes something of a table. */
    private static List<String> written(String operation, AccessNeed need, Table table) {
        String location = table.storage().location();
        boolean drops = operation.equals("DROPTABLE") || operation.equals("DROPDATABASE");
        if (!changes(need) || location.isEmpty() || drops && !table.ownsFiles()) {
            return List.of();
        }
        List<String> folders = new ArrayList<>(List.of(location));
        boolean movesFolder = drops || operation.equals("ALTERTABLE_RENAME") && table.ownsFiles();
        if (movesFolder) {
            folders.add(FilePermissions.parent(location));
        }
        return folders;
    }

    /** A path that a statement reads, or takes files from, or that it writes to. */
    private void require(String operation, AccessNeed.Side side, String path) {
        if (!FilePermissions.isBelowRoot(path)) {
            return;
        }
        if (side == AccessNeed.Side.OUTPUT) {
            requireWritable(path);
            return;
        }
        List<String> found =
                files.files(path).stream().map(TableFiles.TableFile::path).toList();
        boolean isFolder = !found.contains(path);
        impersonated.ifPresent(asked ->
                asked.permissions().requireReadable(asked.user(), isFolder ? List.of(path) : List.of(), found));
        if (operation.equals("LOAD")) {
            requireWritable(isFolder ? path : FilePermissions.parent(path));
        }
    }
}
