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
 * Deletes the folders of tables and partitions once the catalog has forgotten them: not before, and not those that another table has by
 * then.
 */
final class FolderRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(FolderRemoval.class);

    private final Catalog catalog;
    private final TableFiles files;

    FolderRemoval(Catalog catalog, TableFiles files) {
        this.catalog = catalog;
        this.files = files;
    }

    /** Right after the catalog has forgotten all of them. */
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
     * After an interruption: what the catalog says decides.
     *
     * @return whether what was to be dropped is gone
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

    /** Of a folder that is no table's of the catalog; false when it has become one's, or holds or lies in one's. */
    boolean isRemoved(String folder) {
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

    /** A partition is gone when its table is there without it: a table that others have renamed may still have it. */
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

    /** The folder of a partition's own table holds it, as a database's may. */
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
