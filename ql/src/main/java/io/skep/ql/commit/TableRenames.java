package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FolderMove;
import io.skep.ql.commit.CommitJournal.Move;
import io.skep.ql.commit.CommitJournal.Target;
import io.skep.storage.file.FileKey;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renames tables and partitions, for the holder of the leases. The folder is moved, then one transaction changes the
 * catalog. That transaction decides: after an interruption, the folder is moved to where the catalog expects it.
 *
 * <p>The folder is moved twice, through a hidden folder that belongs to this rename alone. Suppose a server is
 * suspended before either move and resumes after another server has ended the rename. It then finds no folder to move,
 * or no target folder. Otherwise it would move the files away from a table that others use by then.
 */
final class TableRenames {
    private static final Logger LOG = LoggerFactory.getLogger(TableRenames.class);
    private static final String HIDDEN = "/.skep-renamed-";

    private final TableFiles files;
    private final CommitConfig config;
    private final CatalogRepair repair;
    private final UnfinishedCommits unfinished;

    /** @param unfinished receives renames that cannot be ended at present and that no other server can find */
    TableRenames(TableFiles files, CommitConfig config, CatalogRepair repair, UnfinishedCommits unfinished) {
        this.files = files;
        this.config = config;
        this.repair = repair;
        this.unfinished = unfinished;
    }

    /**
     * @throws SkepException COMMIT_UNFINISHED when it failed, and can be neither completed nor rolled back at present
     */
    void rename(RenameRequest request, String name, JournalStore store) {
        if (request.folder().isEmpty()) {
            request.inCatalog().run();
            return;
        }
        CommitJournal journal = journal(request, request.folder().get(), name);
        boolean isDurable = false;
        boolean isOver = false;
        try {
            store.write(journal);
            isDurable = true;
            execution(journal, store).forward(store::write);
            store.check();
            request.inCatalog().run();
            cleanUp(journal, true);
            store.delete(name);
            isOver = true;
        } catch (RuntimeException e) {
            isOver = !isDurable && store.tryWithdraw(name);
            if (!isOver) {
                boolean isRenamed = isRenamed(journal, store, e);
                isOver = true;
                if (isRenamed) {
                    return;
                }
            }
            throw e;
        } finally {
            if (!isOver && !store.isShared()) {
                unfinished.add(journal);
            }
        }
    }

    private CommitJournal journal(RenameRequest request, FolderMove named, String name) {
        FolderMove folder = new FolderMove(files.qualified(named.from()), files.qualified(named.to()));
        config.checkRenames(folder.to());
        if (!files.movable(folder.from(), folder.to())) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR,
                    folder.from() + " cannot be renamed to " + folder.to()
                            + ", which is on another disk or file system");
        }
        FileKey key = files.key(folder.from())
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.MISSING_FILE, folder.from() + " is to be renamed, and does not exist"));
        boolean isTable = request.partition().isEmpty();
        String above = isTable ? parent(folder.to()) : request.table().storage().location();
        return CommitJournal.rename(name, request, folder, key, above + HIDDEN + name + "/0");
    }

    private CommitExecution execution(CommitJournal journal, JournalStore store) {
        return new CommitExecution(files, journal, store::check, config);
    }

    /**
     * Ends a rename that failed. Returns whether the new name is in effect; otherwise the old name exists, with all
     * files.
     */
    private boolean isRenamed(CommitJournal journal, JournalStore store, RuntimeException reason) {
        try {
            return settle(journal, store);
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
            LOG.error("rename {} failed and is not ended yet: {}", journal.name(), String.valueOf(e.getMessage()));
            throw UnfinishedCommits.failure(journal, reason);
        }
    }

    /** Ends an interrupted rename. Returns whether the new name is in effect. */
    boolean settle(CommitJournal journal, JournalStore store) {
        boolean isRenamed = repair.isRenamed(journal);
        moveFolder(journal, isRenamed, store);
        store.check();
        cleanUp(journal, isRenamed);
        store.delete(journal.name());
        LOG.warn("rename {} was interrupted and has been {}", journal.name(), isRenamed ? "completed" : "taken back");
        return isRenamed;
    }

    /** Moves the folder to where the catalog expects it. */
    private void moveFolder(CommitJournal journal, boolean isRenamed, JournalStore store) {
        Move first = journal.moves().getFirst();
        Move last = journal.moves().getLast();
        String aside = first.to();
        String wanted = isRenamed ? last.to() : first.from();
        String other = isRenamed ? first.from() : last.to();
        CommitExecution execution = execution(journal, store);
        if (!is(first.key(), aside) && is(first.key(), other)) {
            makeAbove(aside, store);
            files.move(other, aside);
        }
        if (is(first.key(), aside)) {
            if (files.key(wanted).isPresent()) {
                merge(wanted, aside, store);
            }
            makeAbove(wanted, store);
            files.move(aside, wanted);
        } else if (!is(first.key(), wanted)) {
            LOG.warn("rename {}: the folder that was {} is gone", journal.name(), first.from());
        }
        execution.forceFolders();
    }

    private void makeAbove(String path, JournalStore store) {
        store.check();
        files.makeDirectory(parent(path));
        store.check();
    }

    /**
     * A write that knows only the other name has recreated its folder, with a hidden folder in it. The contents are
     * merged, so that nothing is lost.
     */
    private void merge(String from, String into, JournalStore store) {
        for (String name : files.names(from)) {
            String path = from + "/" + name;
            String target = into + "/" + name;
            if (files.key(target).isEmpty()) {
                store.check();
                files.move(path, target);
            } else if (isFolder(path) && isFolder(target)) {
                merge(path, target, store);
            } else {
                throw new SkepException(
                                StandardErrorCode.FILE_SYSTEM_ERROR,
                                path + " and " + target + " are to become one file of a table that is renamed")
                        .withHint("move one of them away");
            }
        }
        store.check();
        files.deleteEmpty(from);
    }

    private boolean isFolder(String path) {
        return files.key(path).filter(FileKey::folder).isPresent();
    }

    private boolean is(FileKey key, String path) {
        return files.key(path).filter(key::equals).isPresent();
    }

    /** Without the hidden folder, a suspended server cannot continue the rename. */
    private void cleanUp(CommitJournal journal, boolean isRenamed) {
        Move last = journal.moves().getLast();
        List<String> empty = new ArrayList<>(List.of(parent(last.from())));
        if (!isRenamed) {
            addFoldersOfPartition(journal, parent(last.to()), empty);
        }
        empty.forEach(files::deleteEmpty);
        if (isRenamed && journal.entries().getLast().partition().isEmpty()) {
            sweep(last.to());
        }
    }

    /** Adds the ancestors of a partition's folder within its table's folder. */
    private static void addFoldersOfPartition(CommitJournal journal, String folder, List<String> folders) {
        Target table = journal.targets().getFirst();
        if (!journal.entries().getFirst().partition().isEmpty()) {
            for (String above = folder; above.startsWith(table.location() + "/"); above = parent(above)) {
                folders.add(above);
            }
        }
    }

    /**
     * Writes to the table by its old name will fail. The files that they have written so far have moved along and are
     * deleted.
     */
    private void sweep(String folder) {
        for (String name : files.names(folder)) {
            if (name.startsWith(StagingFolders.PREFIX)) {
                files.delete(folder + "/" + name);
            }
        }
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
