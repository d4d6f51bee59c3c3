package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFolder;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitJournal.Change;
import io.skep.ql.commit.CommitJournal.Entry;
import io.skep.ql.commit.CommitJournal.Target;
import io.skep.ql.path.StoragePath;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the folders of tables and partitions after they have been removed from the catalog, never before. Folders
 * that another table uses at that time stay.
 */
final class FolderRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(FolderRemoval.class);

    private final Catalog catalog;
    private final TableFiles files;

    FolderRemoval(Catalog catalog, TableFiles files) {
        this.catalog = catalog;
        this.files = files;
    }

    /** Removes the folders. Called right after all of them have been removed from the catalog. */
    void remove(CommitJournal journal, Runnable fence) {
        for (Entry entry : journal.entries()) {
            fence.run();
            remove(entry);
        }
    }

    private void remove(Entry entry) {
        if (entry.change() == Change.DISCARDED) {
            files.discard(entry.location());
        } else {
            files.delete(entry.location());
        }
    }

    /**
     * Completes a removal after an interruption. The content of the catalog decides.
     *
     * @return whether the dropped table or partitions are gone
     */
    boolean complete(CommitJournal journal, Runnable fence) {
        List<Entry> gone = journal.entries().stream()
                .filter(entry -> isGone(journal.targets().getFirst(), entry))
                .toList();
        if (gone.isEmpty()) {
            return false;
        }
        List<CatalogFolder> kept = catalog.folders();
        for (Entry entry : gone) {
            Optional<CatalogFolder> other =
                    kept.stream().filter(folder -> isInTheWay(folder, entry)).findFirst();
            if (other.isPresent()) {
                LOG.warn(
                        "{} is not deleted with what was dropped: it overlaps the folder of {}",
                        entry.location(),
                        other.get().owner());
            } else {
                fence.run();
                remove(entry);
            }
        }
        return true;
    }

    /**
     * Deletes a folder that belongs to no table of the catalog. Returns false when the folder has become a table's, or
     * contains or lies in a table's folder.
     */
    boolean removeUnlessTaken(String folder) {
        Optional<CatalogFolder> other = catalog.folders().stream()
                .filter(kept -> isInTheWay(kept, folder, false))
                .findFirst();
        if (other.isPresent()) {
            LOG.warn(
                    "{} is not deleted: it overlaps the folder of {}",
                    folder,
                    other.get().owner());
            return false;
        }
        files.delete(folder);
        return true;
    }

    /**
     * Whether a table or partition is gone. A partition is gone when its table exists without it: if the table is
     * missing, another statement may have renamed it and it may still have the partition.
     */
    private boolean isGone(Target target, Entry entry) {
        Optional<Table> table =
                catalog.table(target.database(), target.table()).filter(found -> found.id() == target.id());
        if (entry.partition().isEmpty()) {
            return table.isEmpty();
        }
        return table.filter(found -> catalog.partition(found, PartitionName.values(entry.partition()))
                        .isEmpty())
                .isPresent();
    }

    /** The folder of the partition's own table may contain the partition's folder, as a database's folder may. */
    private boolean isInTheWay(CatalogFolder folder, Entry entry) {
        boolean isOwn =
                folder.database().equals(entry.database()) && folder.table().equals(entry.table());
        return isInTheWay(folder, entry.location(), isOwn);
    }

    private boolean isInTheWay(CatalogFolder folder, String location, boolean isOwn) {
        try {
            String root = files.qualified("/");
            StoragePath kept = StoragePath.of(folder.location(), root);
            StoragePath doomed = StoragePath.of(location, root);
            return doomed.contains(kept) || !isOwn && !folder.isDatabase() && kept.contains(doomed);
        } catch (SkepException e) {
            if (e.code() != StandardErrorCode.INVALID_PATH) {
                throw e;
            }
            return false;
        }
    }
}
