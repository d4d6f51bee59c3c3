package io.skep.ql.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates file listings with the commits that change the files, within one server. Thread-safe.
 *
 * <p>Commits to the same tables or folders take turns, in the order in which they arrived. A listing does not hold a
 * lock, since a file system may let it hang. It waits for the running commits to its tables and lists. If another
 * commit has begun meanwhile, it lists again. From the second try on, the listing takes a turn among the commits, so
 * that commits cannot follow one another without a gap. That turn expires after a time that grows with each try,
 * whether the listing has returned or not. So commits wait for listings for a bounded time, and listings never wait for
 * listings. The lock below is never held during I/O.
 */
final class ListingLocks {
    private static final Duration FIRST_HOLD = Duration.ofSeconds(5);
    private static final int MAX_DOUBLINGS = 10;

    /** How often a turn that may expire is checked. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Duration patience;
    private final Duration firstHold;
    private final ReentrantLock lock = new ReentrantLock();

    /** Turns of commits, and of listings that take turns, in the order of arrival. Most of them wait. */
    @GuardedBy("lock")
    private final List<Turn> turns = new ArrayList<>();

    /** Listings under way. */
    @GuardedBy("lock")
    private final Set<ActiveListing> looks = new HashSet<>();

    /** @param patience how long any thread waits for a commit, or a commit for its turn */
    ListingLocks(Duration patience) {
        this(patience, FIRST_HOLD);
    }

    ListingLocks(Duration patience, Duration firstHold) {
        this.patience = patience;
        this.firstHold = firstHold;
    }

    /**
     * Runs the work while no other thread changes the same tables or folders. Listings of them that run meanwhile are
     * marked as disturbed.
     */
    <T extends @Nullable Object> T runExclusively(LockScope touched, Supplier<T> work) {
        try (Turn turn = queue(new Turn(touched, Optional.empty(), Duration.ZERO))) {
            awaitTurn(turn);
            return work.get();
        }
    }

    /**
     * Waits for running commits that change the folder.
     *
     * @param wanted empty for any folder
     */
    void await(Optional<LockScope> wanted) {
        long began = System.nanoTime();
        for (Turn turn : running(
                touched -> touched.hasFolders() && wanted.map(touched::overlaps).orElse(true))) {
            await(turn, began);
        }
    }

    /**
     * Lists, and repeats this until no commit has changed the same tables or folders meanwhile.
     *
     * @throws SkepException OPERATION_CANCELED when the thread is interrupted
     */
    <T extends @Nullable Object> T listing(LockScope touched, Supplier<T> work) {
        ActiveListing look = new ActiveListing(touched);
        for (int tries = 0; ; tries++) {
            Interruption.check();
            look.disturbed = false;
            if (tries == 0 && beginFreely(look)) {
                Optional<Supplier<T>> seen = runListing(look, work);
                if (seen.isPresent()) {
                    return seen.get().get();
                }
                continue;
            }
            Duration hold = firstHold.multipliedBy(1L << Math.min(tries, MAX_DOUBLINGS));
            try (Turn turn = queue(new Turn(touched, Optional.of(look), hold))) {
                awaitTurn(turn);
                Optional<Supplier<T>> seen = runListing(look, work);
                if (seen.isPresent()) {
                    return seen.get().get();
                }
            }
        }
    }

    /**
     * @return empty when the listing was disturbed. A failure of a disturbed listing also counts, since a deleted file
     *     may have caused it
     */
    private <T extends @Nullable Object> Optional<Supplier<T>> runListing(ActiveListing look, Supplier<T> work) {
        try {
            T result = work.get();
            return look.disturbed ? Optional.empty() : Optional.of(() -> result);
        } catch (RuntimeException e) {
            if (!look.disturbed) {
                throw e;
            }
            Interruption.check();
            return Optional.empty();
        } finally {
            end(look);
        }
    }

