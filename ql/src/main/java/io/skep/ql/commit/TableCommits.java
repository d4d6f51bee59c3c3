package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.metastore.Catalog;
import io.skep.metastore.Table;
import io.skep.metastore.commit.CommitMarks;
import io.skep.metastore.local.LocalMetastore;
import io.skep.storage.page.SplitEnumerator;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes written files visible, all or none. The protocol, for the holder of the tables' leases:
 *
 * <ol>
 *   <li>commits that failed before are completed or rolled back; the tables must be those that the statement was compiled against;
 *   <li>every file that is to be renamed is looked at, and the new ones are forced to the disk;
 *   <li>the statement's cancellation is looked at, for the last time;
 *   <li>the {@link CommitJournal} is made durable;
 *   <li>new files are renamed into the tables' folders, then old ones to hidden folders; the folders are forced;
 *   <li>the catalog is updated;
 *   <li>the journal is deleted: the commit is over. Only now are old files deleted, from their hidden folders.
 * </ol>
 *
 * When a step after the journal fails, all renames are taken back; the statement fails, and nothing has changed. When that fails too, or
 * the process dies, the journal stays, and nobody lists or changes the tables before the commit has been completed or rolled back: by the
 * next statement, by the next start, or by another server ({@link TableLeases}). A file is touched only while it is the very file that
 * the journal means. The journal is on the server's disk; for tables that other servers may change as well it is in the metastore's
 * database, and reads make sure of what they list ({@link ConsistentReads}). See docs/decisions/commits.md.
 */
