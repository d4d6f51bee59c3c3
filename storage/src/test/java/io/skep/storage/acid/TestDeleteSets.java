package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.storage.acid.HiveAcidTable.RowId;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.AcidInfo;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestDeleteSets {
    private static final int BUCKET = BucketProperty.encode(0, 0);
    private static final long EVENTS = 5_000;

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicLong reserved = new AtomicLong();
    private Instant now = Instant.now().plusSeconds(60);
    private final InstantSource clock = () -> now;

    @BeforeEach
    void write() {
        new HiveAcidTable(folder)
                .write(2, 0, 0, to -> LongStream.range(0, EVENTS).forEach(rowId -> delete(to, rowId)));
    }

    private static void delete(HiveAcidTable.Updater to, long rowId) {
        try {
            to.delete(new RowId(1, BUCKET, rowId));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Split split, Consumer<RowGroupReader> user) {
        reads.incrementAndGet();
        try (RowGroupReader reader = tables.formats.open(split)) {
            user.accept(reader);
        }
    }

    private Split split() {
        FileVersion deletes = tables.files
                .status("file:" + folder + "/delete_delta_0000002_0000002_0000/bucket_00000")
                .version();
        AcidInfo acid = new AcidInfo(Optional.empty(), false, List.of(deletes), false, Optional.empty());
        return new Split(deletes, 0, 1, FormatTables.ORC, List.of(), List.of(), Optional.of(acid));
    }

    private DeletedRows of(DeleteSets sets) {
        Split split = split();
        DeletedRows rows = sets.of(split, split.acid().orElseThrow(), reserved::addAndGet);
        assertThat(rows.of(1, BUCKET)).isNotNull();
        return rows;
    }

    @Test
    void eventsAreReadOnceAndTheCacheAccountsForThem() {
        DeleteSets sets = new DeleteSets(this::read, clock, 1 << 20);
        DeletedRows first = of(sets);
        assertThat(of(sets)).isSameAs(first);
        assertThat(reads.get()).isEqualTo(1);
        assertThat(reserved.get()).isZero();
    }

    @Test
    void eventsThatAreTooManyForTheCacheBelongToTheQuery() {
        DeleteSets sets = new DeleteSets(this::read, clock, 500);
        DeletedRows first = of(sets);
        assertThat(reserved.get()).isEqualTo(first.retainedBytes());
        assertThat(of(sets)).isNotSameAs(first);
        assertThat(reads.get()).isEqualTo(2);
    }

    @Test
    void eventsOfFilesThatMayYetChangeAreNotKept() {
        DeleteSets sets = new DeleteSets(this::read, clock, 1 << 20);
        now = Instant.ofEpochMilli(split().file().modificationTime());
        assertThat(of(sets)).isNotSameAs(of(sets));
        assertThat(reads.get()).isEqualTo(2);
    }

    /** A query that is cancelled while it reads events does not fail another one that waits for them. */
    @Test
    void othersReadWhatACancelledQueryDidNot() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        DeleteSets sets = new DeleteSets(
                (split, user) -> {
                    reading.countDown();
                    if (reads.get() == 0) {
                        await(cancelled);
                    }
                    read(split, user);
                },
                clock,
                1 << 20);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> first = threads.submit(() -> {
                Split split = split();
                sets.of(split, split.acid().orElseThrow(), bytes -> {
                    throw new CancellationException("nobody waits");
                });
            });
            await(reading);
            Future<DeletedRows> second = threads.submit(() -> of(sets));
            cancelled.countDown();
            assertThatThrownBy(first::get).hasCauseInstanceOf(CancellationException.class);
            assertThat(second.get().retainedBytes()).isPositive();
        }
        assertThat(of(sets).isEmpty()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
