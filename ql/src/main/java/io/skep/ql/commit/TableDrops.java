package io.skep.ql.commit;

import java.util.Optional;

/**
 * Drops tables and partitions with their folders, for the holder of the table's lease. They are removed from the
 * catalog first, then their folders are deleted.
 */
final class TableDrops {
    private final FolderRemoval removal;
    private final UnfinishedCommits unfinished;

    /** @param unfinished receives failed removals that no other server can find */
    TableDrops(FolderRemoval removal, UnfinishedCommits unfinished) {
        this.removal = removal;
        this.unfinished = unfinished;
    }

    void drop(DropRequest request, String name, JournalStore store) {
        if (request.entries().isEmpty()) {
            request.inCatalog().run();
            return;
        }
        CommitJournal journal = CommitJournal.removal(name, request.table(), request.entries());
        boolean isOver = false;
        try {
            store.write(journal);
            request.inCatalog().run();
            removal.remove(journal, store::check);
            store.delete(name);
            isOver = true;
        } catch (RuntimeException e) {
            Optional<Boolean> isGone = settled(journal, store, e);
            isOver = isGone.isPresent();
            if (!isGone.orElse(false)) {
                throw e;
            }
        } finally {
            if (!isOver && !store.isShared()) {
                unfinished.add(journal);
            }
        }
    }

    /**
     * Whether the dropped table or partitions are gone, with their files. Empty when the files are left to a later
     * statement or to the next start.
     */
    private Optional<Boolean> settled(CommitJournal journal, JournalStore store, RuntimeException reason) {
        try {
            return Optional.of(settle(journal, store));
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
        try {
            // Files that cannot be deleted must not block reads of a new table with the same name.
            store.leave(journal);
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
        return Optional.empty();
    }

    /** Ends an interrupted drop. Returns whether the table or partitions are gone. */
    boolean settle(CommitJournal journal, JournalStore store) {
        boolean isGone = removal.complete(journal, store::check);
        store.check();
        store.delete(journal.name());
        return isGone;
    }
}
