package io.skep.bench.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Datum;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads all columns with a condition on one column by which the file is not sorted, into an empty cache. It compares
 * reading all columns at once, as without a condition that readers can use, with reading the condition's column first.
 */
final class ColdSearch {
    private static final int KEY = 1;
    private static final int ROUNDS = 5;

    private final ScanTables tables;
    private final long rows;
    private final Consumer<String> out;

    ColdSearch(ScanTables tables, long rows, Consumer<String> out) {
        this.tables = tables;
        this.rows = rows;
        this.out = out;
    }

    private record Cost(double cpu, long bytes) {}

    void run(Path folder) {
        compare(folder, ScanTables.ORC, "orc");
        compare(folder, ScanTables.PARQUET, "parquet");
    }

    private void compare(Path folder, TableLayout table, String ending) {
        Split split = tables.split(table, tables.file(folder.resolve("decode." + ending), table, rows));
        ColumnPredicate few = new ColumnPredicate.In(KEY, List.of(new Datum.OfLong(SyntheticFiles.value(rows / 2))));
        ColumnPredicate all = new ColumnPredicate.Range(
                KEY, Optional.of(new Datum.OfLong(0)), true, Optional.of(new Datum.OfLong(1 << 19)), true);
        report(ending + ", one value of a million", table, split, few);
        report(ending + ", half of the rows", table, split, all);
    }

    private void report(String what, TableLayout table, Split split, ColumnPredicate condition) {
        Cost[] best = {new Cost(Double.MAX_VALUE, 0), new Cost(Double.MAX_VALUE, 0)};
        for (int round = 0; round < ROUNDS; round++) {
            for (int side = 0; side < 2; side++) {
                Cost cost = cold(table, split, side == 0 ? List.of() : List.of(condition));
                best[side] = cost.cpu() < best[side].cpu() ? cost : best[side];
            }
        }
        out.accept(String.format(
                Locale.ROOT,
                "cold search, %s: all columns %.2f s of CPU, %,d KB read; the condition's first %.2f s,"
                        + " %,d KB (%.2f and %.2f of it)",
                what,
                best[0].cpu(),
                best[0].bytes() >> 10,
                best[1].cpu(),
                best[1].bytes() >> 10,
                best[1].cpu() / best[0].cpu(),
                (double) best[1].bytes() / best[0].bytes()));
    }

    private Cost cold(TableLayout table, Split split, List<ColumnPredicate> predicates) {
        MemoryPool memory = MemoryPool.root("query", 1L << 30);
        long capacity = rows * 40 + (64L << 20);
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                ChunkCache cache = new ChunkCache(MemoryPool.root("cache", capacity), capacity, 1 << 20);
                ReaderCache readers = tables.readers(cache)) {
            PageSourceFactory sources = tables.sources(cache, readers, io);
            long cpu = Cpu.processNanos();
            try (PageSource source = sources.open(new ScanRequest(table, ScanTables.ALL, predicates), split, memory)) {
                source.blocked().join();
                for (SourceBatch batch = source.next(); batch != null; batch = source.next()) {
                    if (batch.rowCount() > 0) {
                        batch.column(KEY);
                    }
                    source.blocked().join();
                }
                return new Cost((Cpu.processNanos() - cpu) / 1e9, source.stats().bytesRead());
            }
        }
    }
}
