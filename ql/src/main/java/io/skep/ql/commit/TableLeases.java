package io.skep.ql.commit;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.commit.CommitOwner;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.commit.LeaseStore.LeaseSnapshot;
import io.skep.metastore.commit.LeaseStore.Mark;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates servers that share a metastore database, so that they commit to a table in turns. A waiting statement
 * ends the commit that it waits for in two cases: that commit's server has not renewed its mark for the length of a
 * lease, or this server itself began the commit and could not end it.
 */
final class TableLeases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TableLeases.class);
    private static final int BEATS = 4;

    private final LeaseStore marks;
    private final CommitConfig config;
    private final Completion completion;
    private final LeaseLocks locks = new LeaseLocks();

    /** Names of commits that a thread of this server is working on, added before their marks are set. */
    private final Set<String> active = ConcurrentHashMap.newKeySet();

    private final Set<TableLease> turns = ConcurrentHashMap.newKeySet();

    /** Names of this server's commits whose journals are written. The next statement that waits for them ends them. */
    private final Set<String> unfinished = ConcurrentHashMap.newKeySet();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread beats;

    /** @param completion ends interrupted commits */
    TableLeases(LeaseStore marks, CommitConfig config, Completion completion) {
        this.marks = marks;
        this.config = config;
        this.completion = completion;
        this.beats = Thread.ofVirtual().name("commit-beats").start(this::beat);
    }

    private void beat() {
        try {
            Duration pause = config.lease().dividedBy(BEATS);
            while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                for (TableLease turn : turns) {
                    try {
                        turn.renew();
                    } catch (SkepException e) {
                        LOG.warn("a commit's mark could not be renewed: {}", e.fullMessage());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends commits whose server has failed. */
    interface Completion {
        /**
         * Completes a commit, or rolls it back, and removes all its traces.
         *
         * @param position position of the notification log; the log up to there contains all catalog changes of the
         *     commit
         */
        void complete(CommitJournal journal, TableLease turn, long position);
    }

    /** Work that is done while holding a lease. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        /**
         * @param position position of the notification log after the lease was acquired; the log up to there contains
         *     all earlier commits
         */
        T in(TableLease turn, long position);
    }

    /** Waits for other commits to the tables, and runs the work while there are none. */
    <T extends @Nullable Object> T inTurn(Set<String> tables, String commit, Work<T> work) {
        LeaseBackoff patience = new LeaseBackoff(config);
        try (LeaseLocks.Held _ = locks.take(tables, patience)) {
            active.add(commit);
            try {
                TableLease turn = begin(tables, commit, patience);
                boolean done = false;
                turns.add(turn);
                try {
                    LeaseSnapshot look = marks.snapshot();
                    look.marks().stream().filter(Mark::isRemoval).forEach(mark -> finishRemoval(mark, tables));
                    T result = turn.fence().run(() -> work.in(turn, look.position()));
                    done = true;
                    return result;
                } finally {
                    turns.remove(turn);
                    if (done || !turn.isWritten()) {
                        end(turn, commit);
                    } else {
                        unfinished.add(commit);
                    }
                }
            } finally {
                active.remove(commit);
            }
        }
    }

    private TableLease begin(Set<String> tables, String commit, LeaseBackoff patience) {
        CommitOwner owner = marks.owner(commit);
        long now = System.nanoTime();
        while (!marks.begin(tables, owner)) {
            awaitNone(tables, patience);
            now = System.nanoTime();
        }
        return new TableLease(marks, tables.iterator().next(), owner, config.lease(), now);
    }

    /**
     * Deletes the mark after all work is done. If this fails, the server that finds the mark repeats the work, without
     * effect.
     */
    private void end(TableLease turn, String commit) {
        try {
            if (!turn.end()) {
                LOG.warn("commit {} was ended by another server, to which this one looked dead", commit);
            }
        } catch (SkepException e) {
            LOG.warn("the mark of commit {} is left: {}", commit, e.fullMessage());
        }
    }

    /** Whether a commit of this server has yet to be ended, so that its files are still needed. */
    boolean isUnfinished(String commit) {
        return unfinished.contains(commit);
    }

    /** Waits until no commit to the tables is under way. Another one may have begun when this method returns. */
    LeaseSnapshot awaitNone(Set<String> tables) {
        return awaitNone(tables, new LeaseBackoff(config));
    }

    private LeaseSnapshot awaitNone(Set<String> tables, LeaseBackoff patience) {
        while (true) {
            LeaseSnapshot look = marks.snapshot();
            Optional<Mark> mark = look.of(tables);
            if (mark.isEmpty()) {
                return look;
            }
            if (isAbandoned(mark.get().owner(), patience)) {
                takeOver(mark.get());
            } else {
                patience.pause(mark.get());
            }
        }
    }

    LeaseSnapshot look() {
        return marks.snapshot();
    }

    private boolean isAbandoned(CommitOwner owner, LeaseBackoff patience) {
        return marks.isOwn(owner) ? !active.contains(owner.commit()) : patience.isSilent(owner);
    }

    private void takeOver(Mark mark) {
        CommitOwner owner = mark.owner();
        if (!active.add(owner.commit())) {
            return;
        }
        try {
            CommitOwner own = marks.takeOver(owner);
            long now = System.nanoTime();
            if (!marks.replace(owner, own)) {
                return;
            }
            LOG.warn("commit {} of {} was interrupted and is ended here", owner.commit(), owner.place());
            finish(own, new TableLease(marks, mark.table(), own, config.lease(), now));
        } finally {
            active.remove(owner.commit());
        }
    }

    /** Deletes the files of a drop under one of these names, before they could become files of another table. */
    private void finishRemoval(Mark mark, Set<String> tables) {
        Optional<CommitJournal> journal = marks.journal(mark.owner()).map(bytes -> read(mark.owner(), bytes));
        if (journal.isPresent() && !Collections.disjoint(journal.get().keys(), tables)) {
            try {
                takeOver(mark);
            } catch (RuntimeException e) {
                throw UnfinishedCommits.failure(journal.get(), e);
            }
        }
    }

    private void finish(CommitOwner owner, TableLease turn) {
        turns.add(turn);
        try {
            // From this point on, the former owner cannot change the catalog.
            long position = marks.snapshot().position();
            marks.journal(owner)
                    .map(journal -> read(owner, journal))
                    .ifPresent(journal -> turn.fence().run(() -> {
                        completion.complete(journal, turn, position);
                        return true;
                    }));
            end(turn, owner.commit());
            unfinished.remove(owner.commit());
        } finally {
            turns.remove(turn);
        }
    }

    private static CommitJournal read(CommitOwner owner, byte[] journal) {
        try {
            return CommitJournalCodec.unpack(journal);
        } catch (SkepException e) {
            throw new SkepException(
                            StandardErrorCode.COMMIT_UNFINISHED,
                            "commit " + owner.commit() + " was interrupted, and its journal in the metastore's database"
                                    + " cannot be read: " + e.getMessage(),
                            e)
                    .withHint(
                            "look at the table's files, then delete the commit's row (its PROPERTY_VALUE names it) from"
                                    + " METASTORE_DB_PROPERTIES");
        }
    }

    /**
     * Completes the commits that this server left unfinished before it was restarted. Must be called before the first
     * statement.
     *
     * @return whether nothing is left; otherwise the tables stay closed, and the next statement on one tries again
     */
    boolean recover() {
        LeaseBackoff patience = new LeaseBackoff(config);
        Set<String> failed = new HashSet<>();
        while (true) {
            Optional<Mark> left = marks.snapshot().marks().stream()
                    .filter(mark -> marks.isBegunByThisServer(mark.owner()) && !mark.isRemoval())
                    .filter(mark -> !failed.contains(mark.owner().commit()))
                    .findFirst();
            if (left.isEmpty()) {
                return failed.isEmpty();
            }
            CommitOwner owner = left.get().owner();
            if (!isAbandoned(owner, patience)) {
                patience.pause(left.get());
                continue;
            }
            try {
                takeOver(left.get());
            } catch (SkepException e) {
                failed.add(owner.commit());
                LOG.error("commit {} stays unfinished, and its tables closed: {}", owner.commit(), e.fullMessage());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Uninterruptibles.joinUninterruptibly(beats);
    }
}
