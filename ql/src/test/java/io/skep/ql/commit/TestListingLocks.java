package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.metastore.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Who waits for whom among those that list tables' files and those that change them. */
final class TestListingLocks {
    private static final Table CHANGED = CommittedTable.of("changed", Path.of("/changed"), List.of());
    private static final Table OTHER = CommittedTable.of("other", Path.of("/other"), List.of());

    private final ListingLocks locks = new ListingLocks();

    private static <T> CompletableFuture<T> elsewhere(Supplier<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> done.complete(work.get()));
        return done;
    }

    @Test
    void aCommitDoesNotHoldUpWhoListsAnotherTable() {
        assertThat(locks.<String>changing(
                        List.of(CHANGED),
                        () -> elsewhere(() -> locks.listing(List.of(OTHER), () -> "listed"))
                                .join()))
                .isEqualTo("listed");
        assertThat(locks.<Optional<String>>changing(
                        List.of(CHANGED),
                        () -> elsewhere(() -> locks.listingUnlessChanging(asked -> {
                                    asked.accept(OTHER);
                                    return "listed";
                                }))
                                .join()))
                .contains("listed");
    }

    @Test
    void whoListsSeesACommitWholeOrNotAtAll() throws InterruptedException {
        CountDownLatch changing = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        int[] files = {1, 1};
        CompletableFuture<String> commit = elsewhere(() -> locks.changing(List.of(CHANGED), () -> {
            files[0]++;
            changing.countDown();
            Uninterruptibles.awaitUninterruptibly(mayEnd);
            files[1]++;
            return "done";
        }));
        changing.await();
        CompletableFuture<Boolean> listing =
                elsewhere(() -> locks.listing(List.of(CHANGED, OTHER), () -> files[0] == 2 && files[1] == 2));
        mayEnd.countDown();
        assertThat(listing.join()).isTrue();
        assertThat(commit.join()).isEqualTo("done");
    }

    @Test
    void whatIsBeingChangedIsNotAskedFor() {
        assertThat(locks.<Optional<String>>changing(
                        List.of(CHANGED),
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
    void whatIsNotInTheCatalogHoldsUpAll() {
        assertThat(locks.<Optional<String>>changing(
                        List.of(),
                        () -> elsewhere(() -> locks.listingUnlessChanging(asked -> {
                                    asked.accept(OTHER);
                                    return "told";
                                }))
                                .join()))
                .isEmpty();
    }
}
