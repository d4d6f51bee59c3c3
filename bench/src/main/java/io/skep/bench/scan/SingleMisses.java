package io.skep.bench.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Reads row groups of an ORC file one by one in random order into an empty cache, as reports on single keys do in a new
 * process.
 */
final class SingleMisses {
    private static final int ROUNDS = 5;

    private final ScanTables tables;
    private final long rows;
    private final Consumer<String> out;

    SingleMisses(ScanTables tables, long rows, Consumer<String> out) {
        this.tables = tables;
        this.rows = rows;
        this.out = out;
    }

    void run(Path folder) {
        Split file = tables.split(ScanTables.ORC, tables.file(folder.resolve("decode.orc"), ScanTables.ORC, rows));
        List<Split> single = new ArrayList<>();
        try (RowGroupReader reader = tables.formats.open(file)) {
            for (RowGroup rowGroup : reader.rowGroups()) {
                single.add(new Split(
                        file.file(), rowGroup.offset(), 1, file.format(), file.fileColumns(), file.partitionValues()));
            }
        }
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            Collections.shuffle(single, new Random(round));
            best = Math.min(best, round(single));
        }
        out.accept(String.format(
                Locale.ROOT,
                "ORC row groups missed one by one, %d rows on average: %.2f ms of CPU each",
                rows / single.size(),
                best * 1e3 / single.size()));
    }

    private double round(List<Split> single) {
        MemoryPool memory = MemoryPool.root("query", 1L << 30);
        long capacity = rows * 40 + (64L << 20);
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                ChunkCache cache = new ChunkCache(MemoryPool.root("cache", capacity), capacity, 1 << 20);
                ReaderCache readers = tables.readers(cache)) {
            PageSourceFactory sources = tables.sources(cache, readers, io);
            long cpu = Cpu.processNanos();
            for (Split split : single) {
                ScanTables.scan(sources, ScanTables.ORC, split, memory);
            }
            return (Cpu.processNanos() - cpu) / 1e9;
        }
    }
}
