package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.metastore.Catalog;
import io.skep.metastore.transaction.TransactionStore;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of one commit, for the holder of the tables' leases; see {@link TableCommits}. Also ends interrupted
 * commits: completes them or rolls them back.
 */
final class CommitProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(CommitProtocol.class);

    private final TableFiles files;
    private final Catalog catalog;
    private final TransactionStore transactions;
    private final CommitConfig config;
    private final StagingFolders folders;
    private final UnfinishedCommits unfinished;
    private final CatalogRepair repair;
    private final TableDrops drops;
    private final TableRenames renames;

    /** @param unfinished receives commits that can be neither completed nor rolled back at present */
    CommitProtocol(
            TableFiles files,
            Catalog catalog,
            TransactionStore transactions,
            CommitConfig config,
            StagingFolders folders,
            UnfinishedCommits unfinished,
            TableDrops drops) {
        this.files = files;
        this.catalog = catalog;
        this.transactions = transactions;
        this.config = config;
        this.folders = folders;
        this.unfinished = unfinished;
        this.repair = new CatalogRepair(catalog, files);
        this.drops = drops;
        this.renames = new TableRenames(files, config, repair, unfinished);
    }

    /** @return the journal that was carried out; the caller cleans it up after releasing the leases */
    CommitJournal commit(CommitRequest request, JournalStore store) {
        CompiledTables.requireSame(request.tables(), catalog);
        CommitPlan plan = new CommitPlan(files);
        request.plan().accept(plan);
        CommitJournal journal = plan.journal(request.name(), targets(request));
        journal.moves().forEach(move -> config.checkRenames(move.to()));
        journal.folders().forEach(folders::note);
        CommitExecution execution = execution(journal, store::check);
        boolean isWritten = false;
        boolean isDurable = false;
        boolean isOver = false;
        try {
            execution.forceSources();
            request.gate().accept(ChangedFiles.of(journal));
            isWritten = true;
            store.write(journal);
            isDurable = true;
            request.created().ifPresent(created -> created.create().run());
            execution.forward(store::write);
            store.check();
            request.inCatalog().run();
            store.delete(request.name());
            isOver = true;
            return execution.journal();
        } catch (RuntimeException e) {
            if (isWritten) {
                isOver = !isDurable && store.tryWithdraw(request.name());
                if (!isOver) {
                    boolean isCompleted = settleFailed(execution.journal().back(), store, e);
                    isOver = true;
                    if (isCompleted) {
                        return execution.journal();
                    }
                }
            }
            throw e;
        } finally {
            if (isWritten && !isOver && !store.isShared()) {
                unfinished.add(execution.journal().back());
            } else if (!isDurable) {
                journal.folders().forEach(folders::abandon);
            }
        }
    }

    private static List<CommitJournal.Target> targets(CommitRequest request) {
        List<CommitJournal.Target> targets = new ArrayList<>();
        request.tables().forEach(table -> targets.add(CommitJournal.Target.of(table)));
        request.created().ifPresent(created -> targets.add(CommitJournal.Target.created(created.table())));
        return targets;
    }

    /**
     * Ends a commit that failed. Returns whether it is complete, for example because only its journal remained;
     * otherwise it has been rolled back.
     */
    private boolean settleFailed(CommitJournal journal, JournalStore store, RuntimeException reason) {
        try {
            store.write(journal);
            return settle(journal, store);
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
            LOG.error(
                    "commit {} failed and is not rolled back yet: {}", journal.name(), String.valueOf(e.getMessage()));
            throw UnfinishedCommits.failure(journal, reason);
        }
    }

    /** Renames a table or partition, entirely or not at all. */
    void rename(RenameRequest request, String name, JournalStore store) {
        renames.rename(request, name, store);
    }

    /** Cleans up after a commit that is over. Failures are logged, and the next start deletes the remaining files. */
    void cleanUp(CommitJournal journal) {
        try {
            execution(journal, () -> {}).cleanUp(folders);
        } catch (SkepException e) {
            LOG.warn("commit {} is complete, but leaves files: {}", journal.name(), e.fullMessage());
        }
    }

    /** Completes an interrupted commit, or rolls it back. Returns whether it is complete. */
    boolean settle(CommitJournal journal, JournalStore store) {
        if (journal.isRemoval()) {
            return drops.settle(journal, store);
        }
        if (journal.isRename()) {
            return renames.settle(journal, store);
        }
        CommitExecution execution = execution(journal, store::check);
        if (isCompleted(journal, execution)) {
            try {
                // A transaction commits after all moves. Its files may have been replaced by a compaction since.
                if (journal.transaction() == 0) {
                    execution.resume();
                }
                repair.forward(journal);
                store.check();
                execution.cleanUp(folders);
                store.delete(journal.name());
                LOG.warn("commit {} was interrupted and has been completed", journal.name());
                return true;
            } catch (CommitExecution.Conflict e) {
                LOG.warn("commit {} cannot be completed: {}", journal.name(), e.getMessage());
                store.write(journal.back());
                // If one of the following steps fails, the next try continues in this direction.
                unfinished.replace(journal.back());
            }
        }
        execution.back();
        repair.back(journal);
        store.check();
        execution.cleanUpBack(folders);
        store.delete(journal.name());
        LOG.warn("commit {} was interrupted and has been rolled back", journal.name());
        return false;
    }

    /** Whether an interrupted commit is to be completed, or has been. */
    private boolean isCompleted(CommitJournal journal, CommitExecution execution) {
        if (journal.transaction() != 0) {
            return transactions.abortUnlessCommitted(journal.transaction());
        }
        return journal.direction() == CommitJournal.Direction.FORWARD && repair.isCreated(journal)
                || repair.isDecided(journal)
                || repair.isCreationFinished(journal) && execution.isArrived();
    }

    private CommitExecution execution(CommitJournal journal, Runnable fence) {
        return new CommitExecution(files, journal, fence, config);
    }
}
