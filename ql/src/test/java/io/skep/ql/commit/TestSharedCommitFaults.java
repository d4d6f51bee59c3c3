package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.metastore.Catalog;
import io.skep.metastore.commit.LeaseStore;
import io.skep.metastore.commit.LeaseStore.Mark;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.commit.SampleWrite.Kind;
import io.skep.ql.commit.StepFaults.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two servers over one catalog. One of them fails or dies at a step of a write, or is stopped for longer than its lease
 * and then continues. The other server finishes the commit and writes to the table. The table has its old state or its
 * new state, and keeps it.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestSharedCommitFaults {
    /** The distance between steps that fail. {@link TestCommitFaults} makes one server fail at every step. */
    private static final int STRIDE = 4;

    /** A server that is stopped for this time has lost its lease. */
    private static final Duration LEASE = Duration.ofMillis(20);

    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir(factory = FolderInMemory.class)
    private Path temporary;

    private final TwoServers shared = TwoServers.open();
    private final TestingMetastore metastore = shared.metastore();
    private final LeaseStore first = shared.first();
    private final LeaseStore second = shared.second();
    private final TableFiles files = shared.files();
    private final StepFaults faults = new StepFaults();
    private int number;

    @AfterAll
    void close() {
        shared.close();
    }

    /** One write with its tables and both servers. */
    private final class Trial implements AutoCloseable {
        private final SampleWrite write;
        private final TableCommits one;
        private final TableCommits other;
        private final List<String> before;
        private final String commit = "q" + number;

        private Trial(Kind kind, Duration lease) throws IOException {
            Path folder = Files.createDirectories(temporary.resolve("w" + number));
            Catalog catalog = FaultyCalls.of(Catalog.class, metastore.catalog(), faults);
            TableFiles faulty = FaultyCalls.files(files, faults);
            TransactionStore transactions =
                    FaultyCalls.of(TransactionStore.class, metastore.metastore().transactions(), faults);
            this.write = new SampleWrite(kind, number++, folder, catalog, transactions, faulty);
            this.one = new TableCommits(
                    folder.resolve("commits"),
                    faulty,
                    catalog,
                    transactions,
                    config(lease),
                    FaultyCalls.of(LeaseStore.class, first, faults));
            this.other = new TableCommits(
                    folder.resolve("commits2"),
                    files,
                    metastore.catalog(),
                    metastore.metastore().transactions(),
                    config(LONG),
                    second);
            write.prepare();
            before = write.rows(other);
        }

        private static CommitConfig config(Duration lease) {
            return new CommitConfig(lease, LONG, false, List.of("file"));
        }

        private boolean runs() {
            try {
                write.run(one, commit);
                return true;
            } catch (SkepException | AssertionError e) {
                return false;
            }
        }

        /**
         * Makes the other server take over all marks of this one, as after an expired lease. Returns whether there were
         * any.
         */
        private boolean takeOver() {
            boolean isTaken = false;
            List<Mark> marks = marksOfOne();
            while (!marks.isEmpty()) {
                isTaken = true;
                marks.forEach(mark -> second.replace(mark.owner(), second.takeOver(mark.owner())));
                marks = marksOfOne();
            }
            return isTaken;
        }

        private List<Mark> marksOfOne() {
            return second.snapshot().marks().stream()
                    .filter(mark -> !second.isOwn(mark.owner()))
                    .toList();
        }

        @Override
        public void close() {
            one.close();
            other.close();
            write.drop();
            assertThat(first.snapshot().marks()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {
                "OVERWRITE",
                "DYNAMIC_PARTITIONS",
                "LOAD",
                "LOAD_IN_TRANSACTION",
                "CREATE",
                "EXCHANGE",
                "RENAME",
                "RENAME_PARTITION"
            })
    void anotherServerEndsWhatFails(Kind kind) throws IOException {
        StepFaults.atSteps(kind.toString(), STRIDE, (fault, step) -> fails(kind, fault, step));
    }

    /** Returns false if the write has fewer steps. */
    private boolean fails(Kind kind, Fault fault, int step) throws IOException {
        String what = kind + " fails " + fault + " at step " + step;
        try (Trial trial = new Trial(kind, LONG)) {
            faults.fail(fault, step);
            boolean isDone = trial.runs();
            boolean isReached = faults.isReached();
            faults.repair();
            if (fault != Fault.DEATH && step % 4 < 2) {
                // The server finishes its own commit with the next statement on the table.
                trial.write.rows(trial.one);
            }
            trial.takeOver();
            trial.write.finishCommits(trial.other);
            List<String> rows = trial.write.rows(trial.other);
            if (isDone) {
                assertThat(rows).as(what).isEqualTo(trial.write.expected());
            } else {
                assertThat(List.of(trial.before, trial.write.expected()))
                        .as(what)
                        .contains(rows);
            }
            List<String> expected = trial.write.commitLater(trial.other, rows);
            trial.one.recover();
            assertThat(trial.write.rows(trial.one)).as(what).isEqualTo(expected);
            assertThat(trial.write.rows(trial.other)).as(what).isEqualTo(expected);
            return isReached;
        }
    }

    /**
     * Simulates SIGSTOP and SIGCONT. The stopped server runs its next step after another server has finished its commit
     * and written to the table.
     */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {
                "OVERWRITE",
                "DYNAMIC_PARTITIONS",
                "LOAD",
                "LOAD_IN_TRANSACTION",
                "CREATE",
                "EXCHANGE",
                "RENAME",
                "RENAME_PARTITION"
            })
    void aServerThatLostItsLeaseChangesNothing(Kind kind) throws IOException {
        int step = 0;
        while (goesOn(kind, step)) {
            step++;
            assertThat(step).isLessThan(StepFaults.MAX_STEPS);
        }
        assertThat(step).as("steps of %s", kind).isGreaterThan(1);
    }

    /** Returns false if the write has fewer steps. */
    private boolean goesOn(Kind kind, int step) throws IOException {
        String what = kind + " is stopped at step " + step;
        try (Trial trial = new Trial(kind, LEASE)) {
            List<String> decided = new ArrayList<>();
            List<String> later = new ArrayList<>();
            boolean[] isTaken = {false};
            boolean[] isStopped = {false};
            faults.stop(step, () -> {
                isStopped[0] = true;
                long began = System.nanoTime();
                isTaken[0] = trial.takeOver();
                if (isTaken[0]) {
                    trial.write.finishCommits(trial.other);
                    decided.addAll(trial.write.rows(trial.other));
                    later.addAll(trial.write.commitLater(trial.other, decided));
                }
                while (System.nanoTime() - began < LEASE.toNanos()) {
                    LockSupport.parkNanos(LEASE.toNanos());
                }
            });
            boolean isDone = trial.runs();
            faults.repair();
            List<String> rows = trial.write.rows(trial.other);
            if (isTaken[0]) {
                assertThat(rows).as(what).isEqualTo(later);
                assertThat(List.of(trial.before, trial.write.expected()))
                        .as(what)
                        .contains(decided);
            }
            if (isDone) {
                assertThat(isTaken[0] ? decided : rows).as(what).isEqualTo(trial.write.expected());
            }
            return isStopped[0];
        }
    }

    /**
     * Another server has created a table over the folder and reads it. The folder's content does not change any more,
     * and nothing is lost.
     */
    @Test
    void aCommitToAFolderOfWhichATableWasMadeIsGivenUp() throws IOException {
        int step = 0;
        while (isGivenUp(step)) {
            step++;
            assertThat(step).isLessThan(StepFaults.MAX_STEPS);
        }
        assertThat(step).isGreaterThan(1);
    }

    /** Returns false if the write has fewer steps. */
    private boolean isGivenUp(int step) throws IOException {
        String what = "death at step " + step;
        try (Trial trial = new Trial(Kind.DIRECTORY, LONG)) {
            faults.fail(Fault.DEATH, step);
            trial.runs();
            boolean isReached = faults.isReached();
            faults.repair();
            trial.takeOver();
            trial.write.createTableOverFolder();
            trial.other.awaitFolders(Optional.empty());
            List<String> rows = trial.write.rows(trial.other);
            trial.one.recover();
            assertThat(trial.write.rows(trial.other)).as(what).isEqualTo(rows);
            if (!rows.equals(trial.write.expected())) {
                assertThat(trial.write.contents()).as(what).contains("old0", "old1");
            }
            return isReached;
        }
    }

    /** The waiting statement has changed the catalog, so it must not be reported as failed. */
    @Test
    void aStatementDoesNotFailWhileItWaitsForFolders() throws IOException {
        try (Trial trial = new Trial(Kind.INSERT, LONG)) {
            faults.fail(Fault.ONCE, 0);
            trial.one.awaitFolders(Optional.empty());
            assertThat(faults.isReached()).isTrue();
        }
    }
}
