package io.skep.ql.statement;

import io.skep.metastore.Catalog;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import io.skep.metastore.commit.CommitMarks;
import io.skep.metastore.local.LocalMetastore;
import io.skep.storage.page.SplitEnumerator;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes written files visible, all or none. What is to be done is first written to a journal, then carried out; after a crash the
 * journal is carried out again, and each of its steps may have been done before. Within a server nobody lists the tables' files in
 * between. The journal is on the server's disk, for its next start; for tables that other servers may change as well it is in the
 * metastore's database, for whoever comes next ({@link CommitTurns}), and reads make sure of what they list ({@link SharedTables}).
 */
public final class TableCommits implements AutoCloseable {
    private final LocalJournals journals;
    private final TableFiles files;
    private final TransientFolders folders;
    private final ListingLocks locks = new ListingLocks();
    private final Optional<Shared> shared;

    private record Shared(CommitTurns turns, SharedTables tables, Catalog catalog) {}

    /**
     * Of the only server on a metastore database.
     *
     * @param folder for journals, on the server's own disk
     */
    public TableCommits(Path folder, TableFiles files) {
        this.journals = new LocalJournals(folder);
        this.files = files;
        this.folders = new TransientFolders(folder, files, InstantSource.system());
        this.shared = Optional.empty();
    }

    /**
     * Of one of several servers.
     *
     * @param marks of the database that they share
     */
    public TableCommits(Path folder, TableFiles files, CommitMarks marks, CommitTerms terms, Catalog catalog) {
        this.journals = new LocalJournals(folder);
        this.files = files;
        this.folders = new TransientFolders(folder, files, InstantSource.system());
        CatalogRepair repair = new CatalogRepair(catalog);
        CommitTurns turns = new CommitTurns(
                marks,
                terms,
                (steps, turn) -> locks.changingAny(() -> {
                    steps.forEach(step -> {
                        turn.check();
                        finish(step, repair);
                    });
                    return true;
                }));
        this.shared = Optional.of(new Shared(turns, new SharedTables(turns, marks, catalog), catalog));
    }

    /** Of one of several servers where others may be on the metastore's database. */
    public static TableCommits of(Path folder, TableFiles files, LocalMetastore metastore, CommitTerms terms) {
        return metastore
                .commitMarks()
                .map(marks -> new TableCommits(folder, files, marks, terms, metastore.catalog()))
                .orElseGet(() -> new TableCommits(folder, files));
    }

    /** Where files are written before they are committed, and temporary tables. */
    TransientFolders folders() {
        return folders;
    }

    /** A file to be moved, a path to be deleted, or a place of which the catalog is told. */
    public sealed interface Step {
        record Move(String from, String to) implements Step {}

        /** The deletion of a table's file, for good where the table wants that. */
        static Step deleteOf(String path, Table table) {
            return DroppedFiles.isPurged(table.properties()) ? new Delete(path) : new Discard(path);
        }

        record Delete(String path) implements Step {}

        /** Deletes a path, by way of the trash where there is one. */
        record Discard(String path) implements Step {}

        /**
         * A table or partition whose files change.
         *
         * @param partition its name; empty for a table as a whole
         */
        record InCatalog(String database, String table, String partition, String location) implements Step {}
    }

    /**
     * Carries out steps so that they are all done or, when this fails before the journal is written, none.
     *
     * @param name that no other commit has
     * @param tables those of the catalog whose files change
     * @param found the steps, by the files and the catalog as they are when nobody else commits to the tables
     */
    void commit(String name, Collection<Table> tables, Supplier<List<Step>> found, Runnable inCatalog) {
        if (shared.isEmpty() || tables.isEmpty()) {
            locks.changing(tables, () -> {
                commitAlone(name, found, inCatalog);
                return true;
            });
            return;
        }
        inTurn(
                tables,
                name,
                turn -> locks.changing(tables, () -> {
                    List<Step> steps = found.get();
                    turn.write(steps);
                    steps.forEach(step -> {
                        turn.check();
                        carryOut(step);
                    });
                    turn.check();
                    inCatalog(steps, inCatalog, turn::write, () -> {});
                    return true;
                }));
    }

