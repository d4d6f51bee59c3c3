package io.skep.llap.server.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.common.vector.LongVector;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.MissCause;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TestCachingPageSource {
    private static final TableFormat ORC = new TableFormat(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            Map.of());
    private static final List<Column> COLUMNS = List.of(
            new Column("a", PrimitiveType.BIGINT),
            new Column("b", PrimitiveType.BIGINT),
            new Column("c", PrimitiveType.BIGINT));
    private static final TableLayout TABLE = new TableLayout("db.t", ORC, COLUMNS, List.of(), Map.of());

    private Instant now = Instant.ofEpochSecond(1_000_000);
    private final InstantSource clock = () -> now;
    private final MemoryPool memory = MemoryPool.root("query", 1 << 20);
    private final MemoryPool cacheMemory = MemoryPool.root("cache", Long.MAX_VALUE);
    private final IoPool io = new IoPool("test", 2, 1 << 20);
    private CountingFiles files = new CountingFiles(5000, true);
    private ReaderCache readers = new ReaderCache(files, 4, clock);
    private ChunkCache cache = new ChunkCache(cacheMemory, 8 << 20, 256 << 10);

    private @Nullable PageSourceFactory shared;

    private void use(CountingFiles otherFiles, long cacheBytes) {
        files = otherFiles;
        readers = new ReaderCache(files, 4, clock);
        cache.close();
        cache = new ChunkCache(cacheMemory, cacheBytes, 256 << 10);
    }

    @AfterEach
    void nothingIsLeft() {
        io.whenIdle().join();
        assertThat(readers.leased()).isZero();
        assertThat(cache.snapshot().pins()).isZero();
        assertThat(io.aheadBytes()).isZero();
        assertThat(memory.reservedBytes()).isZero();
        readers.close();
        assertThat(files.closed.get()).isEqualTo(files.opened.get());
        cache.close();
        io.close();
        assertThat(cacheMemory.reservedBytes()).isZero();
    }

    @Test
    void theSecondReadComesFromTheCache() {
        ScanStats cold = readAndCheck(split(5, 0), List.of(0, 2), 5);
        assertThat(cold.cacheMissBytes()).isPositive();
        assertThat(cold.cacheHitBytes()).isZero();
        assertThat(files.columnsRead.get()).isEqualTo(10);
        ScanStats warm = readAndCheck(split(5, 0), List.of(0, 2), 5);
        assertThat(warm.cacheHitBytes()).isEqualTo(cold.cacheMissBytes());
        assertThat(warm.bytesRead()).isZero();
        assertThat(files.opened.get()).isEqualTo(1);
        readAndCheck(split(5, 0), List.of(0, 1, 2), 5);
        assertThat(files.columnsRead.get()).isEqualTo(15);
    }

    @Test
    void aRewrittenFileIsReadAnew() {
        readAndCheck(split(3, 0), List.of(1), 3);
        readAndCheck(split(3, 77), List.of(1), 3);
        assertThat(files.columnsRead.get()).isEqualTo(6);
    }

    @Test
    void whatMayYetChangeWithoutShowingItIsNotKept() {
        long tooRecent = now.toEpochMilli() - 100;
        readAndCheck(split(3, tooRecent), List.of(1), 3);
        readAndCheck(split(3, tooRecent), List.of(1), 3);
        assertThat(files.columnsRead.get()).isEqualTo(6);
        assertThat(cache.snapshot().chunks()).isZero();
        assertThat(cache.snapshot().misses(MissCause.COLD)).isEqualTo(3);
        assertThat(cache.snapshot().misses(MissCause.NOT_SETTLED)).isEqualTo(3);
        now = now.plusSeconds(3);
        readAndCheck(split(3, tooRecent), List.of(1), 3);
        readAndCheck(split(3, tooRecent), List.of(1), 3);
        assertThat(files.columnsRead.get()).isEqualTo(9);
    }

    @Test
    void splitsShareRowGroupsByOffset() {
        Split whole = split(4, 0);
        Split half = new Split(whole.file(), 150, 100, ORC, COLUMNS, List.of());
        assertThat(rows(half, List.of(0), List.of())).containsExactly(CountingFiles.value(0, 2, 0, 0), 5000L);
    }

    @Test
    void whatCannotMatchIsNotRead() {
        ColumnPredicate one = new ColumnPredicate.In(0, List.of(new Datum.OfLong(CountingFiles.value(0, 2, 3, 0))));
        try (PageSource source =
                factory().open(new ScanRequest(TABLE, List.of(0), List.of(one)), split(5, 0), memory)) {
            assertThat(drain(source, 1)).hasSize(5000);
            assertThat(source.stats().rowGroupsRead()).isEqualTo(1);
            assertThat(source.stats().rowGroupsSkipped()).isEqualTo(4);
        }
    }

    @Test
    void columnsAreReadOnlyWhereRowsAreLeft() {
        files.prunes = false;
        long wanted = CountingFiles.value(0, 30, 77, 1);
        assertThat(search(split(40, 0), wanted)).containsExactly(30);
        long read = files.columnsRead.get();
        assertThat(read).isBetween(40L + 2 * 2, 40L + 2 * 8);
        assertThat(search(split(40, 0), wanted))
                .as("what is in the cache as a whole is not looked through")
                .contains(30)
                .doesNotContain(10, 20, 39);
        assertThat(files.columnsRead.get()).isEqualTo(read);
        readAndCheck(split(40, 0), List.of(0, 1, 2), 40);
        assertThat(files.columnsRead.get()).isEqualTo(120);
    }

    @Test
    void columnsAreReadTogetherWhereMostHaveRowsLeft() {
        files.prunes = false;
        ColumnPredicate all = new ColumnPredicate.IsNotNull(1);
        try (PageSource source =
                factory().open(new ScanRequest(TABLE, List.of(0, 1, 2), List.of(all)), split(20, 0), memory)) {
            assertThat(drain(source, 3)).hasSize(100_000);
        }
        assertThat(files.reads.get()).isEqualTo(20);
    }

    /** Searches for one value of the second column. Returns the row groups that the rows came from. */
    private List<Integer> search(Split split, long value) {
        ColumnPredicate one = new ColumnPredicate.In(1, List.of(new Datum.OfLong(value)));
        try (PageSource source = shared().open(new ScanRequest(TABLE, List.of(0, 1, 2), List.of(one)), split, memory)) {
            return drain(source, 3).stream()
                    .map(row -> (int) (row.getFirst() / 1_000_000))
                    .distinct()
                    .toList();
        }
    }

    @Test
    void withoutColumnsRowsAreCounted() {
        assertThat(count(split(3, 0))).isEqualTo(15_000);
        assertThat(files.columnsRead.get()).isZero();
    }

    @Test
    void rowsOfGroupsOfUnknownSizeAreCountedAndRemembered() {
        use(new CountingFiles(3000, false), 8 << 20);
        assertThat(count(split(3, 0))).isEqualTo(9_000);
        assertThat(count(split(3, 0))).isEqualTo(9_000);
        assertThat(cache.snapshot().hits()).isEqualTo(3);
        readAndCheck(split(3, 0), List.of(1), 3);
    }

    /** A compressed file of 600 KB can contain hundreds of millions of short lines. */
    @Test
    void countingRowsTakesNoMemoryForThem() {
        use(new CountingFiles(1_500_000_000, false), 8 << 20);
        for (int reads = 0; reads < 2; reads++) {
            long rows = 0;
            try (PageSource source =
                    factory().open(new ScanRequest(TABLE, List.of(), List.of()), split(2, 0), memory)) {
                for (int batches = 0; batches < 10; batches++) {
                    source.blocked().join();
                    rows += Objects.requireNonNull(source.next()).rowCount();
                }
            }
            assertThat(rows).isEqualTo(20_480);
        }
        assertThat(cache.snapshot().hits()).isPositive();
    }

    @Test
    void withoutPlaceInTheCacheRowsComeAllTheSame() {
        use(new CountingFiles(5000, true), 0);
        readAndCheck(split(4, 0), List.of(0, 1, 2), 4);
        readAndCheck(split(4, 0), List.of(0, 1, 2), 4);
        assertThat(files.columnsRead.get()).isEqualTo(24);
    }

    @Test
    void aFullCachePassesOnWhatItSeesForTheFirstTime() {
        use(new CountingFiles(5000, true), 1 << 20);
        for (int i = 0; i < 4; i++) {
            readAndCheck(split(4, 0), List.of(0, 1, 2), 4);
        }
        readAndCheck(split(200, 5), List.of(0, 1, 2), 200);
        assertThat(cache.snapshot().bypasses()).isGreaterThan(500);
        assertThat(readAndCheck(split(4, 0), List.of(0, 1, 2), 4).cacheMissBytes())
                .isZero();
        readAndCheck(split(2, 9), List.of(0, 1, 2), 2);
        readAndCheck(split(2, 9), List.of(0, 1, 2), 2);
        assertThat(readAndCheck(split(2, 9), List.of(0, 1, 2), 2).cacheMissBytes())
                .isZero();
    }

    @Test
    void damageIsReportedAndNothingStays() {
        files.broken = 2;
        PageSource source = factory().open(new ScanRequest(TABLE, List.of(0), List.of()), split(5, 0), memory);
        assertThatThrownBy(() -> drain(source, 1))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
        source.close();
        files.broken = -1;
        readAndCheck(split(5, 0), List.of(0), 5);
    }

    @Test
    void whatIsReadAheadAndFindsNoMemoryIsReadWhenItIsWanted() {
        files.large = 3;
        files.refusals.set(1);
        readAndCheck(split(6, 0), List.of(0, 1), 6);
        assertThat(files.reads.get()).isEqualTo(6);
        assertThat(files.refusals.get()).as("asked twice").isEqualTo(-1);
    }

    @Test
    void aRowGroupForWhichThereIsNoMemoryIsReadInPieces() {
        files.large = 3;
        files.refusals.set(2);
        readAndCheck(split(6, 0), List.of(0, 1), 6);
        assertThat(files.refusals.get()).as("asked three times").isEqualTo(-1);
    }

    @Test
    void rowsAreCountedInPiecesWhereThereIsNoMemory() {
        use(new CountingFiles(3000, false), 8 << 20);
        files.large = 3;
        files.refusals.set(2);
        assertThat(count(split(6, 0))).isEqualTo(18_000);
        assertThat(files.refusals.get()).as("asked three times").isEqualTo(-1);
    }

    @Test
    void aPieceThatFindsNoMemoryFailsTheQuery() {
        files.large = 3;
        files.refusals.set(3);
        try (PageSource source = factory().open(new ScanRequest(TABLE, List.of(0), List.of()), split(6, 0), memory)) {
            assertThatThrownBy(() -> drain(source, 1))
                    .isInstanceOfSatisfying(
                            SkepException.class,
                            e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        }
        assertThat(files.refusals.get()).isZero();
    }

    /** 800,000 rows of two columns form three pieces. The query has memory for little more than one. */
    @Test
    void filesThatAreReadFromTheirBeginningOnlyAreReadInPieces() {
        use(new CountingFiles(400_000, false), 64 << 20);
        files.wholeFileBytes = Long.MAX_VALUE;
        MemoryPool query = MemoryPool.root("query", 5 << 20);
        long rows = 0;
        try (PageSource source = factory().open(new ScanRequest(TABLE, List.of(0, 2), List.of()), split(2, 0), query)) {
            source.blocked().join();
            for (SourceBatch batch = source.next(); batch != null; batch = source.next()) {
                for (int row = 0; row < batch.rowCount(); row++, rows++) {
                    long expected = CountingFiles.value(0, (int) (rows / 400_000), (int) (rows % 400_000), 2);
                    assertThat(((LongVector) batch.column(1)).value(row)).isEqualTo(expected);
                }
                source.blocked().join();
            }
            assertThat(source.stats().rowGroupsRead()).isEqualTo(2);
        }
        assertThat(rows).isEqualTo(800_000);
        assertThat(query.reservedBytes()).isZero();
        assertThat(cache.snapshot().chunks()).isZero();
    }

    /**
     * Reads in pieces, as a query of a daemon whose memory another query holds.
     *
     * @param read gets the query, and what releases the memory of the other one
     */
    private void whileAnotherQueryHoldsTheMemory(Duration longestWait, BiConsumer<MemoryPool, Runnable> read) {
        files.wholeFileBytes = Long.MAX_VALUE;
        MemoryPool daemon = MemoryPool.daemon("daemon", 1 << 20, 0, longestWait);
        try (MemoryPool other = daemon.query("other", 1 << 20, 0);
                MemoryPool query = daemon.query("query", 1 << 20, 0)) {
            other.reserve(1 << 20);
            read.accept(query, () -> other.release(1 << 20));
            assertThat(query.reservedBytes()).isZero();
        }
        assertThat(daemon.reservedBytes()).isZero();
    }

    /** The executor goes on with other work meanwhile. The rows come when the other query has released its memory. */
    @Test
    void aPieceWaitsForMemoryThatAnotherQueryHolds() {
        whileAnotherQueryHoldsTheMemory(Duration.ofMinutes(1), (query, release) -> {
            try (PageSource source =
                    factory().open(new ScanRequest(TABLE, List.of(0, 1), List.of()), split(3, 0), query)) {
                assertThat(source.blocked()).isNotDone();
                io.whenIdle().join();
                assertThat(source.blocked()).isNotDone();
                SourceBatch nothing = Objects.requireNonNull(source.next());
                assertThat(nothing.rowCount()).isZero();
                release.run();
                assertThat(drain(source, 2)).hasSize(3 * files.rowsOfGroup);
            }
        });
    }

    /** A piece would find its memory, but the reader's buffers do not until the other query has released its own. */
    @Test
    void theBuffersOfAReaderWaitForMemoryToo() {
        files.bufferBytes = 600 << 10;
        whileAnotherQueryHoldsTheMemory(Duration.ofMinutes(1), (query, release) -> {
            try (PageSource source =
                    factory().open(new ScanRequest(TABLE, List.of(0, 1), List.of()), split(3, 0), query)) {
                assertThat(source.blocked()).isNotDone();
                io.whenIdle().join();
                assertThat(source.blocked()).isNotDone();
                io.whenIdle().join();
                assertThat(files.reads.get()).isZero();
                release.run();
                source.blocked().join();
                assertThat(query.reservedBytes()).isGreaterThan(600 << 10);
                assertThat(drain(source, 2)).hasSize(3 * files.rowsOfGroup);
            }
        });
    }

    @Test
    void aSourceThatIsGivenUpWithBuffersLetsGo() {
        files.bufferBytes = 600 << 10;
        files.wholeFileBytes = Long.MAX_VALUE;
        try (PageSource source = factory().open(new ScanRequest(TABLE, List.of(0), List.of()), split(3, 0), memory)) {
            // The file is opened, then the first piece is read.
            source.blocked().join();
            source.blocked().join();
            assertThat(memory.reservedBytes()).isGreaterThan(600 << 10);
        }
        assertThat(memory.reservedBytes()).isZero();
    }

    @Test
    void aSourceThatIsGivenUpWhileItWaitsForMemoryLetsGo() {
        whileAnotherQueryHoldsTheMemory(Duration.ofMinutes(1), (query, release) -> {
            PageSource source = factory().open(new ScanRequest(TABLE, List.of(0), List.of()), split(3, 0), query);
            CompletableFuture<?> blocked = source.blocked();
            io.whenIdle().join();
            source.close();
            assertThat(blocked).as("the wait has ended").isDone();
            release.run();
        });
    }

    @Test
    void aPieceWaitsForMemoryOnlySoLong() {
        whileAnotherQueryHoldsTheMemory(Duration.ofMillis(50), (query, release) -> {
            try (PageSource source =
                    factory().open(new ScanRequest(TABLE, List.of(0), List.of()), split(3, 0), query)) {
                assertThatThrownBy(() -> drain(source, 1))
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
            }
        });
    }

    @Test
    void batchesWithoutRowsEndNoPiece() {
        files.wholeFileBytes = Long.MAX_VALUE;
        files.givesEmptyBatches = true;
        readAndCheck(split(3, 0), List.of(0, 1), 3);
    }

    /**
     * The number of rows is chosen so that a piece ends with the last row. The empty batch after it forms a separate
     * piece.
     */
    @Test
    void aPieceWithoutRowsTakesNoMemory() {
        use(new CountingFiles(1957 * 256, false), 64 << 20);
        files.wholeFileBytes = Long.MAX_VALUE;
        files.givesEmptyBatches = true;
        MemoryPool query = MemoryPool.root("query", 64 << 20);
        try (PageSource source = factory().open(new ScanRequest(TABLE, List.of(0), List.of()), split(1, 0), query)) {
            assertThat(drain(source, 1)).hasSize(1957 * 256);
        }
        assertThat(query.reservedBytes()).isZero();
    }

    @Test
    void aSourceThatIsGivenUpBetweenPiecesLetsGo() {
        use(new CountingFiles(1_000_000, false), 64 << 20);
        files.wholeFileBytes = Long.MAX_VALUE;
        MemoryPool query = MemoryPool.root("query", 64 << 20);
        PageSource source = factory().open(new ScanRequest(TABLE, List.of(0), List.of()), split(2, 0), query);
        source.blocked().join();
        int batches = 0;
        while (batches < 3000 && source.next() != null) {
            batches++;
        }
        var _ = source.blocked();
        source.close();
        assertThat(query.reservedBytes()).isZero();
    }

    @Test
    void aSourceThatIsGivenUpLetsGo() {
        PageSource source = factory().open(new ScanRequest(TABLE, List.of(0, 1), List.of()), split(50, 0), memory);
        source.blocked().join();
        assertThat(source.next()).isNotNull();
        source.close();
    }

    @Test
    void manyReadersOfOneFileReadItOnce() throws Exception {
        use(new CountingFiles(2048, true), 64 << 20);
        PageSourceFactory shared = factory();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<ScanStats>> work = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                work.add(() -> readAndCheck(shared, split(40, 0), List.of(0, 1, 2), 40));
            }
            for (Future<ScanStats> done : threads.invokeAll(work)) {
                done.get();
            }
        }
        assertThat(files.columnsRead.get()).isEqualTo(120);
    }

    @Test
    void openFilesAreBounded() {
        for (int file = 0; file < 10; file++) {
            readAndCheck(split(1, file), List.of(0), 1);
        }
        io.whenIdle().join();
        assertThat(readers.open()).isEqualTo(4);
        assertThat(files.closed.get()).isEqualTo(6);
    }

    private ScanStats readAndCheck(Split split, List<Integer> columns, int groups) {
        return readAndCheck(factory(), split, columns, groups);
    }

    private ScanStats readAndCheck(PageSourceFactory factory, Split split, List<Integer> columns, int groups) {
        try (PageSource source = factory.open(new ScanRequest(TABLE, columns, List.of()), split, memory)) {
            List<List<Long>> rows = drain(source, columns.size());
            assertThat(rows).hasSize(groups * files.rowsOfGroup);
            for (int i = 0; i < rows.size(); i += 371) {
                for (int c = 0; c < columns.size(); c++) {
                    long expected = CountingFiles.value(
                            split.file().modificationTime(),
                            i / files.rowsOfGroup,
                            i % files.rowsOfGroup,
                            columns.get(c));
                    assertThat(rows.get(i).get(c)).isEqualTo(expected);
                }
            }
            return source.stats();
        }
    }

    /** Returns the first values and the number of rows. */
    private List<Long> rows(Split split, List<Integer> columns, List<ColumnPredicate> predicates) {
        try (PageSource source = factory().open(new ScanRequest(TABLE, columns, predicates), split, memory)) {
            List<List<Long>> rows = drain(source, columns.size());
            return List.of(rows.getFirst().getFirst(), (long) rows.size());
        }
    }

    private long count(Split split) {
        try (PageSource source = factory().open(new ScanRequest(TABLE, List.of(), List.of()), split, memory)) {
            return drain(source, 0).size();
        }
    }

    private static List<List<Long>> drain(PageSource source, int columns) {
        List<List<Long>> rows = new ArrayList<>();
        while (true) {
            source.blocked().join();
            SourceBatch batch = source.next();
            if (batch == null) {
                return rows;
            }
            if (batch.rowCount() == 0) {
                continue;
            }
            List<LongVector> vectors = new ArrayList<>();
            for (int c = 0; c < columns; c++) {
                vectors.add((LongVector) batch.column(c).flatten());
            }
            for (int row = 0; row < batch.rowCount(); row++) {
                int at = row;
                List<Long> values = new ArrayList<>();
                vectors.forEach(vector -> values.add(vector.value(at)));
                rows.add(values);
            }
        }
    }

    private PageSourceFactory shared() {
        PageSourceFactory made = shared;
        if (made == null) {
            made = factory();
            shared = made;
        }
        return made;
    }

    private PageSourceFactory factory() {
        return new CachingPageSourceFactory(cache, readers, io, file -> {}, new PartitionValues(ZoneOffset.UTC), clock);
    }

    private static Split split(int groups, long modificationTime) {
        FileVersion file = new FileVersion("file:/t/f", groups * CountingFiles.GROUP_BYTES, modificationTime);
        return new Split(file, 0, file.length(), ORC, COLUMNS, List.<Optional<String>>of());
    }
}
