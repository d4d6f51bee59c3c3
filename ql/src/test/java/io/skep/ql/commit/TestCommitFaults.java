package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.testing.Sampling;
import io.skep.metastore.Catalog;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.commit.SampleWrite.Kind;
import io.skep.ql.commit.StepFaults.Fault;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Makes every kind of write fail at its steps, in every way; at each one with {@link Sampling all cases}. Steps are
 * changes of files, writes to the server's own disk, and calls of the catalog. Then the table has its old state or its
 * new state and nothing in between, and keeps it over later commits and two starts. The recovery of an interrupted
 * write also fails, and so does the recovery after that.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestCommitFaults {
    private static final long SEED = 15;

    /** The number of points at which a write of each kind dies. */
    private static final int DEATHS = 3;

    /** One in this number of a write's steps fails, and at most as many of a recovery's. */
    private static final int STRIDE = 5;

    @TempDir(factory = FolderInMemory.class)
    private Path temporary;

    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private final StepFaults faults = new StepFaults();
    private final TableFiles files =
            FaultyCalls.files(new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20)), faults);
    private final Random random = new Random(SEED);
    private TestingMetastore metastore;
    private Catalog catalog;
    private TransactionStore transactions;
    private int number;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
        catalog = FaultyCalls.of(Catalog.class, metastore.catalog(), faults);
        transactions =
                FaultyCalls.of(TransactionStore.class, metastore.metastore().transactions(), faults);
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    /** One write with its tables and the journals of its server. */
    private final class Trial {
        private final SampleWrite write;
        private final Path journals;

        /**
         * Whether forces to the disk can fail. Most changes are forces, so a few kinds of writes are enough for them.
         */
        private final boolean isForced;

        private final String commit = "q" + number;

        private Trial(Kind kind) throws IOException {
            Path folder = Files.createDirectories(temporary.resolve("w" + number));
            this.write = new SampleWrite(kind, number++, folder, catalog, transactions, files);
            this.journals = folder.resolve("commits");
            this.isForced = kind == Kind.INSERT || kind == Kind.RENAME;
        }

        private TableCommits server() {
            CommitConfig config =
                    new CommitConfig(Duration.ofMinutes(4), Duration.ofMinutes(4), isForced, List.of("file"));
            return new TableCommits(FaultyDisk.of(journals, faults), files, catalog, transactions, config);
        }

        private TableCommits started() {
            TableCommits commits = server();
            commits.recover();
            return commits;
        }

        private boolean runs(TableCommits commits) {
            try {
                write.run(commits, commit);
                return true;
            } catch (SkepException | AssertionError e) {
                assertThat(e).hasMessageContaining("fails here");
                return false;
            }
        }

        /** Checks that later commits and two starts change nothing of the state that was seen. */
        private void later(TableCommits commits, List<String> rows, String what) throws IOException {
            List<String> expected = write.commitLater(commits, rows);
            assertThat(write.rows(commits)).as(what).isEqualTo(expected);
            started();
            assertThat(write.rows(started())).as(what + ", after two starts").isEqualTo(expected);
            assertNothingLeft(what);
            write.drop();
        }

        private void assertNothingLeft(String what) throws IOException {
            try (Stream<Path> noted = Files.list(Files.createDirectories(journals))) {
                assertThat(noted).as(what).isEmpty();
            }
            write.assertNothingHidden(what);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aWriteIsWholeOrNotThere(Kind kind) throws IOException {
        StepFaults.atSteps(kind.toString(), STRIDE, (fault, step) -> fails(kind, fault, step));
    }

    /** Returns false if the write has fewer steps. */
    private boolean fails(Kind kind, Fault fault, int step) throws IOException {
        Trial trial = new Trial(kind);
        String what = kind + " fails " + fault + " at step " + step;
        TableCommits commits = trial.started();
        trial.write.prepare();
        List<String> before = trial.write.rows(commits);
        faults.fail(fault, step);
        boolean isDone = trial.runs(commits);
        boolean isReached = faults.isReached();
        faults.repair();
        TableCommits after = isReached && fault == Fault.DEATH ? trial.started() : commits;
        List<String> rows = trial.write.rows(after);
        if (isDone) {
            assertThat(rows).as(what).isEqualTo(trial.write.expected());
        } else {
            assertThat(List.of(before, trial.write.expected())).as(what).contains(rows);
        }
        trial.later(after, rows, what);
        return isReached;
    }

    /**
     * A server dies and leaves an unfinished commit. Its recovery fails or dies as well, and so does a second recovery
     * after it.
     */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void soIsOneWhoseRecoveryFails(Kind kind) throws IOException {
        for (int i = 0; i < DEATHS; i++) {
            int death = random.nextInt(steps(kind));
            int step = 0;
            while (recovers(kind, death, step)) {
                step += 1 + random.nextInt(STRIDE);
                assertThat(step).isLessThan(StepFaults.MAX_STEPS);
            }
        }
    }

    /** Returns the number of steps of a write. */
    private int steps(Kind kind) throws IOException {
        Trial trial = new Trial(kind);
        TableCommits commits = trial.started();
        trial.write.prepare();
        faults.fail(Fault.ONCE, StepFaults.MAX_STEPS);
        trial.runs(commits);
        int steps = faults.taken();
        faults.repair();
        trial.write.drop();
        return steps;
    }

    /** Returns false if the recovery has fewer steps. */
    private boolean recovers(Kind kind, int death, int step) throws IOException {
        Trial trial = new Trial(kind);
        TableCommits commits = trial.started();
        trial.write.prepare();
        List<String> before = trial.write.rows(commits);
        faults.fail(Fault.DEATH, death);
        trial.runs(commits);
        faults.repair();
        Fault first = anyFault();
        Fault second = anyFault();
        int later = random.nextInt(step + 1);
        String what = kind + " dies at step " + death + ", its recovery fails " + first + " at step " + step
                + " and then " + second + " at step " + later + ", seed " + SEED;
        boolean isReached = isInterrupted(trial, first, step);
        isInterrupted(trial, second, later);
        TableCommits after = trial.started();
        List<String> rows = trial.write.rows(after);
        assertThat(List.of(before, trial.write.expected())).as(what).contains(rows);
        trial.later(after, rows, what);
        return isReached;
    }

    private Fault anyFault() {
        return Fault.values()[random.nextInt(Fault.values().length)];
    }

    /** Runs a start and a read in which a step fails. Returns false if they have fewer steps. */
    private boolean isInterrupted(Trial trial, Fault fault, int step) {
        faults.fail(fault, step);
        try {
            trial.write.rows(trial.started());
        } catch (SkepException | AssertionError e) {
            assertThat(e).hasMessageContaining("fails here");
        }
        boolean isReached = faults.isReached();
        faults.repair();
        return isReached;
    }
}
