package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.time.SteadyClock;
import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFolder;
import io.skep.metastore.Table;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.local.LocalMetastore;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.storage.page.SplitEnumerator;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
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
 * <li>earlier commits that failed are completed or rolled back; the tables must be those that the statement was
 * compiled against;
 * <li>the key of every file to be renamed is read, and the new files are forced to the disk;
 * <li>the statement is checked for cancellation, for the last time;
 * <li>the {@link CommitJournal} is made durable;
 * <li>new files are renamed into the tables' folders, then old ones to hidden folders; the folders are forced;
 * <li>the catalog is updated;
 * <li>the journal is deleted: the commit is over. Only then are old files deleted from their hidden folders.
 * </ol>
 *
 * When a step after the journal fails, all renames are undone. The statement fails, and nothing has changed. When the
 * undo fails too, or the process dies, the journal stays. The tables are then neither listed nor changed before the
 * commit has been completed or rolled back: by the next statement, by the next start, or by another server
 * ({@link TableLeases}). A file is touched only while its key is the one in the journal. The journal is on the server's
 * disk. For tables that other servers may also change, it is in the metastore's database, and reads verify their
 * listings ({@link ConsistentReads}). See docs/decisions/commits.md.
 */
public final class TableCommits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TableCommits.class);

    private final LocalJournals journals;
    private final Catalog catalog;
    private final CommitConfig config;
    private final StagingFolders folders;
    private final ListingLocks locks;
    private final UnfinishedCommits unfinished = new UnfinishedCommits();
    private final ClosedTables closed = new ClosedTables();
    private final CommitsUnderWay underWay = new CommitsUnderWay();
    private final FolderRemoval removal;
    private final TableDrops drops;
    private final CommitProtocol protocol;
    private final SettledTables settled;
    private final TablesOverFolders tablesOverFolders;
    private final JournalStore local;
    private final Optional<Shared> shared;

    private record Shared(TableLeases leases, ConsistentReads reads) {}

    /**
     * For the only server on a metastore database.
     *
     * @param folder the folder of the journals, on the server's own disk
     */
    public TableCommits(
            Path folder, TableFiles files, Catalog catalog, TransactionStore transactions, CommitConfig config) {
        this(folder, files, catalog, transactions, config, Optional.empty());
    }

    /**
     * For one of several servers.
     *
     * @param marks marks in the database that the servers share
     */
    public TableCommits(
            Path folder,
            TableFiles files,
            Catalog catalog,
            TransactionStore transactions,
            CommitConfig config,
            LeaseStore marks) {
        this(folder, files, catalog, transactions, config, Optional.of(marks));
    }

    private TableCommits(
            Path folder,
            TableFiles files,
            Catalog catalog,
            TransactionStore transactions,
            CommitConfig config,
            Optional<LeaseStore> marks) {
        this.journals = new LocalJournals(folder);
        this.local = JournalStore.Local.alone(journals);
        this.catalog = catalog;
        this.config = config;
        this.folders = new StagingFolders(folder, files, SteadyClock.start());
        this.locks = new ListingLocks(config.patience());
        this.removal = new FolderRemoval(catalog, files);
        this.drops = new TableDrops(removal, unfinished);
        this.protocol = new CommitProtocol(files, catalog, transactions, config, folders, unfinished, drops);
        this.settled = new SettledTables(locks, unfinished, closed, this::settle);
        this.tablesOverFolders = new TablesOverFolders(catalog, files);
        this.shared = marks.map(known -> {
            TableLeases leases = new TableLeases(known, config, this::complete);
            return new Shared(leases, new ConsistentReads(leases, known, catalog));
        });
    }

    /** For one of several servers, if others may use the metastore's database. */
    public static TableCommits of(Path folder, TableFiles files, LocalMetastore metastore, CommitConfig config) {
        return new TableCommits(
                folder, files, metastore.catalog(), metastore.transactions(), config, metastore.commitMarks());
    }

    /** Returns the folders for temporary tables and for files that are not yet committed. */
    public StagingFolders folders() {
        return folders;
    }

    /** @throws SkepException NOT_SUPPORTED when writes to the location cannot be committed there */
    public void checkPlace(String location) {
        config.checkRenames(location);
    }

    /** Whether local files are forced to the disk before a write is acknowledged. */
    public boolean isForced() {
        return config.isForced();
    }

    /** Ends an interrupted commit whose journal is in the database that servers share. */
    private void complete(CommitJournal journal, TableLease lease, long position) {
        catalog.refreshTo(position);
        locks.runExclusively(LockScope.by(journal), () -> protocol.settle(journal, new JournalStore.Leased(lease)));
    }

    /**
     * Ends an interrupted commit whose journal is on this server's disk. If the commit changed folders that belonged to
     * no table, another server may meanwhile have created a table over them and committed to it. The journal is invalid
     * in that case.
     */
    private void settle(CommitJournal journal) {
        Optional<CatalogFolder> taken =
                shared.isPresent() && journal.keys().isEmpty() ? tablesOverFolders.find(journal) : Optional.empty();
        if (taken.isPresent()) {
            LOG.warn(
                    "commit {} to folders was interrupted and is given up: its files are those of {} by now. Files"
                            + " that it was to bring or had hidden are left in {}",
                    journal.name(),
                    taken.get().owner(),
                    journal.folders());
            journal.folders().forEach(folders::keep);
            local.delete(journal.name());
        } else {
            protocol.settle(journal, local);
        }
    }

    /**
     * Carries out a commit. When this method returns, the commit is complete. When it fails, nothing has changed.
     *
     * @throws SkepException COMMIT_UNFINISHED when the commit failed and could not be rolled back; it will be rolled
     *     back or completed later
     * @throws SkepException TABLE_NOT_FOUND or TABLE_CHANGED when a table is not the one that the statement was
     *     compiled against
     */
    public void commit(CommitRequest request) {
        Set<Table> tables = new HashSet<>(request.tables());
        request.created().ifPresent(created -> tables.add(created.table()));
        Set<Table> leased = new HashSet<>(tables);
        if (request.intoFolders()) {
            leased.add(LeasedNames.FOLDERS);
        }
        try (CommitsUnderWay.Entered _ = underWay.enter()) {
            protocol.cleanUp(
                    shared.isEmpty() || leased.isEmpty()
                            ? settled.runExclusively(tables, request.folders(), () -> protocol.commit(request, local))
                            : inTurn(
                                    leased,
                                    request.name(),
                                    lease -> settled.runExclusively(
                                            tables,
                                            request.folders(),
                                            () -> protocol.commit(request, store(tables, lease)))));
        }
    }

    /** Folders that belong to no table may be on this server's disk, so no other server can end a commit to them. */
    private JournalStore store(Set<Table> tables, TableLease lease) {
        return tables.isEmpty() ? new JournalStore.Local(journals, lease::check) : new JournalStore.Leased(lease);
    }

    /**
     * Waits for running commits to folders that belong to no table. Those commits may not have seen a table that the
     * caller has just added to the catalog over one of these folders. Must be called without a lease. The caller's
     * change is already in the catalog, so a wait that fails, is interrupted or takes too long is only logged.
     *
     * @param location the table's folder; empty when it may be any folder
     */
    public void awaitFolders(Optional<String> location) {
        try {
            locks.await(location.map(folder -> new LockScope(List.of(), List.of(folder))));
            shared.ifPresent(others -> others.leases().awaitNone(Set.of(LeasedNames.FOLDERS_KEY)));
        } catch (SkepException e) {
            LOG.warn("a commit to folders that are no table's was not waited for: {}", e.fullMessage());
        }
    }

    /**
     * Deletes a folder that belonged to no table of the catalog, unless a table's folder lies in it or around it by
     * then. A statement that creates a table over the folder comes before or after the deletion
     * ({@link #awaitFolders}).
     */
    public void deleteUnlessTaken(String folder) {
        String name = "folder-" + UUID.randomUUID();
        boolean isDeleted = alone(Set.of(LeasedNames.FOLDERS), List.of(folder), name, store -> {
            store.check();
            return removal.removeUnlessTaken(folder);
        });
        LOG.debug("{} is {}", folder, isDeleted ? "deleted" : "kept");
    }

    private <T extends @Nullable Object> T inTurn(Collection<Table> tables, String name, Function<TableLease, T> work) {
        return shared.orElseThrow().leases().inTurn(ConsistentReads.keys(tables), name, (lease, position) -> {
            catalog.refreshTo(position);
            catalog.invalidate(tables);
            return work.apply(lease);
        });
    }

    /** Whether a commit of this name was interrupted, so that its files are still needed. */
    public boolean isUnfinished(String name) {
        return unfinished.has(name)
                || journals.exists(name)
                || shared.filter(others -> others.leases().isUnfinished(name)).isPresent();
    }

    /**
     * Lists files as they were at one point between commits.
     *
     * @param tables tables of the catalog that are read
     * @param own temporary tables of the session that are read
     * @param listing lists the files and reports what it saw; runs again when a commit came in between
     */
    public <T> T listConsistently(
            Collection<Table> tables, Collection<Table> own, Function<SplitEnumerator.Seen, T> listing) {
        if (shared.isEmpty() || tables.isEmpty()) {
            return settled.listing(tables, own, () -> listing.apply(SplitEnumerator.Seen.NOBODY));
        }
        return shared.get()
                .reads()
                .listConsistently(
                        tables,
                        seen -> settled.listing(tables, own, () -> {
                            seen.clear();
                            return listing.apply(seen);
                        }));
    }

    /**
     * Runs work that needs the catalog and files that agree with it.
     *
     * @param asking reports each table before it reads it
     * @return empty when commits came in between
     */
    public <T> Optional<T> readConsistently(Function<Consumer<Table>, T> asking) {
        if (!unfinished.isEmpty() || !closed.isEmpty()) {
            return Optional.empty();
        }
        Optional<T> told = shared.isEmpty()
                ? locks.listingUnlessChanging(asking)
                : shared.get().reads().readConsistently(asking, locks);
        return unfinished.isEmpty() ? told : Optional.empty();
    }

    /**
     * Runs changes of the catalog or of files while no other statement lists, commits to or changes these tables, on
     * this server and on all servers that share the metastore database. It holds the lease that a write to the tables
     * holds. When the work begins, the catalog has caught up with all earlier lease holders, so the tables that the
     * statement was compiled against can be compared with the present ones. Must not be nested, and the work must not
     * commit.
     *
     * @param tables tables of the catalog, including those that do not exist yet (the new name of a RENAME); temporary
     *     tables need no lease
     * @param name a name that no other commit has, such as the query's id with a number
     */
    public <T extends @Nullable Object> T exclusively(Collection<Table> tables, String name, Supplier<T> work) {
        return dropping(tables, name, _ -> work.get());
    }

    /**
     * As above, for work that drops a table or partitions. Their folders are deleted with them. If the process dies in
     * between, the next start deletes them.
     */
    public <T extends @Nullable Object> T dropping(
            Collection<Table> tables, String name, Function<Consumer<DropRequest>, T> work) {
        return alone(tables, List.of(), name, store -> work.apply(drop -> drops.drop(drop, name, store)));
    }

    /**
     * As above, for work that renames a table or a partition together with its folder. If the process dies in between,
     * either the old or the new name exists, with all files.
     *
     * @param tables the table under both names, and the target database if it differs
     */
    public <T extends @Nullable Object> T renaming(
            Collection<Table> tables, String name, Function<Consumer<RenameRequest>, T> work) {
        return alone(tables, List.of(), name, store -> work.apply(rename -> protocol.rename(rename, name, store)));
    }

    private <T extends @Nullable Object> T alone(
            Collection<Table> tables, Collection<String> changed, String name, Function<JournalStore, T> work) {
        try (CommitsUnderWay.Entered _ = underWay.enter()) {
            // A journal that reappears after a power failure must not conflict with this work.
            journals.force();
            return shared.isEmpty() || tables.isEmpty()
                    ? settled.runExclusively(tables, changed, () -> work.apply(local))
                    : inTurn(
                            tables,
                            name,
                            lease -> settled.runExclusively(tables, changed, () -> {
                                lease.check();
                                return work.apply(new JournalStore.Leased(lease));
                            }));
        }
    }

    /**
     * Completes or rolls back what a crash interrupted, and deletes what it left. Must be called before the first
     * statement. A commit that cannot be ended keeps its tables closed until it can be.
     */
    public void recover() {
        for (CommitJournal journal : journals.readAll()) {
            unfinished.add(journal);
            // With several servers this needs the table's lease, which the next statement on the table acquires.
            if (shared.isEmpty()) {
                settled.attempt(journal);
            } else if (!journal.isRemoval()) {
                attemptInTurn(journal);
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

    /**
     * With several servers, the lease on folders is held. Servers that create tables over folders wait for that lease
     * afterwards ({@link #awaitFolders}).
     */
    private void attemptInTurn(CommitJournal journal) {
        try {
            inTurn(Set.of(LeasedNames.FOLDERS), journal.name() + "-recovery", lease -> {
                settled.attempt(journal);
                return true;
            });
        } catch (SkepException e) {
            LOG.error("commit {} is not ended yet: {}", journal.name(), e.fullMessage());
        }
    }

    /** Waits for running commits, within a time limit. The next start ends a commit that does not finish in time. */
    @Override
    public void close() {
        underWay.await(config.closing());
        shared.ifPresent(others -> others.leases().close());
    }
}
