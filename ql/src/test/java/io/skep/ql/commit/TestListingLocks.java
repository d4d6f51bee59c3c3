package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.metastore.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which threads wait for which others when some list tables' files and others change them. */
final class TestListingLocks {
    private static final Table CHANGED = CommittedTable.of("changed", Path.of("/changed"), List.of());
    private static final Table OTHER = CommittedTable.of("other", Path.of("/other"), List.of());
    private static final LockScope COMMIT = new LockScope(ConsistentReads.keys(List.of(CHANGED)), List.of());
    private static final LockScope DIRECTORY = new LockScope(List.of(), List.of("file:/changed/below"));

    private final ListingLocks locks = new ListingLocks(Duration.ofMinutes(1), Duration.ofMillis(1));

    private static <T> CompletableFuture<T> elsewhere(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(work.get());
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static LockScope reading(Table... tables) {
        return LockScope.reading(List.of(tables), List.of());
    }

    private static <T> T soon(CompletableFuture<T> work)
            throws InterruptedException, ExecutionException, TimeoutException {
        return work.get(1, TimeUnit.MINUTES);
    }

    /**
     * A listing may hang, as on an NFS server that is away, and cannot be ended. It blocks neither commits nor other
     * listings, and no thread ends it.
     */
    @Test
    void aListingThatHangsHoldsUpNobody() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<String> hanging = elsewhere(() -> locks.listing(reading(CHANGED, OTHER), () -> {
            hangs.countDown();
            Uninterruptibles.awaitUninterruptibly(mayEnd);
            return "listed";
        }));
        hangs.await();
        for (LockScope touched : List.of(COMMIT, DIRECTORY, new LockScope(List.of(), List.of()))) {
            assertThat(soon(elsewhere(() -> locks.runExclusively(touched, () -> "done"))))
                    .isEqualTo("done");
            assertThat(soon(elsewhere(() -> locks.listing(reading(CHANGED), () -> "seen"))))
                    .isEqualTo("seen");
        }
        mayEnd.countDown();
        assertThat(soon(hanging)).isEqualTo("listed");
    }

