package io.skep.bench.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.RecycledArrays;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.llap.server.read.CachingPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Compares the sum of one column of cached values with the same sum over a {@code long[]}. */
final class CachedSum {
    private static final int RUNS = 5;

    private final long rows;
    private final Consumer<String> out;

    CachedSum(long rows, Consumer<String> out) {
        this.rows = rows;
        this.out = out;
    }

    void run() throws Exception {
        long capacity = rows * 4 + (256L << 20);
        MemoryPool cacheMemory = MemoryPool.root("cache", capacity);
        MemoryPool memory = MemoryPool.root("query", 1L << 30);
        TableLayout table = new TableLayout(
                "made up",
                ScanTables.ORC.format(),
                List.of(new Column("a", TypeParser.parse("bigint"))),
                List.of(),
                ScanTables.ORC.properties());
        Split split = new Split(
                new FileVersion("made-up:/f", rows, 1, 1), 0, rows, table.format(), table.dataColumns(), List.of());
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                ReaderCache readers = new ReaderCache(new SyntheticFiles(rows), 4, InstantSource.system());
                ChunkCache cache = new ChunkCache(cacheMemory, capacity, 8 << 20)) {
            CachingPageSourceFactory sources = new CachingPageSourceFactory(
                    cache, readers, io, file -> {}, new PartitionValues(ZoneOffset.UTC), InstantSource.system());
            sum(sources, table, split, memory, VectorArrays.NEW);
            Cpu.Best kept = Cpu.best(RUNS, () -> sum(sources, table, split, memory, VectorArrays.NEW));
            RecycledArrays arrays = RecycledArrays.of(0);
            Cpu.Best cached = Cpu.best(RUNS, () -> sum(sources, table, split, memory, arrays));
            Cpu.Best plain = plain();
            check(kept.result(), plain.result());
            check(cached.result(), plain.result());
            print(cached.seconds(), kept.seconds(), plain.seconds(), cache);
        }
    }

    private void check(long cached, long plain) {
        if (cached != plain) {
            throw new IllegalStateException("the cached values add up to " + cached + ", not to " + plain);
        }
    }

    private static long sum(
            CachingPageSourceFactory sources, TableLayout table, Split split, MemoryPool memory, VectorArrays arrays) {
        long sum = 0;
        ScanRequest request = new ScanRequest(table, List.of(0), List.of());
        try (PageSource source = sources.open(request, split, memory, arrays)) {
            source.blocked().join();
            for (SourceBatch batch = source.next(); batch != null; batch = source.next()) {
                if (arrays instanceof RecycledArrays recycled) {
                    recycled.takeBack();
                }
                if (batch.rowCount() > 0) {
                    sum += add((LongVector) batch.column(0), batch.rowCount());
                }
                source.blocked().join();
            }
        }
        return sum;
    }

    private static long add(LongVector vector, int count) {
        return add(vector.values(), count);
    }

    private static long add(long[] values, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i];
        }
        return sum;
    }

    /** Sums arrays of 100 million values, as many times as necessary. */
    private Cpu.Best plain() throws Exception {
        int length = (int) Math.min(rows, 100_000_000);
        long[] values = new long[length];
        double seconds = 0;
        long sum = 0;
        for (long from = 0; from < rows; from += length) {
            int count = (int) Math.min(length, rows - from);
            for (int i = 0; i < count; i++) {
                values[i] = SyntheticFiles.value(from + i);
            }
            Cpu.Best best = Cpu.best(RUNS, () -> add(values, count));
            seconds += best.seconds();
            sum += best.result();
        }
        return new Cpu.Best(seconds, sum);
    }

    private void print(double cached, double kept, double plain, ChunkCache cache) {
        long used = cache.snapshot().usedBytes();
        out.accept(String.format(
                Locale.ROOT,
                "sum of %,d cached values: %.0f million values a second a core, %.2f GB/s of values,"
                        + " %.2f GB/s of %,d encoded MB, batches of %d",
                rows,
                rows / cached / 1e6,
                rows * 8 / cached / 1e9,
                used / cached / 1e9,
                used >> 20,
                Batch.TARGET_ROWS));
        out.accept(String.format(
                Locale.ROOT,
                "with new arrays for each batch: %.0f million values a second a core, %.2f GB/s of values",
                rows / kept / 1e6,
                rows * 8 / kept / 1e9));
        out.accept(String.format(
                Locale.ROOT,
                "plain loop over a long[]: %.0f million values a second a core, %.2f GB/s;"
                        + " cached is %.2f of it, %.2f with new arrays",
                rows / plain / 1e6,
                rows * 8 / plain / 1e9,
                plain / cached,
                plain / kept));
    }
}
