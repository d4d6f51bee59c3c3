package io.skep.ql.commit;

import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks tables within this server, after ending earlier commits to them whose journals are on this server's disk.
 * Thread-safe.
 */
final class SettledTables {
    private static final Logger LOG = LoggerFactory.getLogger(SettledTables.class);

    private final ListingLocks locks;
    private final UnfinishedCommits unfinished;
    private final ClosedTables closed;
    private final Consumer<CommitJournal> settlement;

    /** @param settlement completes a commit or rolls it back, while its tables are neither listed nor changed */
    SettledTables(
            ListingLocks locks, UnfinishedCommits unfinished, ClosedTables closed, Consumer<CommitJournal> settlement) {
        this.locks = locks;
        this.unfinished = unfinished;
        this.closed = closed;
        this.settlement = settlement;
    }

    /**
     * Runs the work while no other thread of this server lists or changes the tables and no commit to them is
     * unfinished. Remaining files of dropped tables are deleted first, since they would otherwise become files of a
     * table or partition of the same name.
     *
     * @param folders folders that the work changes and that belong to no table of the catalog
     */
    <T extends @Nullable Object> T runExclusively(
            Collection<Table> tables, Collection<String> folders, Supplier<T> work) {
        unfinished.removalsOf(tables).forEach(this::finish);
        LockScope touched = new LockScope(ConsistentReads.keys(tables), folders);
        return undisturbed(tables, finished -> locks.runExclusively(touched, finished), work);
    }

    /**
     * Lists tables, and lists them again when another thread has changed them meanwhile.
     *
     * @param own tables that are not in the catalog
     */
    <T extends @Nullable Object> T listing(Collection<Table> tables, Collection<Table> own, Supplier<T> work) {
        LockScope touched = LockScope.reading(tables, own);
        return undisturbed(tables, finished -> locks.listing(touched, finished), work);
    }

    /** @param locked runs its argument with the tables locked */
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

    /** Ends earlier unfinished commits to the tables. */
    private void finishCommits(Collection<Table> tables) {
        if (!closed.isEmpty()) {
            closed.check(ConsistentReads.keys(tables));
        }
        if (unfinished.isEmpty()) {
            return;
        }
        for (CommitJournal journal : unfinished.of(tables)) {
            finish(journal);
        }
        if (LeasedNames.areNoTables(tables)) {
            unfinished.all().stream()
                    .filter(journal -> journal.keys().isEmpty())
                    .forEach(this::attempt);
        }
    }

    /** Tries to end a commit. A failure is logged. */
    void attempt(CommitJournal journal) {
        try {
            finish(journal);
        } catch (SkepException e) {
            LOG.error("{}", e.fullMessage());
        }
    }

    private void finish(CommitJournal journal) {
        locks.runExclusively(LockScope.by(journal), () -> {
            // Another thread may have ended it, or changed its direction, while this one waited.
            Optional<CommitJournal> now = unfinished.find(journal.name());
            if (now.isPresent()) {
                try {
                    settlement.accept(now.get());
                } catch (RuntimeException e) {
                    throw UnfinishedCommits.failure(journal, e);
                }
                unfinished.remove(journal.name());
            }
            return true;
        });
    }
}
