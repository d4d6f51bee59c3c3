package io.skep.bench.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.CacheSnapshot;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.page.DirectPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.table.Split;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Reads a working set that fits in the cache repeatedly, together with a scan of ten times its size. Measures how much
 * of the working set stays cached, and the cost of the scan compared with a scan without cache.
 */
final class ScanResistance {
    private static final int WORKING_FILES = 4;
    private static final int SCANNED_FILES = 40;
    private static final int ROUNDS = 15;

    private final ScanTables tables;
    private final long rowsOfFile;
    private final Consumer<String> out;
    private final MemoryPool memory = MemoryPool.root("query", 1L << 30);

    ScanResistance(ScanTables tables, long rowsOfFile, Consumer<String> out) {
        this.tables = tables;
        this.rowsOfFile = rowsOfFile;
        this.out = out;
    }

    void run(Path folder) {
        List<Split> working = splits(folder, "working", WORKING_FILES);
        List<Split> scanned = splits(folder, "scanned", SCANNED_FILES);
        long capacity = capacity(working);
        MemoryPool cacheMemory = MemoryPool.root("cache", capacity);
        PartitionValues values = new PartitionValues(ZoneOffset.UTC);
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                ChunkCache cache = new ChunkCache(cacheMemory, capacity, 1 << 20);
                ReaderCache readers = tables.readers(cache)) {
            PageSourceFactory cached = tables.sources(cache, readers, io);
            PageSourceFactory direct = new DirectPageSourceFactory(tables.formats, tables.files, values);
            for (int i = 0; i < 4; i++) {
                hitShare(cache, cached, working);
            }
            out.accept(String.format(
                    Locale.ROOT,
                    "working set of %d files, scan of %d, cache of %,d KB: hits of the working set before %.1f %%",
                    WORKING_FILES,
                    SCANNED_FILES,
                    capacity >> 10,
                    hitShare(cache, cached, working)));
            beside(cache, cached, working, scanned);
            out.accept(String.format(Locale.ROOT, "after it %.1f %%", hitShare(cache, cached, working)));
            costs(cached, direct, scanned);
        }
    }

    private List<Split> splits(Path folder, String name, int count) {
        List<Split> splits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String uri = tables.file(folder.resolve(name + i + ".orc"), ScanTables.ORC, rowsOfFile);
            splits.add(tables.split(ScanTables.ORC, uri));
        }
        return splits;
    }

    /** Returns a capacity for the working set plus a quarter, measured with a cache that has room for everything. */
    private long capacity(List<Split> working) {
        MemoryPool cacheMemory = MemoryPool.root("cache", Long.MAX_VALUE);
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                ChunkCache cache = new ChunkCache(cacheMemory, 4L << 30, 1 << 20);
                ReaderCache readers = tables.readers(cache)) {
            PageSourceFactory cached = tables.sources(cache, readers, io);
            working.forEach(split -> ScanTables.scan(cached, ScanTables.ORC, split, memory));
            io.whenIdle().join();
            return cache.snapshot().reservedBytes() * 5 / 4;
        }
    }

    private double hitShare(ChunkCache cache, PageSourceFactory cached, List<Split> working) {
        CacheSnapshot before = cache.snapshot();
        working.forEach(split -> ScanTables.scan(cached, ScanTables.ORC, split, memory));
        CacheSnapshot after = cache.snapshot();
        long hits = after.hits() - before.hits();
        return 100.0 * hits / (hits + after.misses() - before.misses());
    }

    /** Reads the working set once after every tenth of the scan. */
    private void beside(ChunkCache cache, PageSourceFactory cached, List<Split> working, List<Split> scanned) {
        double sum = 0;
        int times = 0;
        for (int i = 0; i < scanned.size(); i++) {
            ScanTables.scan(cached, ScanTables.ORC, scanned.get(i), memory);
            if (i % 4 == 3) {
                sum += hitShare(cache, cached, working);
                times++;
            }
        }
        out.accept(String.format(Locale.ROOT, "during the scan %.1f %%", sum / times));
    }

    /**
     * Runs with the cache and without in turn. Counts all CPU time of the process, since the cache reads on other
     * threads.
     */
    private void costs(PageSourceFactory cached, PageSourceFactory direct, List<Split> scanned) {
        List<Cost> withCache = new ArrayList<>();
        List<Cost> without = new ArrayList<>();
        for (int run = 0; run < ROUNDS; run++) {
            withCache.add(cost(cached, scanned));
            without.add(cost(direct, scanned));
        }
        out.accept(String.format(
                Locale.ROOT,
                "the scan through the cache: %.2f s of CPU, %.2f s; without cache: %.2f s of CPU,"
                        + " %.2f s; %.2f and %.2f of it (medians of %d in turn)",
                median(withCache, Cost::cpu),
                median(withCache, Cost::wall),
                median(without, Cost::cpu),
                median(without, Cost::wall),
                median(withCache, Cost::cpu) / median(without, Cost::cpu),
                median(withCache, Cost::wall) / median(without, Cost::wall),
                ROUNDS));
    }

    /** The cost of a scan, in seconds. */
    private record Cost(double cpu, double wall) {}

    private Cost cost(PageSourceFactory sources, List<Split> scanned) {
        long cpu = Cpu.processNanos();
        long wall = System.nanoTime();
        scanned.forEach(split -> ScanTables.scan(sources, ScanTables.ORC, split, memory));
        return new Cost((Cpu.processNanos() - cpu) / 1e9, (System.nanoTime() - wall) / 1e9);
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> of) {
        return costs.stream()
                .mapToDouble(of)
                .sorted()
                .skip(costs.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
