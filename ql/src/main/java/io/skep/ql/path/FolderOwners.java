package io.skep.ql.path;

import io.skep.common.error.SkepException;
import io.skep.metastore.CatalogFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the owner of a path by comparing it with the folders of all databases, tables and partitions. */
public final class FolderOwners {
    private static final Logger LOG = LoggerFactory.getLogger(FolderOwners.class);

    private record Owned(CatalogFolder folder, StoragePath path) {}

    private final PathPolicy policy;
    private final List<Owned> folders = new ArrayList<>();

    public FolderOwners(List<CatalogFolder> folders, PathPolicy policy) {
        this.policy = policy;
        for (CatalogFolder folder : folders) {
            try {
                this.folders.add(new Owned(folder, policy.path(folder.location())));
            } catch (SkepException e) {
                LOG.debug("{} has no folder that a statement can name: {}", folder.owner(), e.fullMessage());
            }
        }
    }

    /** Returns the table that has a folder containing the path. */
    public Optional<CatalogFolder> tableHolding(String path) {
        return first(
                path,
                (owned, wanted) -> !owned.folder().isDatabase() && owned.path().contains(wanted));
    }

    /**
     * Returns the table whose folder equals, contains or lies in the path, or the database whose folder equals or lies
     * in the path.
     */
    public Optional<CatalogFolder> overlapping(String path) {
        return first(path, FolderOwners::isOverlapping);
    }

    /** Returns the table whose folder is the path, if no other folder equals the path, or lies in it or around it. */
    public Optional<CatalogFolder> only(String path) {
        StoragePath wanted = policy.path(path);
        List<Owned> found = folders.stream()
                .filter(owned -> isOverlapping(owned, wanted))
                .limit(2)
                .toList();
        return found.size() == 1 && found.getFirst().path().equals(wanted)
                ? found.stream()
                        .map(Owned::folder)
                        .filter(folder -> !folder.isDatabase())
                        .findFirst()
                : Optional.empty();
    }

    private static boolean isOverlapping(Owned owned, StoragePath wanted) {
        return owned.folder().isDatabase() ? wanted.contains(owned.path()) : wanted.overlaps(owned.path());
    }

    private Optional<CatalogFolder> first(String path, BiPredicate<Owned, StoragePath> test) {
        StoragePath wanted = policy.path(path);
        return folders.stream()
                .filter(owned -> test.test(owned, wanted))
                .map(Owned::folder)
                .findFirst();
    }
}
