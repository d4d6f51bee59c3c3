package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.path.StoragePath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tables and folders that a listing reads or a commit changes; tables are identified by key. Only commits to
 * targets outside the catalog (temporary tables of a session, and directories) name folders. Listings name the folders
 * of all their tables, since such a commit may be under way over them.
 */
final class LockScope {
    /** A path without a scheme is local. */
    private static final String ROOT = "file:/";

    private final Set<String> keys;
    private final List<String> folders;
    private volatile List<StoragePath> paths = List.of();

    LockScope(Collection<String> keys, Collection<String> folders) {
        this.keys = new HashSet<>(keys);
        this.folders = new ArrayList<>(folders);
    }

    /**
     * Returns the tables and folders that a listing of tables reads.
     *
     * @param own tables that are not in the catalog
     */
    static LockScope reading(Collection<Table> tables, Collection<Table> own) {
        return new LockScope(
                ConsistentReads.keys(tables),
                Stream.concat(tables.stream(), own.stream())
                        .map(table -> table.storage().location())
                        .toList());
    }

    /** Returns the tables or folders that a commit to be completed or rolled back changes. */
    static LockScope by(CommitJournal journal) {
        Set<String> keys = journal.keys();
        return new LockScope(
                keys,
                keys.isEmpty()
                        ? journal.moves().stream()
                                .flatMap(move -> Stream.of(move.from(), move.to()))
                                .map(path -> path.substring(0, Math.max(0, path.lastIndexOf('/'))))
                                .distinct()
                                .toList()
                        : List.of());
    }

    /** Adds one more table that is read. Only the owner of the lock under which this object is compared may call it. */
    void add(Table table) {
        keys.add(ConsistentReads.key(table));
        folders.add(table.storage().location());
        paths = List.of();
    }

    boolean hasFolders() {
        return !folders.isEmpty();
    }

    boolean overlaps(LockScope other) {
        if (!Collections.disjoint(keys, other.keys)) {
            return true;
        }
        if (folders.isEmpty() || other.folders.isEmpty()) {
            return false;
        }
        List<StoragePath> others = other.paths();
        return paths().stream().anyMatch(path -> others.stream().anyMatch(path::overlaps));
    }

    private List<StoragePath> paths() {
        List<StoragePath> known = paths;
        if (known.isEmpty()) {
            known = folders.stream()
                    .map(LockScope::path)
                    .flatMap(Optional::stream)
                    .toList();
            paths = known;
        }
        return known;
    }

    private static Optional<StoragePath> path(String folder) {
        try {
            return Optional.of(StoragePath.of(folder.startsWith("/") ? "file:" + folder : folder, ROOT));
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.INVALID_PATH) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
