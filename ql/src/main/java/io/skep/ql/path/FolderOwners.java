package io.skep.ql.path;

import io.skep.common.error.SkepException;
import io.skep.metastore.CatalogFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whose a path is: compares it with the folders of all databases, tables and partitions. */
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

    /** The table in one of whose folders a path lies. */
    public Optional<CatalogFolder> tableHolding(String path) {
        return first(
                path,
                (owned, wanted) -> !owned.folder().isDatabase() && owned.path().contains(wanted));
    }

    /** The table whose folder a path is, lies in or contains, or the database whose folder it is or contains. */
    public Optional<CatalogFolder> overlapping(String path) {
        return first(
                path,
                (owned, wanted) ->
                        owned.folder().isDatabase() ? wanted.contains(owned.path()) : wanted.overlaps(owned.path()));
    }

    private Optional<CatalogFolder> first(String path, BiPredicate<Owned, StoragePath> test) {
        StoragePath wanted = policy.path(path);
        return folders.stream()
                .filter(owned -> test.test(owned, wanted))
                .map(Owned::folder)
                .findFirst();
    }
}
