package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.common.time.SteadyClock;
import io.skep.metastore.Catalog;
import io.skep.metastore.CatalogFolder;
import io.skep.metastore.Table;
import io.skep.metastore.commit.CommitMarks;
import io.skep.metastore.local.LocalMetastore;
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
        this.local = JournalStore.Local.alone(journals);
        this.catalog = catalog;
        this.config = config;
        this.folders = new StagingFolders(folder, files, SteadyClock.start());
        this.locks = new ListingLocks(config.patience());
        this.removal = new FolderRemoval(catalog, files);
        this.drops = new TableDrops(removal, unfinished);
        this.protocol = new CommitProtocol(files, catalog, config, folders, unfinished, drops);
        this.settled = new SettledTables(locks, unfinished, closed, this::settle);
        this.tablesOverFolders = new TablesOverFolders(catalog, files);
        this.shared = marks.map(known -> {
            TableLeases leases = new TableLeases(known, config, this::complete);
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
    private void complete(CommitJournal journal, TableLease lease, long position) {
        catalog.catchUp(position);
        locks.changing(Touched.by(journal), () -> protocol.settle(journal, new JournalStore.Leased(lease)));
    }

    /**
     * What is left of a commit with a journal on this server's disk. While it was interrupted, another server may have made a table of the
     * folders of a commit to no table, and committed to it; what the journal says does not hold any longer then.
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
     * Carries out a commit: when this returns it is complete, and when it fails nothing has changed.
     *
     * @throws SkepException COMMIT_UNFINISHED when it failed and could not be rolled back: it will be, or it will be completed
     * @throws SkepException TABLE_NOT_FOUND or TABLE_CHANGED when a table is no longer the one that the statement was compiled against
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
                            ? settled.alone(tables, request.folders(), () -> protocol.commit(request, local))
                            : inTurn(
                                    leased,
                                    request.name(),
                                    lease -> settled.alone(
                                            tables,
                                            request.folders(),
                                            () -> protocol.commit(request, store(tables, lease)))));
        }
    }

    /** Folders that are no table's may be on this server's disk: no other one can end a commit to them. */
    private JournalStore store(Set<Table> tables, TableLease lease) {
        return tables.isEmpty() ? new JournalStore.Local(journals, lease::check) : new JournalStore.Leased(lease);
    }

    /**
     * Waits for the commits to folders that are no table's which are under way. They may not have seen a table that the caller has just
     * put into the catalog, over one of these folders. To be called without a lease. The caller's change is in the catalog, so a wait
     * that fails, is interrupted or takes too long is logged, and fails nothing.
     *
     * @param location the table's folder; empty where it may be any
     */
    public void awaitFolders(Optional<String> location) {
        try {
            locks.await(location.map(folder -> new Touched(List.of(), List.of(folder))));
            shared.ifPresent(others -> others.leases().awaitNone(Set.of(LeasedNames.FOLDERS_KEY)));
        } catch (SkepException e) {
            LOG.warn("a commit to folders that are no table's was not waited for: {}", e.fullMessage());
        }
    }

    /**
     * Deletes a folder that was no table's of the catalog, unless one has its place there by now: in it, or around it. Who makes a table of
     * the folder meanwhile comes before or after ({@link #awaitFolders}).
     */
    public void deleteUnlessTaken(String folder) {
        String name = "folder-" + UUID.randomUUID();
        boolean isDeleted = alone(Set.of(LeasedNames.FOLDERS), List.of(folder), name, store -> {
            store.check();
            return removal.isRemoved(folder);
        });
        LOG.debug("{} is {}", folder, isDeleted ? "deleted" : "kept");
    }

    private <T extends @Nullable Object> T inTurn(Collection<Table> tables, String name, Function<TableLease, T> work) {
        return shared.orElseThrow().leases().inTurn(ConsistentReads.keys(tables), name, (lease, position) -> {
            catalog.catchUp(position);
            catalog.doubt(tables);
            return work.apply(lease);
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
     * @param own tables of the session that are read
     * @param listing says what it saw; runs again when a commit came in between
     */
    public <T> T listed(Collection<Table> tables, Collection<Table> own, Function<SplitEnumerator.Seen, T> listing) {
        if (shared.isEmpty() || tables.isEmpty()) {
            return settled.listing(tables, own, () -> listing.apply(SplitEnumerator.Seen.NOBODY));
        }
        return shared.get()
                .reads()
                .listed(
                        tables,
                        seen -> settled.listing(tables, own, () -> {
                            seen.clear();
                            return listing.apply(seen);
                        }));
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
        return dropping(tables, name, _ -> work.get());
    }

    /**
     * The same for work that drops a table, or partitions of one: their folders are deleted with them, by the next start if the process
     * dies in between.
     */
    public <T extends @Nullable Object> T dropping(
            Collection<Table> tables, String name, Function<Consumer<DropRequest>, T> work) {
        return alone(tables, List.of(), name, store -> work.apply(drop -> drops.drop(drop, name, store)));
    }

    /**
     * The same for work that gives a table, or a partition of one, another name: its folder goes along. When the process dies in between,
     * the old name or the new one is there with all files.
     *
     * @param tables by both names; with the database into which a table goes, if it is another one
     */
    public <T extends @Nullable Object> T renaming(
            Collection<Table> tables, String name, Function<Consumer<RenameRequest>, T> work) {
        return alone(tables, List.of(), name, store -> work.apply(rename -> protocol.rename(rename, name, store)));
    }

    private <T extends @Nullable Object> T alone(
            Collection<Table> tables, Collection<String> changed, String name, Function<JournalStore, T> work) {
        try (CommitsUnderWay.Entered _ = underWay.enter()) {
            // A journal that came back after a power cut must not meet what is done now.
            journals.force();
            return shared.isEmpty() || tables.isEmpty()
                    ? settled.alone(tables, changed, () -> work.apply(local))
                    : inTurn(
                            tables,
                            name,
                            lease -> settled.alone(tables, changed, () -> {
                                lease.check();
                                return work.apply(new JournalStore.Leased(lease));
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

    /** Among servers that may make tables of folders, which wait for the lease of folders afterwards ({@link #awaitFolders}). */
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

    /** Waits for commits that are under way, within bounds: one that does not end is ended by the next start. */
    @Override
    public void close() {
        underWay.await(config.closing());
        shared.ifPresent(others -> others.leases().close());
    }
}
