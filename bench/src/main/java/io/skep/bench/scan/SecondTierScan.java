package io.skep.bench.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.CacheSnapshot;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.disk.DiskTier;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Reads a working set of four times the cache's memory repeatedly, with a second tier that has room for all of it, and
 * without one.
 */
final class SecondTierScan {
    private static final int FILES = 8;
    private static final int WARM_UP = 4;
    private static final int ROUNDS = 5;
    private static final long DISK_BYTES = 1L << 30;

    private final ScanTables tables;
    private final long rowsOfFile;
    private final Consumer<String> out;
    private final MemoryPool memory = MemoryPool.root("query", 1L << 30);
    private final MemoryPool unlimited = MemoryPool.root("cache", Long.MAX_VALUE);

    SecondTierScan(ScanTables tables, long rowsOfFile, Consumer<String> out) {
        this.tables = tables;
        this.rowsOfFile = rowsOfFile;
        this.out = out;
    }

    void run(Path folder) {
        for (String codec : List.of("ZLIB", "SNAPPY")) {
            run(folder, codec, ScanTables.orc(codec));
        }
    }

    private void run(Path folder, String codec, TableLayout table) {
        List<Split> splits = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            String name = "second-" + codec.toLowerCase(Locale.ROOT) + i + ".orc";
            splits.add(tables.split(table, tables.file(folder.resolve(name), table, rowsOfFile)));
        }
        long capacity = encodedBytes(table, splits) / 4;
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                DiskTier tier =
                        new DiskTier(List.of(folder.resolve("second-tier")), DISK_BYTES, unlimited, io::background);
                ChunkCache without = new ChunkCache(unlimited, capacity, 1 << 20);
                ChunkCache with = new ChunkCache(unlimited, capacity, 1 << 20, tier);
                ReaderCache readersWithout = tables.readers(without);
                ReaderCache readersWith = tables.readers(with)) {
            PageSourceFactory plain = tables.sources(without, readersWithout, io);
            PageSourceFactory tiered = tables.sources(with, readersWith, io);
            compare(codec, table, splits, plain, tiered, io);
            CacheSnapshot held = with.snapshot();
            out.accept(String.format(
                    Locale.ROOT,
                    "  memory %,d KB, disk %,d KB of %,d chunks; %,d hits in memory, %,d on disk,"
                            + " %,d chunks written, %,d dropped",
                    capacity >> 10,
                    held.second().usedBytes() >> 10,
                    held.second().chunks(),
                    held.hits(),
                    held.second().hits(),
                    held.second().writes(),
                    held.second().dropped()));
            io.whenIdle().join();
        }
    }

    /** Alternates between both, so that other load on the machine affects them equally. */
    private void compare(
            String codec,
            TableLayout table,
            List<Split> splits,
            PageSourceFactory plain,
            PageSourceFactory tiered,
            IoPool io) {
        double[] best = {Double.MAX_VALUE, Double.MAX_VALUE};
        double[] bestWall = {Double.MAX_VALUE, Double.MAX_VALUE};
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            for (int side = 0; side < 2; side++) {
                PageSourceFactory sources = side == 0 ? plain : tiered;
                long cpu = Cpu.processNanos();
                long wall = System.nanoTime();
                splits.forEach(split -> ScanTables.scan(sources, table, split, memory));
                double seconds = (System.nanoTime() - wall) / 1e9;
                io.whenIdle().join();
                if (round >= WARM_UP) {
                    best[side] = Math.min(best[side], (Cpu.processNanos() - cpu) / 1e9);
                    bestWall[side] = Math.min(bestWall[side], seconds);
                }
            }
        }
        out.accept(String.format(
                Locale.ROOT,
                "four times the cache, ORC %s: %.3f s of CPU, %.3f s; with a second tier %.3f s of CPU,"
                        + " %.3f s (%.2f and %.2f of it)",
                codec,
                best[0],
                bestWall[0],
                best[1],
                bestWall[1],
                best[1] / best[0],
                bestWall[1] / bestWall[0]));
    }

    /** Returns the size of a cache that has room for everything. */
    private long encodedBytes(TableLayout table, List<Split> splits) {
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                ChunkCache cache = new ChunkCache(unlimited, 4L << 30, 1 << 20);
                ReaderCache readers = new ReaderCache(tables.formats, 64, InstantSource.system())) {
            PageSourceFactory sources = tables.sources(cache, readers, io);
            splits.forEach(split -> ScanTables.scan(sources, table, split, memory));
            io.whenIdle().join();
            return cache.snapshot().reservedBytes();
        }
    }
}
