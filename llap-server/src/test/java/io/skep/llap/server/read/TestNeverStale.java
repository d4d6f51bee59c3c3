package io.skep.llap.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.LongVector;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.cache.SecondTier;
import io.skep.llap.server.disk.DiskTier;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files are rewritten, replaced by a rename and appended to while other threads read them through a cache. The cache
 * holds only a part of the files and is emptied from time to time. The test also runs with a second tier that holds
 * more of them. Every answer must be exactly one content, and none that was replaced before the reader listed the file.
 */
@Timeout(120)
final class TestNeverStale {
    private static final int CHANGES = 40;
    private static final int READERS = 2;
    private static final long DISK_BYTES = 8 * 64 << 10;
    private static final List<Column> COLUMNS = List.of(
            new Column("content", PrimitiveType.BIGINT),
            new Column("place", PrimitiveType.BIGINT),
            new Column("mixed", PrimitiveType.BIGINT));
    private static final TableLayout ORC = table(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde");
    private static final TableLayout PARQUET = table(
            "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
            "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
            "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe");
    private static final TableLayout TEXT = table(
            "org.apache.hadoop.mapred.TextInputFormat",
            "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");

    /** The errors that a reader may get when the file changes during a read. */
    private static final Set<StandardErrorCode> CHANGED =
            EnumSet.of(StandardErrorCode.FILE_SYSTEM_ERROR, StandardErrorCode.MISSING_FILE);

    @TempDir
    Path folder;

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());
    private final MemoryPool memory = MemoryPool.root("query", 64 << 20);
    private final FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);
    private final AtomicLong versions = new AtomicLong();
    private final long seed = System.nanoTime();
    private volatile boolean changing = true;

    private static TableLayout table(String input, String output, String serde) {
        return new TableLayout("t", new TableFormat(input, output, serde, Map.of()), COLUMNS, List.of(), Map.of());
    }

    @Test
    void everyAnswerIsOneContentAndNoneIsOld() throws Exception {
        withCache(4 * 32 << 10, this::raceAndRead);
    }

    @Test
    void noneIsOldWithASecondTier() throws Exception {
        Path disk = folder.resolve("disk");
        MemoryPool buffers = MemoryPool.root("buffers", Long.MAX_VALUE);
        withIo(io -> {
            try (DiskTier tier = new DiskTier(List.of(disk), DISK_BYTES, buffers, io::background)) {
                withCache(4 * 32 << 10, io, tier, (sources, cache) -> {
                    List<ChangingFile> all = raceAndRead(sources, cache);
                    for (int i = 0; i < 100 && cache.snapshot().secondTierHits() == 0; i++) {
                        for (ChangingFile file : all) {
                            assertThat(read(file, sources)).as("seed %s", seed).isTrue();
                        }
                    }
                    assertThat(tier.snapshot().hits()).as("seed %s", seed).isPositive();
                    assertThat(tier.snapshot().writes()).isPositive();
                    assertThat(tier.snapshot().damaged()).isZero();
                    assertThat(tier.snapshot().failedFolders()).isZero();
                });
            }
        });
        assertThat(disk).isEmptyDirectory();
        assertThat(buffers.reservedBytes()).isZero();
    }

    private List<ChangingFile> raceAndRead(PageSourceFactory sources, ChunkCache cache) throws Exception {
        List<ChangingFile> all = new ArrayList<>();
        for (TableLayout table : List.of(ORC, PARQUET, TEXT)) {
            for (ChangingFile.Way way : ChangingFile.Way.values()) {
                if (way != ChangingFile.Way.APPEND || table.equals(TEXT)) {
                    all.add(new ChangingFile(folder.resolve("f" + all.size()), table, way, formats, versions));
                }
            }
        }
        race(all, sources, cache);
        for (ChangingFile file : all) {
            assertThat(read(file, sources)).as("seed %s", seed).isTrue();
        }
        assertThat(cache.snapshot().hits()).isPositive();
        assertThat(cache.snapshot().evictions()).isPositive();
        return all;
    }

    @Test
    void contentsOfEqualLengthAndTimeAreTwo() throws Exception {
        ChangingFile file = new ChangingFile(folder.resolve("f"), TEXT, ChangingFile.Way.RENAME, formats, versions);
        withCache(1 << 20, (sources, cache) -> {
            for (int i = 0; i < 3; i++) {
                file.change();
                assertThat(read(file, sources)).isTrue();
                long misses = cache.snapshot().misses();
                assertThat(read(file, sources)).isTrue();
                assertThat(cache.snapshot().misses()).isEqualTo(misses);
            }
        });
    }

    private interface Work {
        void accept(PageSourceFactory sources, ChunkCache cache) throws Exception;
    }

    private interface IoWork {
        void accept(IoPool io) throws Exception;
    }

    private static void withIo(IoWork work) throws Exception {
        try (IoPool io = new IoPool("stale", 2, 1 << 20)) {
            work.accept(io);
        }
    }

    private void withCache(long bytes, Work work) throws Exception {
        withIo(io -> withCache(bytes, io, SecondTier.NONE, work));
    }

    private void withCache(long bytes, IoPool io, SecondTier tier, Work work) throws Exception {
        MemoryPool cacheMemory = MemoryPool.root("cache", Long.MAX_VALUE);
        try (ReaderCache readers = new ReaderCache(formats, 4, InstantSource.system());
                ChunkCache cache = new ChunkCache(cacheMemory, bytes, 32 << 10, tier)) {
            PageSourceFactory sources = new CachingPageSourceFactory(
                    cache, readers, io, files::verify, new PartitionValues(ZoneOffset.UTC), InstantSource.system());
            work.accept(sources, cache);
            io.whenIdle().join();
            assertThat(readers.leased()).isZero();
            assertThat(cache.snapshot().pins()).isZero();
            assertThat(memory.reservedBytes()).isZero();
        }
        assertThat(cacheMemory.reservedBytes()).isZero();
    }

    private void race(List<ChangingFile> all, PageSourceFactory sources, ChunkCache cache) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(READERS + 1)) {
            List<Future<Integer>> work = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                Random random = new Random(seed + i);
                work.add(threads.submit(() -> readOn(all, sources, cache, random)));
            }
            Future<?> writer = threads.submit(() -> {
                changeOn(all);
                return true;
            });
            try {
                writer.get();
            } finally {
                changing = false;
            }
            for (Future<Integer> reader : work) {
                assertThat(reader.get()).isPositive();
            }
        }
    }

    private void changeOn(List<ChangingFile> all) throws IOException {
        Random random = new Random(seed - 1);
        for (int i = 0; i < CHANGES; i++) {
            all.get(random.nextInt(all.size())).change();
        }
    }

    private int readOn(List<ChangingFile> all, PageSourceFactory sources, ChunkCache cache, Random random) {
        int answers = 0;
        while (changing) {
            answers += read(all.get(random.nextInt(all.size())), sources) ? 1 : 0;
            if (random.nextInt(50) == 0) {
                cache.clear();
            }
        }
        return answers;
    }

    /**
     * Reads the file. Returns true for an answer, which has been verified, and false when the file changed during the
     * read.
     */
    private boolean read(ChangingFile file, PageSourceFactory sources) {
        boolean throughout = file.way == ChangingFile.Way.IN_PLACE;
        int oldest = file.finished();
        List<Split> splits;
        file.whole.readLock().lock();
        try {
            splits = new SplitEnumerator(files, 1L << 30)
                    .splits(List.of(new SplitEnumerator.Place(
                            file.path.toUri().toString(), file.table.format(), COLUMNS, List.of())));
            if (throughout) {
                check(file, oldest, splits, sources);
            }
        } finally {
            file.whole.readLock().unlock();
        }
        try {
            if (!throughout) {
                check(file, oldest, splits, sources);
            }
            return true;
        } catch (SkepException e) {
            if (!CHANGED.contains(e.code())) {
                throw e;
            }
            return false;
        }
    }

    private void check(ChangingFile file, int oldest, List<Split> splits, PageSourceFactory sources) {
        long rows = 0;
        long content = -1;
        for (Split split : splits) {
            ScanRequest request = new ScanRequest(file.table, List.of(0, 1, 2), List.of());
            try (PageSource source = sources.open(request, split, memory)) {
                await(source);
                for (SourceBatch batch = source.next(); batch != null; batch = source.next()) {
                    content = check(file, batch, content, rows);
                    rows += batch.rowCount();
                    await(source);
                }
            }
        }
        assertThat(file.place(content, rows))
                .as("%s rows of version %s of %s, seed %s", rows, content, file.path, seed)
                .isGreaterThanOrEqualTo(oldest);
    }

    private static void await(PageSource source) {
        source.blocked().handle((done, error) -> true).join();
    }

    private long check(ChangingFile file, SourceBatch batch, long expected, long from) {
        LongVector contents = (LongVector) batch.column(0).flatten();
        LongVector places = (LongVector) batch.column(1).flatten();
        LongVector mixed = (LongVector) batch.column(2).flatten();
        long content = expected;
        for (int i = 0; i < batch.rowCount(); i++) {
            long here = contents.value(i) ^ 1L << 50;
            content = content < 0 ? here : content;
            if (here != content
                    || places.value(i) != (1L << 50 | from + i)
                    || mixed.value(i) != ChangingFile.mixed(content, from + i)) {
                throw new AssertionError("row " + (from + i) + " of " + file.path + " is of content " + here + ", not "
                        + content + "; seed " + seed);
            }
        }
        return content;
    }
}
