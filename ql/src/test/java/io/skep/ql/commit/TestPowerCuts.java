package io.skep.ql.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.testing.Sampling;
import io.skep.metastore.Catalog;
import io.skep.metastore.testing.TestingMetastore;
import io.skep.ql.commit.SampleWrite.Kind;
import io.skep.ql.commit.StepFaults.Fault;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.SplitEnumerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Simulates a power failure at steps of every kind of write; at each one with {@link Sampling all cases}. Data that
 * were not forced to the disk are lost, either all of them or a random part. The table then has its old state or its
 * new state, and an acknowledged write is present. The test assumes that the metastore's database keeps what it has
 * committed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TestPowerCuts {
    private static final long SEED = 15;

    /** The power fails at one in this number of steps, at other ones when only a part of the data is lost. */
    private static final int STRIDE = 4;

    @TempDir(factory = FolderInMemory.class)
    private Path temporary;

    private final HadoopFileSystem fileSystem = new HadoopFileSystem(new Configuration(false));
    private final TableFiles files = new StoredTableFiles(fileSystem, new SplitEnumerator(fileSystem, 1 << 20));
    private final StepFaults faults = new StepFaults();
    private final Random random = new Random(SEED);
    private TestingMetastore metastore;
    private Catalog catalog;
    private int number;

    @BeforeAll
    void open() {
        metastore = TestingMetastore.open();
        catalog = FaultyCalls.of(Catalog.class, metastore.catalog(), faults);
    }

    @AfterAll
    void close() {
        metastore.close();
    }

    /** One write with its tables and the journals of its server, all on one disk. */
    private final class Trial {
        private final VolatileDisk disk;
        private final TableFiles onDisk;
        private final SampleWrite write;
        private final Path journals;
        private final String commit = "q" + number;

        private Trial(Kind kind) throws IOException {
            Path folder = Files.createDirectories(temporary.resolve("w" + number));
            this.disk = new VolatileDisk(folder, Files.createDirectories(temporary.resolve("lost" + number)));
            this.onDisk = FaultyCalls.files(disk.files(files), faults);
            this.write = new SampleWrite(
                    kind, number++, folder, catalog, metastore.metastore().transactions(), onDisk);
            this.journals =
                    FaultyDisk.of(folder.resolve("data").resolve("commits"), faults, new FaultyDisk.ChangeListener() {
                        @Override
                        public void changed() {
                            disk.changed();
                        }

                        @Override
                        public void forced(Path path) {
                            disk.force(path);
                        }
                    });
            Files.createDirectories(folder.resolve("data"));
            write.prepare();
            if (kind == Kind.LOAD_IN_TRANSACTION) {
                // What is moved back has to be there.
                disk.forceAllBut(".staging");
            } else {
                disk.forceAllBut(".staging", "given");
            }
        }

        private TableCommits started() {
            return started(true);
        }

        private TableCommits started(boolean isForced) {
            TableCommits commits = new TableCommits(
                    journals,
                    onDisk,
                    catalog,
                    metastore.metastore().transactions(),
                    new CommitConfig(Duration.ofMinutes(4), Duration.ofMinutes(4), isForced, List.of("file")));
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
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aWriteIsWholeOrNotThere(Kind kind) throws IOException {
        for (Optional<Random> chance : List.of(Optional.<Random>empty(), Optional.of(random))) {
            int step = (kind.ordinal() + (chance.isPresent() ? 1 : 0)) % Sampling.stride(STRIDE);
            while (isCut(kind, chance, step)) {
                step += Sampling.stride(STRIDE);
                assertThat(step).isLessThan(StepFaults.MAX_STEPS);
            }
            assertThat(step).as("steps of %s", kind).isGreaterThan(1);
        }
    }

    /** Returns false if the write has fewer steps. The power then fails right after the write. */
    private boolean isCut(Kind kind, Optional<Random> chance, int step) throws IOException {
        Trial trial = new Trial(kind);
        String what = kind + " is cut at step " + step + (chance.isPresent() ? ", some is lost" : ", all is lost");
        TableCommits commits = trial.started();
        List<String> before = trial.write.rows(commits);
        faults.fail(Fault.DEATH, step);
        boolean isDone = trial.runs(commits);
        boolean isReached = faults.isReached();
        faults.repair();
        trial.disk.cut(chance);
        TableCommits after = trial.started();
        List<String> rows = trial.write.rows(after);
        if (isDone) {
            assertThat(rows).as(what).isEqualTo(trial.write.expected());
        } else {
            assertThat(List.of(before, trial.write.expected())).as(what).contains(rows);
        }
        List<String> expected = trial.write.commitLater(after, rows);
        trial.disk.cut(chance);
        assertThat(trial.write.rows(trial.started())).as(what + ", and later").isEqualTo(expected);
        trial.write.drop();
        return isReached;
    }

    /** Shows that unforced data are lost. Otherwise the other tests would prove nothing. */
    @Test
    void whatIsNotForcedIsLost() throws IOException {
        Trial trial = new Trial(Kind.INSERT);
        TableCommits commits = trial.started(false);
        List<String> before = trial.write.rows(commits);
        assertThat(trial.runs(commits)).isTrue();
        assertThat(trial.write.rows(commits)).isEqualTo(trial.write.expected());
        trial.disk.cut(Optional.empty());
        assertThat(trial.write.rows(trial.started())).isEqualTo(before);
        trial.write.drop();
    }
}