    /** This also holds for a listing that has its turn because commits disturbed it before. */
    @Test
    void aListingThatHangsInItsTurnHoldsUpNobodyForLong() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        CompletableFuture<String> hanging = elsewhere(() -> locks.listing(reading(CHANGED), () -> {
            if (tries.incrementAndGet() == 1) {
                return elsewhere(() -> locks.runExclusively(COMMIT, () -> "done"))
                        .join();
            }
            hangs.countDown();
            Uninterruptibles.awaitUninterruptibly(mayEnd);
            return "listed";
        }));
        hangs.await();
        assertThat(soon(elsewhere(() -> locks.listing(reading(CHANGED), () -> "seen"))))
                .isEqualTo("seen");
        assertThat(soon(elsewhere(() -> locks.runExclusively(COMMIT, () -> "done"))))
                .isEqualTo("done");
        mayEnd.countDown();
        assertThat(soon(hanging)).isEqualTo("listed");
        assertThat(tries).hasValueGreaterThan(2);
    }

    @Test
    void aCommitDoesNotHoldUpWhoListsAnotherTable() {
        for (LockScope touched : List.of(COMMIT, DIRECTORY)) {
            assertThat(locks.<String>runExclusively(
                            touched,
                            () -> elsewhere(() -> locks.listing(reading(OTHER), () -> "listed"))
                                    .join()))
                    .isEqualTo("listed");
            assertThat(locks.<Optional<String>>runExclusively(
                            touched,
                            () -> elsewhere(() -> locks.listingUnlessChanging(asked -> {
                                        asked.accept(OTHER);
                                        return "listed";
                                    }))
                                    .join()))
                    .contains("listed");
        }
    }

    @Test
    void whoListsSeesACommitWholeOrNotAtAll() throws InterruptedException {
        for (LockScope touched : List.of(COMMIT, DIRECTORY)) {
            CountDownLatch changing = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            int[] files = {1, 1};
            CompletableFuture<String> commit = elsewhere(() -> locks.runExclusively(touched, () -> {
                files[0]++;
                changing.countDown();
                Uninterruptibles.awaitUninterruptibly(mayEnd);
                files[1]++;
                return "done";
            }));
            changing.await();
            CompletableFuture<Boolean> listing =
                    elsewhere(() -> locks.listing(reading(CHANGED, OTHER), () -> files[0] == 2 && files[1] == 2));
            mayEnd.countDown();
            assertThat(listing.join()).isTrue();
            assertThat(commit.join()).isEqualTo("done");
        }
    }

    /** A file that a commit has removed meanwhile does not fail a query. */
    @Test
    void aListingIntoWhichACommitCameIsDoneAgain() {
        AtomicInteger tries = new AtomicInteger();
        int[] files = {1};
        assertThat(locks.<Integer>listing(reading(CHANGED), () -> {
                    if (tries.incrementAndGet() == 1) {
                        elsewhere(() -> locks.runExclusively(COMMIT, () -> ++files[0]))
                                .join();
                        throw new IllegalStateException("a file is gone");
                    }
                    return files[0];
                }))
                .isEqualTo(2);
        assertThat(tries).hasValue(2);
    }

    @Test
    void aListingThatFailsUndisturbedFails() {
        assertThatThrownBy(() -> locks.listing(reading(CHANGED), () -> {
                    throw new IllegalStateException("no such folder");
                }))
                .hasMessage("no such folder");
    }

    /** Each listing is disturbed only a few times at most, no matter how often others commit. */
    @Test
    void endlessCommitsLetListingsThrough() throws Exception {
        ListingLocks patient = new ListingLocks(Duration.ofMinutes(1));
        AtomicInteger commits = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        Thread committing = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                patient.runExclusively(COMMIT, commits::incrementAndGet);
            }
        });
        try {
            for (int i = 0; i < 20; i++) {
                AtomicInteger tries = new AtomicInteger();
                patient.listing(reading(CHANGED), () -> {
                    int before = commits.get();
                    // Waits until a commit has intervened, or cannot intervene.
                    for (int looks = 0; looks < 1000 && commits.get() == before; looks++) {
                        Thread.onSpinWait();
                    }
                    return tries.incrementAndGet();
                });
                assertThat(tries).hasValueLessThanOrEqualTo(2);
            }
        } finally {
            ended.set(true);
            committing.join();
        }
    }

    @Test
    void commitsToTheSameTakeTurns() {
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Integer>> commits = IntStream.range(0, 20)
                .mapToObj(i -> elsewhere(() -> locks.runExclusively(COMMIT, () -> {
                    int others = inside.getAndIncrement();
                    LockSupport.parkNanos(100_000);
                    inside.decrementAndGet();
                    return others;
                })))
                .toList();
        assertThat(commits).allSatisfy(commit -> assertThat(commit.join()).isZero());
    }

    @Test
    void aWaitForACommitIsBounded() {
        ListingLocks impatient = new ListingLocks(Duration.ofMillis(10), Duration.ofMillis(1));
        impatient.runExclusively(COMMIT, () -> {
            assertThat(elsewhere(() -> impatient.runExclusively(COMMIT, () -> "done")))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableThat()
                    .withCauseInstanceOf(SkepException.class);
            assertThat(elsewhere(() -> impatient.listing(reading(CHANGED), () -> "listed")))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableThat()
                    .withCauseInstanceOf(SkepException.class);
            return true;
        });
        assertThat(impatient.<String>runExclusively(COMMIT, () -> "done")).isEqualTo("done");
    }

    @Test
    void whatIsBeingChangedIsNotAskedFor() {
        assertThat(locks.<Optional<String>>runExclusively(
                        COMMIT,
                        () -> elsewhere(() -> locks.listingUnlessChanging(asked -> {
                                    asked.accept(OTHER);
                                    asked.accept(CHANGED);
                                    return "told";
                                }))
                                .join()))
                .isEmpty();
        assertThat(locks.listingUnlessChanging(asked -> {
                    asked.accept(CHANGED);
                    return "told";
                }))
                .contains("told");
    }

    @Test
    void whatChangesMeanwhileIsNotTold() {
        assertThat(locks.listingUnlessChanging(asked -> {
                    asked.accept(CHANGED);
                    return elsewhere(() -> locks.runExclusively(COMMIT, () -> "told"))
                            .join();
                }))
                .isEmpty();
    }
}
