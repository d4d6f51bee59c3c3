package io.skep.ql.statement;

import io.skep.common.concurrent.Uninterruptibly;
import io.skep.common.error.SkepException;
import io.skep.metastore.commit.CommitMarks;
import io.skep.metastore.commit.CommitMarks.Look;
import io.skep.metastore.commit.CommitMarks.Mark;
import io.skep.metastore.commit.CommitOwner;
import io.skep.ql.statement.TableCommits.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that share a metastore database commit to a table in turns. Who waits for a commit whose server has given no sign of life
 * for a lease, or that this server itself could not end, ends it.
 */
final class CommitTurns implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitTurns.class);
    private static final int BEATS = 4;

    private final CommitMarks marks;
    private final CommitTerms terms;
    private final BiConsumer<List<Step>, CommitTurn> finisher;
    private final TurnLocks locks = new TurnLocks();

    /** Names of commits that a thread of this server works at, from before their marks are set. */
    private final Set<String> active = ConcurrentHashMap.newKeySet();

    private final Set<CommitTurn> turns = ConcurrentHashMap.newKeySet();

    /** Names of commits of this server that have been written down and are left to whoever waits for them next. */
    private final Set<String> unfinished = ConcurrentHashMap.newKeySet();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread beats;

    /** @param finisher carries out the steps of a commit that was interrupted */
    CommitTurns(CommitMarks marks, CommitTerms terms, BiConsumer<List<Step>, CommitTurn> finisher) {
        this.marks = marks;
        this.terms = terms;
        this.finisher = finisher;
        this.beats = Thread.ofVirtual().name("commit-beats").start(this::beat);
    }

    private void beat() {
        try {
            Duration pause = terms.lease().dividedBy(BEATS);
            while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                for (CommitTurn turn : turns) {
                    try {
                        turn.beat();
                    } catch (SkepException e) {
                        LOG.warn("a commit's mark could not be renewed: {}", e.fullMessage());
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is done in a turn. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        /** @param position of the notification log when the turn had begun: all commits before it are in there */
        T in(CommitTurn turn, long position);
    }

    /** Waits for the tables' other commits, and does something while there are none. */
    <T extends @Nullable Object> T inTurn(Set<String> tables, String commit, Work<T> work) {
        CommitPatience patience = new CommitPatience(terms);
        try (TurnLocks.Held _ = locks.take(tables, patience)) {
            active.add(commit);
            try {
                CommitTurn turn = begin(tables, commit, patience);
                boolean done = false;
                turns.add(turn);
                try {
                    T result = work.in(turn, marks.look().position());
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

    private CommitTurn begin(Set<String> tables, String commit, CommitPatience patience) {
        CommitOwner owner = marks.owner(commit);
        long now = System.nanoTime();
        while (!marks.begin(tables, owner)) {
            awaitNone(tables, patience);
            now = System.nanoTime();
        }
        return new CommitTurn(marks, owner, terms.lease(), now);
    }

    /** All has been done: when the mark cannot be taken away, who finds it does it all again, to no effect. */
    private void end(CommitTurn turn, String commit) {
        try {
            if (!turn.end()) {
                LOG.warn("commit {} was ended by another server, to which this one looked dead", commit);
                // Which of the two told the catalog last is not known.
                finisher.accept(turn.places(), turn);
            }
        } catch (SkepException e) {
            LOG.warn("the mark of commit {} is left: {}", commit, e.fullMessage());
        }
    }

    /** Whether a commit of this server is left to be ended, so that its files are still wanted. */
    boolean isUnfinished(String commit) {
        return unfinished.contains(commit);
    }

    /** Waits until nobody commits to the tables, which may be over when this returns. */
    Look awaitNone(Set<String> tables) {
        return awaitNone(tables, new CommitPatience(terms));
    }

    private Look awaitNone(Set<String> tables, CommitPatience patience) {
        while (true) {
            Look look = marks.look();
            Optional<Mark> mark = look.of(tables);
            if (mark.isEmpty()) {
                return look;
            }
            if (isAbandoned(mark.get().owner(), patience)) {
                takeOver(mark.get().owner());
            } else {
                patience.pause(mark.get());
            }
        }
    }

    Look look() {
        return marks.look();
    }

    private boolean isAbandoned(CommitOwner owner, CommitPatience patience) {
        return marks.isOwn(owner) ? !active.contains(owner.commit()) : patience.isSilent(owner);
    }

    private void takeOver(CommitOwner owner) {
        if (!active.add(owner.commit())) {
            return;
        }
        try {
            CommitOwner own = marks.taken(owner);
            long now = System.nanoTime();
            if (!marks.replace(owner, own)) {
                return;
            }
            LOG.warn("commit {} of {} was interrupted and is ended here", owner.commit(), owner.place());
            finish(own, new CommitTurn(marks, own, terms.lease(), now));
        } finally {
            active.remove(owner.commit());
        }
    }

    private void finish(CommitOwner owner, CommitTurn turn) {
        turns.add(turn);
        try {
            marks.journal(owner).ifPresent(journal -> finisher.accept(CommitSteps.unpack(journal), turn));
            end(turn, owner.commit());
            unfinished.remove(owner.commit());
        } finally {
            turns.remove(turn);
        }
    }

    /** Ends what this server began before it was started; to be called before the first statement. */
    void recover() {
        CommitPatience patience = new CommitPatience(terms);
        while (true) {
            Optional<Mark> left = marks.look().marks().stream()
                    .filter(mark -> marks.wasBegunHere(mark.owner()))
                    .findFirst();
            if (left.isEmpty()) {
                return;
            }
            if (isAbandoned(left.get().owner(), patience)) {
                takeOver(left.get().owner());
            } else {
                patience.pause(left.get());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Uninterruptibly.join(beats);
    }
}
