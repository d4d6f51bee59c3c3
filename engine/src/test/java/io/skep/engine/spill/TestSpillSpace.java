package io.skep.engine.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.TestBatches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSpillSpace {
    private static final QueryId QUERY = new QueryId("q1");

    @TempDir
    private Path folder;

    @Test
    void whatIsWrittenIsReadAndThenGone() throws IOException {
        try (SpillSpace space = new SpillSpace(folder, QUERY, "t", Long.MAX_VALUE)) {
            SpillFile file = space.create("sort");
            file.add(Batch.of(2, TestBatches.longs(1, 2)));
            file.add(Batch.of(1, TestBatches.longs(3)));
            assertThat(file.rows()).isEqualTo(3);
            assertThat(space.usedBytes()).isEqualTo(file.bytes()).isPositive();
            SpillFile.Reader reader = file.read();
            assertThat(TestBatches.rows(java.util.Objects.requireNonNull(reader.next())))
                    .hasSize(2);
            assertThat(TestBatches.rows(java.util.Objects.requireNonNull(reader.next())))
                    .isEqualTo(List.of(List.of(3L)));
            assertThat(reader.next()).isNull();
            file.close();
            assertThat(space.usedBytes()).isZero();
            space.create("left open").add(Batch.of(1, TestBatches.longs(3)));
        }
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aDamagedFileIsNoticed() throws IOException {
        try (SpillSpace space = new SpillSpace(folder, QUERY, "t", Long.MAX_VALUE)) {
            SpillFile file = space.create("sort");
            file.add(Batch.of(3, TestBatches.longs(1, 2000, 3)));
            byte[] bytes = Files.readAllBytes(file.path());
            bytes[bytes.length - 1] ^= 1;
            Files.write(file.path(), bytes);
            assertThatThrownBy(() -> file.read().next())
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
        }
    }

    @Test
    void theBudgetIsHeld() {
        try (SpillSpace space = new SpillSpace(folder, QUERY, "t", 100)) {
            SpillFile file = space.create("sort");
            Batch batch = TestBatches.random(new java.util.Random(3), TestBatches.ALL_TYPES, 100, 0);
            assertThatThrownBy(() -> file.add(batch))
                    .isInstanceOfSatisfying(
                            SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.DISK_FULL));
            assertThat(space.usedBytes()).isZero();
        }
    }

    @Test
    void aClosedSpaceGivesNoFiles() {
        SpillSpace space = new SpillSpace(folder, QUERY, "t", 100);
        space.close();
        assertThatThrownBy(() -> space.create("late")).isInstanceOf(SkepException.class);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void partsOfOneQueryComeAndGoBesideEachOther() {
        try (ExecutorService workers = Executors.newFixedThreadPool(4)) {
            List<Future<?>> ended = new ArrayList<>();
            for (int worker = 0; worker < 4; worker++) {
                String name = "task " + worker;
                ended.add(workers.submit(() -> {
                    for (int attempt = 0; attempt < 500; attempt++) {
                        try (SpillSpace space = new SpillSpace(folder, QUERY, name + "-" + attempt, 1000)) {
                            space.create("sort").add(Batch.of(1, TestBatches.longs(attempt)));
                        }
                    }
                }));
            }
            assertThat(ended).allSatisfy(Future::get);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void noFileIsLeftWhenASpaceClosesBesideItsWriter() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            SpillSpace space = new SpillSpace(folder, QUERY, "t" + round, 100_000);
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    for (int file = 0; file < 20; file++) {
                        space.create("sort");
                    }
                } catch (SkepException closed) {
                    // The error that a task gets if its query has ended.
                }
            });
            space.close();
            writer.join();
        }
        assertThat(folder).isEmptyDirectory();
    }
}
