package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFolder;
import io.skep.ql.path.StoragePath;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds tables that were created over the folders of an interrupted commit to no table. The commit's files may belong
 * to them.
 */
final class TablesOverFolders {
    private final Catalog catalog;
    private final TableFiles files;

    TablesOverFolders(Catalog catalog, TableFiles files) {
        this.catalog = catalog;
        this.files = files;
    }

    /** Returns a table in whose folder the commit would change files. */
    Optional<CatalogFolder> find(CommitJournal journal) {
        String root = files.qualified("/");
        List<StoragePath> changed = journal.moves().stream()
                .flatMap(move -> Stream.of(move.from(), move.to()))
                .map(path -> StoragePath.of(path, root))
                .toList();
        return catalog.folders().stream()
                .filter(folder -> !folder.isDatabase() && holds(folder, root, changed))
                .findFirst();
    }

    private static boolean holds(CatalogFolder folder, String root, List<StoragePath> changed) {
        try {
            StoragePath location = StoragePath.of(folder.location(), root);
            return changed.stream().anyMatch(location::contains);
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.INVALID_PATH) {
                throw e;
            }
            return false;
        }
    }
}