    /**
     * Begins a listing without a turn, after the commits that run at the call have finished. Returns false when other
     * commits have begun by then.
     */
    private boolean beginFreely(ActiveListing look) {
        long began = System.nanoTime();
        for (Turn turn : running(look.touched::overlaps)) {
            await(turn, began);
        }
        lock.lock();
        try {
            boolean isFree = turns.stream().noneMatch(turn -> turn.changes(look.touched));
            if (isFree) {
                looks.add(look);
            }
            return isFree;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs work on tables that are discovered on the way, while no commit changes the tables discovered so far. It does
     * not wait for commits, since the caller may hold something that a commit waits for.
     *
     * @param work reports each table before it reads it
     * @return empty when a commit was changing one of them
     */
    <T> Optional<T> listingUnlessChanging(Function<Consumer<Table>, T> work) {
        ActiveListing look = new ActiveListing(new LockScope(List.of(), List.of()));
        lock.lock();
        try {
            looks.add(look);
        } finally {
            lock.unlock();
        }
        try {
            T result = work.apply(table -> asked(look, table));
            return look.disturbed ? Optional.empty() : Optional.of(result);
        } finally {
            end(look);
        }
    }

    private void asked(ActiveListing look, Table table) {
        lock.lock();
        try {
            look.touched.add(table);
            if (turns.stream().anyMatch(turn -> turn.changes(look.touched))) {
                look.disturbed = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(ActiveListing look) {
        lock.lock();
        try {
            looks.remove(look);
        } finally {
            lock.unlock();
        }
    }

    private Turn queue(Turn turn) {
        lock.lock();
        try {
            turns.add(turn);
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private List<Turn> running(Predicate<LockScope> wanted) {
        lock.lock();
        try {
            return turns.stream()
                    .filter(turn -> turn.listing.isEmpty() && turn.running && wanted.test(turn.touched))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the turns before this one, and begins it. */
    private void awaitTurn(Turn turn) {
        Interruption.check();
        long began = System.nanoTime();
        Optional<Turn> before = beginOrBlocker(turn);
        while (before.isPresent()) {
            await(before.get(), began);
            before = beginOrBlocker(turn);
        }
    }

    /** Begins a turn, or returns another turn that must be waited for. */
    private Optional<Turn> beginOrBlocker(Turn turn) {
        lock.lock();
        try {
            for (Turn before : turns) {
                if (before == turn) {
                    break;
                }
                if (turn.mustWaitFor(before)) {
                    return Optional.of(before);
                }
            }
            turn.begin();
            if (turn.listing.isPresent()) {
                looks.add(turn.listing.get());
            } else {
                looks.stream()
                        .filter(look -> look.touched.overlaps(turn.touched))
                        .forEach(look -> look.disturbed = true);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end of a turn. For a turn that may expire, it waits for a part of that time. */
    private void await(Turn turn, long began) {
        long left = patience.toNanos() - (System.nanoTime() - began);
        try {
            boolean isOver =
                    turn.over.await(turn.listing.isPresent() ? Math.min(left, LOOK_NANOS) : left, TimeUnit.NANOSECONDS);
            if (!isOver && System.nanoTime() - began >= patience.toNanos()) {
                throw new SkepException(
                                StandardErrorCode.COMMIT_UNDER_WAY,
                                "another statement of this server has been changing the same tables or"
                                        + " folders for longer than "
                                        + patience.toSeconds() + "s")
                        .withHint("look for a write or definition that does not end, and cancel it;"
                                + " then run this one again");
            }
        } catch (InterruptedException e) {
            throw LeaseBackoff.interrupted();
        }
    }

    /** A listing under way. Compared by identity. */
    private static final class ActiveListing {
        private final LockScope touched;
        /** Set, under the lock, when a commit to the same tables or folders begins. */
        private volatile boolean disturbed;

        ActiveListing(LockScope touched) {
            this.touched = touched;
        }
    }

    /** A turn of a commit or of a listing. All fields that are not final are guarded by the lock. */
    private final class Turn implements AutoCloseable {
        private final LockScope touched;
        private final Optional<ActiveListing> listing;
        private final CountDownLatch over = new CountDownLatch(1);
        private boolean running;
        private long begun;
        /** How long commits wait for a listing's turn, counted from its begin. */
        private final Duration hold;

        Turn(LockScope touched, Optional<ActiveListing> listing, Duration hold) {
            this.hold = hold;
            this.touched = touched;
            this.listing = listing;
        }

        void begin() {
            running = true;
            begun = System.nanoTime();
        }

        boolean changes(LockScope other) {
            return running && listing.isEmpty() && touched.overlaps(other);
        }

        boolean mustWaitFor(Turn before) {
            if (before.listing.isPresent() && (listing.isPresent() || before.isLapsed())) {
                return false;
            }
            return touched.overlaps(before.touched);
        }

        private boolean isLapsed() {
            return running && System.nanoTime() - begun >= hold.toNanos();
        }

        @Override
        public void close() {
            lock.lock();
            try {
                turns.remove(this);
            } finally {
                lock.unlock();
            }
            over.countDown();
        }
    }
}
