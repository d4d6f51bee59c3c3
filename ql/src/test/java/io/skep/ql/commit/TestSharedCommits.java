package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.testing.Polling;
import io.skep.metastore.DroppedFiles;
import io.skep.metastore.Table;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.testing.TestingMetastore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Simulates servers that commit to one table, as far as one process can: they share a catalog, and each has its own
 * marks. A server that dies is a thread that ends with an error.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSharedCommits {
    /** So long that a live server on a slow machine does not seem dead. */
    private static final Duration LONG = Duration.ofMinutes(4);

    private static final CommitConfig PATIENT = config(LONG, LONG);

    /** The settings of a server that soon considers a silent one dead. */
    private static final CommitConfig HASTY = config(Duration.ofSeconds(1), LONG);

    @TempDir
    private Path temporary;

    private final TwoServers shared = TwoServers.open();
    private final TestingMetastore metastore = shared.metastore();
    private final LeaseStore first = shared.first();
    private final LeaseStore second = shared.second();
    private final TableFiles files = shared.files();
    private final AtomicInteger tables = new AtomicInteger();
    private TableCommits one;
    private TableCommits other;
    private Path folder;
    private Table table;

    @AfterAll
    void close() {
        shared.close();
    }

    @BeforeEach
    void start() throws IOException {
        one = commits(first, PATIENT);
        other = commits(second, PATIENT);
        String name = "t" + tables.incrementAndGet();
        folder = Files.createDirectories(temporary.resolve(name));
        table = table(name);
    }

    @AfterEach
    void end() {
        other.close();
        one.close();
        assertThat(first.snapshot().marks()).isEmpty();
    }

    private TableCommits commits(LeaseStore marks, CommitConfig config) {
        Path journals = metastore.folder().resolve("commits");
        return new TableCommits(
                journals, files, metastore.catalog(), metastore.metastore().transactions(), config, marks);
    }

    private Table table(String name) {
        metastore.catalog().createTable(CommittedTable.of(name, folder, List.of()));
        return metastore.catalog().table("default", name).orElseThrow();
    }

    private static CommitConfig config(Duration lease, Duration patience) {
        return new CommitConfig(lease, patience, true, List.of("file"));
    }

    /** Adds two written files, which become the table's third and fourth. */
    private void addFiles(CommitPlan plan, String commit) {
        try {
            Path staging = Files.createDirectories(folder.resolve(".skep-staging-" + commit));
            for (String name : List.of("0", "1")) {
                Files.writeString(staging.resolve(name), "1\n");
                plan.arrive("file:" + staging.resolve(name), "file:" + folder.resolve(commit + "_" + name));
            }
            plan.change(table);
            plan.remove("file:" + staging);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void commit(TableCommits server, String name, Runnable inCatalog) {
        server.commit(CommitRequest.of(name, List.of(table), plan -> addFiles(plan, name), inCatalog));
    }

    /** Announces a commit to the catalog, as every commit does. */
    private void announceCommit() {
        Table now = metastore.catalog().table("default", table.name()).orElseThrow();
        metastore.catalog().alterTable("default", table.name(), now, false);
    }

    private long count(TableCommits server) {
        return server.listConsistently(List.of(table), List.of(), seen ->
                (long) files.splits(table, Optional.empty(), seen).size());
    }

    private static void die() {
        throw new AssertionError("the process dies here");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aReaderSeesAllOfACommitOrNothing() {
        assertThat(count(other)).isZero();
        CountDownLatch moved = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> commit(one, "q1", () -> {
            moved.countDown();
            await(told);
            announceCommit();
        }));
        await(moved);
        // The files are in place, and the catalog does not contain the change yet.
        CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> count(other));
        assertThat(files.files("file:" + folder)).hasSize(2);
        assertThat(reader).isNotDone();
        told.countDown();
        commit.join();
        assertThat(reader.join()).isEqualTo(2);
    }

    @Test
    void aCommitWaitsForAnothers() {
        CountDownLatch moved = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> earlier = CompletableFuture.runAsync(() -> commit(one, "q1", () -> {
            moved.countDown();
            await(told);
            over.set(true);
        }));
        await(moved);
        CompletableFuture<Boolean> later = CompletableFuture.supplyAsync(() -> {
            AtomicBoolean seen = new AtomicBoolean();
            other.commit(CommitRequest.of("q2", List.of(table), plan -> seen.set(over.get()), () -> {}));
            return seen.get();
        });
        told.countDown();
        earlier.join();
        assertThat(later.join()).isTrue();
    }

    @Test
    void aChangeOfTheCatalogWaitsForACommitAndKeepsReadersAway() {
        CountDownLatch moved = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        AtomicBoolean committed = new AtomicBoolean();
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> commit(one, "q1", () -> {
            moved.countDown();
            await(told);
            announceCommit();
            committed.set(true);
        }));
        await(moved);
        CountDownLatch changing = new CountDownLatch(1);
        CountDownLatch changed = new CountDownLatch(1);
        CompletableFuture<Boolean> change =
                CompletableFuture.supplyAsync(() -> other.exclusively(List.of(table), "q2", () -> {
                    boolean after = committed.get();
                    changing.countDown();
                    await(changed);
                    return after;
                }));
        told.countDown();
        commit.join();
        await(changing);
        CompletableFuture<Long> reader = CompletableFuture.supplyAsync(() -> count(one));
        assertThat(first.snapshot().marks()).hasSize(1);
        assertThat(reader).isNotDone();
        changed.countDown();
        assertThat(change.join()).isTrue();
        assertThat(reader.join()).isEqualTo(2);
    }

    @Test
    void anotherServerEndsTheCommitOfADeadOne() {
        assertThatThrownBy(() -> commit(one, "q1", TestSharedCommits::die)).isInstanceOf(AssertionError.class);
        assertThat(second.snapshot().marks()).hasSize(1);
        try (TableCommits hasty = commits(second, HASTY)) {
            assertThat(count(hasty)).isEqualTo(2);
        }
        assertThat(folder.resolve(".skep-staging-q1")).doesNotExist();
        assertThat(metastore
                        .catalog()
                        .table("default", table.name())
                        .orElseThrow()
                        .properties())
                .doesNotContainKey(StatsSetupConst.COLUMN_STATS_ACCURATE);
        commit(other, "q2", () -> announceCommit());
        assertThat(count(other)).isEqualTo(4);
    }

    @Test
    void whatWasNotWrittenDownHasNotBegun() {
        assertThatThrownBy(() -> one.commit(CommitRequest.of("q1", List.of(table), plan -> die(), () -> {})))
                .isInstanceOf(AssertionError.class);
        assertThat(one.isUnfinished("q1")).isFalse();
        assertThat(second.snapshot().marks()).isEmpty();
    }

    @Test
    void aCommitThatFailsChangesNothing() {
        assertThatThrownBy(() -> commit(one, "q1", () -> {
                    throw new IllegalStateException("no catalog");
                }))
                .hasMessage("no catalog");
        assertThat(one.isUnfinished("q1")).isFalse();
        assertThat(second.snapshot().marks()).isEmpty();
        assertThat(count(one)).isZero();
        assertThat(folder.resolve(".skep-staging-q1")).doesNotExist();
    }

    @Test
    void aDamagedJournalClosesItsTableOnly() {
        assertThatThrownBy(() -> commit(one, "q1", TestSharedCommits::die)).isInstanceOf(AssertionError.class);
        LeaseStore marks = first;
        marks.snapshot()
                .marks()
                .forEach(mark -> assertThat(marks.write(mark.owner(), new byte[] {1, 2, 3}))
                        .isTrue());
        try (TableCommits again = commits(first, PATIENT)) {
            again.recover();
            assertThatThrownBy(() -> count(again))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.COMMIT_UNFINISHED));
        }
        marks.snapshot()
                .marks()
                .forEach(mark -> assertThat(marks.end(mark.owner())).isTrue());
    }

    @Test
    void aTableThatWasMadeAnewIsNotWrittenTo() {
        metastore.catalog().dropTable("default", table.name(), DroppedFiles.KEPT);
        table(table.name());
        assertThatThrownBy(() -> commit(one, "q1", () -> {}))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.TABLE_CHANGED));
        assertThat(files.files("file:" + folder)).isEmpty();
        assertThat(second.snapshot().marks()).isEmpty();
    }

    @Test
    void theNextStartEndsWhatIsLeft() {
        assertThatThrownBy(() -> commit(one, "q1", TestSharedCommits::die)).isInstanceOf(AssertionError.class);
        try (TableCommits again = commits(first, PATIENT)) {
            again.recover();
            assertThat(first.snapshot().marks()).isEmpty();
            assertThat(count(again)).isEqualTo(2);
        }
    }

    @Test
    void aLivingCommitIsWaitedForAndThenNamed() {
        CountDownLatch moved = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        try (TableCommits beating = commits(first, HASTY);
                TableCommits impatient = commits(second, config(LONG, Duration.ZERO))) {
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> commit(beating, "q1", () -> {
                moved.countDown();
                await(told);
            }));
            await(moved);
            Polling.await("it beats")
                    .until(() -> second.snapshot().marks().getFirst().owner().beat() >= 2);
            assertThatThrownBy(() -> count(impatient)).isInstanceOfSatisfying(SkepException.class, e -> {
                assertThat(e.code()).isEqualTo(StandardErrorCode.COMMIT_UNDER_WAY);
                assertThat(e.getMessage()).contains(table.qualifiedName()).contains("server one");
            });
            told.countDown();
            commit.join();
        } finally {
            told.countDown();
        }
        assertThat(count(other)).isEqualTo(2);
    }

    /** The database rejects the changes of a paused server when it continues. */
    @Test
    void aServerThatLookedDeadStops() {
        CountDownLatch moved = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> commit(one, "q1", () -> {
            moved.countDown();
            await(ended);
        }));
        await(moved);
        // Another server takes over immediately, as after an expired lease.
        LeaseStore marks = second;
        while (!marks.snapshot().marks().stream().allMatch(mark -> marks.isOwn(mark.owner()))) {
            marks.snapshot().marks().forEach(mark -> marks.replace(mark.owner(), marks.takeOver(mark.owner())));
        }
        assertThat(count(other)).isEqualTo(2);
        ended.countDown();
        commit.join();
        assertThat(count(one)).isEqualTo(2);
        assertThat(metastore
                        .catalog()
                        .table("default", table.name())
                        .orElseThrow()
                        .properties())
                .doesNotContainKey(StatsSetupConst.COLUMN_STATS_ACCURATE);
    }

    @Test
    void aQueryThatFindsTheSameAgainAsksNobody() throws IOException {
        commit(one, "q1", () -> announceCommit());
        assertThat(count(other)).isEqualTo(2);
        LeaseStore marks = first;
        assertThat(marks.begin(ConsistentReads.keys(List.of(table)), marks.owner("hanging")))
                .isTrue();
        try (TableCommits impatient = commits(second, config(LONG, Duration.ZERO))) {
            // It has not verified the listing yet.
            assertThatThrownBy(() -> count(impatient)).isInstanceOf(SkepException.class);
        }
        assertThat(count(other)).isEqualTo(2);
        assertThat(marks.end(marks.owner("hanging"))).isTrue();
    }

    @Test
    void filesThatADropHasLeftGoBeforeAnyServerUsesTheName() throws IOException {
        StepFaults faults = new StepFaults();
        TableFiles faulty = FaultyCalls.files(files, faults);
        Path journals = metastore.folder().resolve("commits");
        Files.writeString(folder.resolve("0"), "1\n");
        try (TableCommits failing = new TableCommits(
                journals, faulty, metastore.catalog(), metastore.metastore().transactions(), PATIENT, first)) {
            assertThatThrownBy(() -> failing.dropping(List.of(table), "q1", drops -> {
                        drops.accept(DropRequest.of(table, List.of("file:" + folder), DroppedFiles.PURGED, () -> {
                            metastore.catalog().dropTable("default", table.name(), DroppedFiles.KEPT);
                            faults.fail(StepFaults.Fault.UNAVAILABLE, 0);
                        }));
                        return true;
                    }))
                    .hasMessageContaining("fails here");
            assertThat(second.snapshot().marks()).hasSize(1).allMatch(LeaseStore.Mark::isRemoval);
            assertThatThrownBy(() -> failing.exclusively(List.of(table), "q2", () -> true))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.COMMIT_UNFINISHED));
            faults.repair();
        }
        assertThat(folder.resolve("0")).exists();
        boolean isGone = other.exclusively(List.of(table), "q3", () -> Files.notExists(folder));
        assertThat(isGone).isTrue();
    }
}