    private void commitAlone(String name, Supplier<List<Step>> found, Runnable inCatalog) {
        List<Step> steps = found.get();
        journals.write(name, steps);
        steps.forEach(this::carryOut);
        inCatalog(steps, inCatalog, left -> journals.write(name, left), () -> journals.delete(name));
        journals.delete(name);
    }

    /** When the catalog fails, what is left is to repair it: the files are where they belong. */
    private static void inCatalog(List<Step> steps, Runnable work, Consumer<List<Step>> leave, Runnable nothingLeft) {
        try {
            work.run();
        } catch (RuntimeException e) {
            List<Step> left =
                    steps.stream().filter(Step.InCatalog.class::isInstance).toList();
            try {
                if (left.isEmpty()) {
                    nothingLeft.run();
                } else {
                    leave.accept(left);
                }
            } catch (RuntimeException further) {
                e.addSuppressed(further);
            }
            throw e;
        }
    }

    private <T extends @Nullable Object> T inTurn(Collection<Table> tables, String name, Function<CommitTurn, T> work) {
        Shared others = shared.orElseThrow();
        return others.turns().inTurn(SharedTables.keys(tables), name, (turn, position) -> {
            others.catalog().catchUp(position);
            return work.apply(turn);
        });
    }

    /** Whether a commit of this name was interrupted, so that its files are still wanted. */
    boolean isUnfinished(String name) {
        return journals.exists(name)
                || shared.filter(others -> others.turns().isUnfinished(name)).isPresent();
    }

    /**
     * Lists files as one moment between commits left them.
     *
     * @param tables of the catalog that are read
     * @param listing says what it saw; runs again when a commit came in between
     */
    <T> T listed(Collection<Table> tables, Function<SplitEnumerator.Seen, T> listing) {
        if (shared.isEmpty() || tables.isEmpty()) {
            return locks.listing(tables, () -> listing.apply(SplitEnumerator.Seen.NOBODY));
        }
        return shared.get().tables().listed(tables, seen -> locks.listing(tables, () -> listing.apply(seen)));
    }

    /**
     * Does something with what the catalog says and with files that agree with it.
     *
     * @param asking says of each table that it is going to ask for it
     * @return empty when commits came in between
     */
    <T> Optional<T> told(Function<Consumer<Table>, T> asking) {
        return shared.isEmpty()
                ? locks.listingUnlessChanging(asking)
                : shared.get().tables().told(asking, locks);
    }

    /** Does something while nobody commits to a table. */
    <T> T undisturbed(Table table, String name, Supplier<T> work) {
        return shared.isEmpty()
                ? locks.listing(List.of(table), work)
                : inTurn(List.of(table), name, turn -> locks.listing(List.of(table), work));
    }

    /** Ends what a crash interrupted and deletes what it left; to be called before the first statement. */
    public void recover(Catalog catalog) {
        CatalogRepair repair = new CatalogRepair(catalog);
        for (String name : journals.names()) {
            journals.read(name).forEach(step -> finish(step, repair));
            journals.delete(name);
        }
        shared.ifPresent(others -> others.turns().recover());
        folders.clear();
    }

    private void finish(Step step, CatalogRepair repair) {
        switch (step) {
            case Step.Move move -> carryOut(new Step.Move(move.from(), free(move.to())));
            case Step.Delete delete -> carryOut(delete);
            case Step.Discard discard -> carryOut(discard);
            case Step.InCatalog place -> repair.repair(place);
        }
    }

    private void carryOut(Step step) {
        switch (step) {
            case Step.Move move -> {
                if (files.exists(move.from())) {
                    files.move(move.from(), move.to());
                }
            }
            case Step.Delete delete -> files.delete(delete.path());
            case Step.Discard discard -> files.discard(discard.path());
            case Step.InCatalog _ -> {}
        }
    }

    /** A commit that could not go on is ended much later: another one's file may have the name by then. */
    private String free(String path) {
        String name = path;
        for (int copy = 1; files.exists(name); copy++) {
            name = path + "_copy_" + copy;
        }
        return name;
    }

    @Override
    public void close() {
        shared.ifPresent(others -> others.turns().close());
    }
}