public final class TableCommits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TableCommits.class);

    private final LocalJournals journals;
    private final TableFiles files;
    private final Catalog catalog;
    private final CatalogRepair repair;
    private final FolderRemoval removal;
    private final CommitConfig config;
    private final StagingFolders folders;
    private final ListingLocks locks = new ListingLocks();
    private final UnfinishedCommits unfinished = new UnfinishedCommits();
    private final ClosedTables closed = new ClosedTables();
    private final CommitsUnderWay underWay = new CommitsUnderWay();
    private final Optional<Shared> shared;

    private record Shared(TableLeases leases, ConsistentReads reads) {}

    /**
     * Of the only server on a metastore database.
     *
     * @param folder for journals, on the server's own disk
     */
    public TableCommits(Path folder, TableFiles files, Catalog catalog, CommitConfig config) {
        this(folder, files, catalog, config, Optional.empty());
    }

    /**
     * Of one of several servers.
     *
     * @param marks of the database that they share
     */
    public TableCommits(Path folder, TableFiles files, Catalog catalog, CommitConfig config, CommitMarks marks) {
        this(folder, files, catalog, config, Optional.of(marks));
    }

    private TableCommits(
            Path folder, TableFiles files, Catalog catalog, CommitConfig config, Optional<CommitMarks> marks) {
        this.journals = new LocalJournals(folder);
        this.files = files;
        this.catalog = catalog;
        this.config = config;
        this.repair = new CatalogRepair(catalog, files);
        this.removal = new FolderRemoval(catalog, files);
        this.folders = new StagingFolders(folder, files, InstantSource.system());
        this.shared = marks.map(known -> {
            TableLeases leases = new TableLeases(known, config, new Completion());
            return new Shared(leases, new ConsistentReads(leases, known, catalog));
        });
    }

    /** Of one of several servers where others may be on the metastore's database. */
    public static TableCommits of(Path folder, TableFiles files, LocalMetastore metastore, CommitConfig config) {
        return new TableCommits(folder, files, metastore.catalog(), config, metastore.commitMarks());
    }

    /** Where files are written before they are committed, and temporary tables. */
    public StagingFolders folders() {
        return folders;
    }

    /** @throws SkepException NOT_SUPPORTED when what is written at a place cannot be committed there */
    public void checkPlace(String location) {
        config.checkRenames(location);
    }

    /** What is left of a commit in a database that servers share. */
    private final class Completion implements TableLeases.Completion {
        @Override
        public void complete(CommitJournal journal, TableLease lease) {
            locks.changingKeys(journal.keys(), () -> {
                settle(journal, new LeaseJournal(lease));
                return true;
            });
        }

        @Override
        public void doubt(CommitJournal journal) {
            repair.forward(journal);
        }
    }

    /** Where the journal of one commit is kept. */
    private interface Journal {
        void write(CommitJournal journal);

        /** The commit is over. */
        void delete(String name);

        /** Takes back a journal whose writing has failed; false when it may come back. */
        boolean withdrawn(String name);

        /** Fails when another server may have taken the commit over. */
        void check();
    }

    private record LeaseJournal(TableLease lease) implements Journal {
        @Override
        public void write(CommitJournal journal) {
            lease.write(journal);
        }

        @Override
        public void delete(String name) {
            lease.settle();
        }

        /** Others may have seen it. */
        @Override
        public boolean withdrawn(String name) {
            return false;
        }

        @Override
        public void check() {
            lease.check();
        }
    }

    private final class LocalJournal implements Journal {
        @Override
        public void write(CommitJournal journal) {
            journals.write(journal);
        }

        @Override
        public void delete(String name) {
            journals.delete(name);
        }

        @Override
        public boolean withdrawn(String name) {
            return journals.withdrawn(name);
        }

        @Override
        public void check() {}
    }

    /**
     * Carries out a commit: when this returns it is complete, and when it fails nothing has changed.
     *
     * @throws SkepException COMMIT_UNFINISHED when it failed and could not be rolled back: it will be, or it will be completed
     * @throws SkepException TABLE_NOT_FOUND or TABLE_CHANGED when a table is no longer the one that the statement was compiled against
     */
    public void commit(CommitRequest request) {
        try (CommitsUnderWay.Entered _ = underWay.enter()) {
            Set<Table> tables = new HashSet<>(request.tables());
            request.created().ifPresent(created -> tables.add(created.table()));
            CommitJournal done;
            if (shared.isEmpty() || tables.isEmpty()) {
                done = alone(tables, () -> commit(request, new LocalJournal()));
            } else {
                done = inTurn(
                        tables, request.name(), lease -> alone(tables, () -> commit(request, new LeaseJournal(lease))));
            }
            cleanUp(done);
        }
    }

    /** The commit is over: what fails now is logged, and deleted by the next start. */
    private void cleanUp(CommitJournal journal) {
        try {
            execution(journal, () -> {}).cleanUp(folders);
        } catch (SkepException e) {
            LOG.warn("commit {} is complete, but leaves files: {}", journal.name(), e.fullMessage());
        }
    }

    private CommitJournal commit(CommitRequest request, Journal store) {
        CompiledTables.requireSame(request.tables(), catalog);
        CommitPlan plan = new CommitPlan(files);
        request.plan().accept(plan);
        CommitJournal journal = plan.journal(request.name(), targets(request));
        journal.moves().forEach(move -> config.checkRenames(move.to()));
        journal.folders().forEach(folders::note);
        CommitExecution execution = execution(journal, store::check);
        CommitJournal left = journal;
        boolean isWritten = false;
        boolean isDurable = false;
        boolean isOver = false;
        try {
            execution.forceSources();
            request.gate().run();
            isWritten = true;
            store.write(journal);
            isDurable = true;
            request.created().ifPresent(created -> created.create().run());
            execution.forward();
            store.check();
            request.inCatalog().run();
            store.delete(request.name());
            isOver = true;
            return journal;
        } catch (RuntimeException e) {
            if (isWritten) {
                left = journal.back();
                isOver = !isDurable && store.withdrawn(request.name());
                if (!isOver) {
                    boolean isCompleted = isCompletedOrBack(left, store, e);
                    isOver = true;
                    if (isCompleted) {
                        return journal;
                    }
                }
            }
            throw e;
        } finally {
            if (isWritten && !isOver && store instanceof LocalJournal) {
                unfinished.add(left);
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

    /** Whether a commit that failed is complete, as when only its journal was left; else it has been rolled back. */
    private boolean isCompletedOrBack(CommitJournal journal, Journal store, RuntimeException reason) {
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

    private void drop(DropRequest request, String name, Journal store) {
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
            Optional<Boolean> isGone = settledRemoval(journal, store, e);
            isOver = isGone.isPresent();
            if (!isGone.orElse(false)) {
                throw e;
            }
        } finally {
            if (!isOver) {
                unfinished.add(journal);
            }
        }
    }

    /** Whether what was to be dropped is gone, with its files; empty when they are left to a later statement, or to the next start. */
    private Optional<Boolean> settledRemoval(CommitJournal journal, Journal store, RuntimeException reason) {
        try {
            return Optional.of(settleRemoval(journal, store));
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
        if (store instanceof LeaseJournal) {
            try {
                // Files that cannot be deleted keep no other server from the table.
                journals.write(journal);
                store.delete(journal.name());
            } catch (RuntimeException e) {
                reason.addSuppressed(e);
            }
        }
        return Optional.empty();
    }

    private boolean settleRemoval(CommitJournal journal, Journal store) {
        boolean isGone = removal.complete(journal, store::check);
        store.check();
        store.delete(journal.name());
        return isGone;
    }

    /** Completes a commit that was interrupted, or rolls it back; whether it is complete. */
    private boolean settle(CommitJournal journal, Journal store) {
        if (journal.isRemoval()) {
            return settleRemoval(journal, store);
        }
        CommitExecution execution = execution(journal, store::check);
        boolean isForward = journal.direction() == CommitJournal.Direction.FORWARD && repair.isCreated(journal)
                || repair.isDecided(journal)
                || repair.isNamed(journal) && execution.isArrived();
        if (isForward) {
            try {
                execution.resume();
                repair.forward(journal);
                store.check();
                execution.cleanUp(folders);
                store.delete(journal.name());
                LOG.warn("commit {} was interrupted and has been completed", journal.name());
                return true;
            } catch (CommitExecution.Conflict e) {
                LOG.warn("commit {} cannot be completed: {}", journal.name(), e.getMessage());
                store.write(journal.back());
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

    private CommitExecution execution(CommitJournal journal, Runnable fence) {
        return new CommitExecution(files, journal, fence, config.isForced());
    }

    private <T extends @Nullable Object> T inTurn(Collection<Table> tables, String name, Function<TableLease, T> work) {
        return shared.orElseThrow().leases().inTurn(ConsistentReads.keys(tables), name, (lease, position) -> {
            catalog.catchUp(position);
            return work.apply(lease);
        });
    }

    /** Does something while nobody of this server lists or changes the tables, and no commit to them is unfinished. */
    private <T extends @Nullable Object> T alone(Collection<Table> tables, Supplier<T> work) {
        unfinished.removalsOf(tables).forEach(this::attempt);
        return undisturbed(tables, finished -> locks.changing(tables, finished), work);
    }

    /** The same, beside others who list the tables. */
    private <T extends @Nullable Object> T listing(Collection<Table> tables, Supplier<T> work) {
        return undisturbed(tables, finished -> locks.listing(tables, finished), work);
    }

    /** @param locked runs what it is given with the tables locked */
    private <T extends @Nullable Object> T undisturbed(
            Collection<Table> tables,
            Function<Supplier<Optional<Supplier<T>>>, Optional<Supplier<T>>> locked,
            Supplier<T> work) {
        while (true) {
            finishCommits(tables);
            Optional<Supplier<T>> done = locked.apply(() -> {
                if (!unfinished.of(tables).isEmpty()) {
                    return Optional.empty();
                }
                T result = work.get();
                return Optional.of(() -> result);
            });
            if (done.isPresent()) {
                return done.get().get();
            }
        }
    }

    /** Ends what earlier commits to the tables have left. */
    private void finishCommits(Collection<Table> tables) {
        if (!closed.isEmpty()) {
            closed.check(ConsistentReads.keys(tables));
        }
        for (CommitJournal journal : unfinished.of(tables)) {
            finish(journal);
        }
        if (tables.isEmpty()) {
            unfinished.all().stream()
                    .filter(journal -> journal.keys().isEmpty())
                    .forEach(this::attempt);
        }
    }

    private void attempt(CommitJournal journal) {
        try {
            finish(journal);
        } catch (SkepException e) {
            LOG.error("{}", e.fullMessage());
        }
    }

    private void finish(CommitJournal journal) {
        locks.changingKeys(journal.keys(), () -> {
            if (unfinished.has(journal.name())) {
                try {
                    settle(journal, new LocalJournal());
                } catch (RuntimeException e) {
                    throw UnfinishedCommits.failure(journal, e);
                }
                unfinished.remove(journal.name());
            }
            return true;
        });
    }

    /** Whether a commit of this name was interrupted, so that its files are still wanted. */
    public boolean isUnfinished(String name) {
        return unfinished.has(name)
                || journals.exists(name)
                || shared.filter(others -> others.leases().isUnfinished(name)).isPresent();
    }

    /**
     * Lists files as one moment between commits left them.
     *
     * @param tables of the catalog that are read
     * @param listing says what it saw; runs again when a commit came in between
     */
    public <T> T listed(Collection<Table> tables, Function<SplitEnumerator.Seen, T> listing) {
        if (shared.isEmpty() || tables.isEmpty()) {
            return listing(tables, () -> listing.apply(SplitEnumerator.Seen.NOBODY));
        }
        return shared.get().reads().listed(tables, seen -> listing(tables, () -> listing.apply(seen)));
    }

    /**
     * Does something with what the catalog says and with files that agree with it.
     *
     * @param asking says of each table that it is going to ask for it
     * @return empty when commits came in between
     */
    public <T> Optional<T> told(Function<Consumer<Table>, T> asking) {
        if (!unfinished.isEmpty() || !closed.isEmpty()) {
            return Optional.empty();
        }
        Optional<T> told = shared.isEmpty()
                ? locks.listingUnlessChanging(asking)
                : shared.get().reads().told(asking, locks);
        return unfinished.isEmpty() ? told : Optional.empty();
    }

    /**
     * Runs changes of the catalog or of files while nobody lists, commits to or changes these tables: on this server, and on all that
     * share the metastore database. It holds the lease that a write to the tables holds. When it begins, the catalog has caught up
     * with all earlier holders, so that what was compiled against can be compared with what is there. Must not be nested, and the
     * work must not commit.
     *
     * @param tables of the catalog, also such as do not exist yet (the new name of a RENAME); temporary ones need no lease
     * @param name that no other commit has, such as the query's id with a number
     */
    public <T extends @Nullable Object> T exclusively(Collection<Table> tables, String name, Supplier<T> work) {
        return dropping(tables, name, drops -> work.get());
    }

    /**
     * The same for work that drops a table, or partitions of one: their folders are deleted with them, by the next start if the process
     * dies in between.
     */
    public <T extends @Nullable Object> T dropping(
            Collection<Table> tables, String name, Function<Consumer<DropRequest>, T> work) {
        try (CommitsUnderWay.Entered _ = underWay.enter()) {
            // A journal that came back after a power cut must not meet what is done now.
            journals.force();
            return shared.isEmpty() || tables.isEmpty()
                    ? alone(tables, () -> work.apply(drop -> drop(drop, name, new LocalJournal())))
                    : inTurn(
                            tables,
                            name,
                            lease -> alone(tables, () -> {
                                lease.check();
                                return work.apply(drop -> drop(drop, name, new LeaseJournal(lease)));
                            }));
        }
    }

    /**
     * Completes or rolls back what a crash interrupted, and deletes what it left; to be called before the first statement. What cannot be
     * ended now keeps its tables closed until it can.
     */
    public void recover() {
        for (CommitJournal journal : journals.readAll()) {
            unfinished.add(journal);
            // Among several servers it needs the table's lease, which the next statement on the table has.
            if (shared.isEmpty() || !journal.isRemoval()) {
                attempt(journal);
            }
        }
        closed.close(journals.unreadable());
        boolean isOver = shared.map(others -> others.leases().recover()).orElse(true);
        if (isOver && closed.isEmpty()) {
            Set<String> wanted = new HashSet<>();
            unfinished.all().forEach(journal -> wanted.addAll(journal.folders()));
            folders.clear(wanted);
        }
    }

    /** Waits for commits that are under way, within bounds: one that does not end is ended by the next start. */
    @Override
    public void close() {
        underWay.await(config.closing());
        shared.ifPresent(others -> others.leases().close());
    }
}
