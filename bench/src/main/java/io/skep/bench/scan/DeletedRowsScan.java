package io.skep.bench.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.common.vector.Batch;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.RecycledArrays;
import io.skep.common.vector.StructVector;
import io.skep.common.vector.Vector;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.acid.BucketProperty;
import io.skep.storage.acid.TableSnapshot;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Split;
import io.skep.storage.write.PageSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hive.common.ValidReadTxnList;
import org.apache.hadoop.hive.common.ValidReaderWriteIdList;

/**
 * Scans of a cached transactional table of which every hundredth or tenth row is deleted, by one statement or by many,
 * beside the plain table with the same rows. Runs alternate. The lowest CPU time of the scan's thread counts.
 */
final class DeletedRowsScan {
    private static final int ROUNDS = 30;

    private final ScanTables tables;
    private final long rows;
    private final Consumer<String> out;
    private final MemoryPool memory = MemoryPool.root("bench", 1L << 30);

    DeletedRowsScan(ScanTables tables, long rows, Consumer<String> out) {
        this.tables = tables;
        this.rows = rows;
        this.out = out;
    }

    void run(Path folder) {
        List<Split> plain = List.of(
                tables.split(ScanTables.ORC, tables.file(folder.resolve("undeleted.orc"), ScanTables.ORC, rows)));
        for (int share : new int[] {0, 100, 10}) {
            for (int deltas : share == 0 ? new int[] {1} : new int[] {1, 10, 100}) {
                compare(plain, splits(folder.resolve("deleted-" + share + "-" + deltas), share, deltas), share, deltas);
            }
        }
    }

    private void compare(List<Split> plain, List<Split> deleted, int share, int deltas) {
        try (IoPool io = new IoPool("bench", 1, 64 << 20);
                ChunkCache cache = new ChunkCache(MemoryPool.root("cache", Long.MAX_VALUE), 4L << 30, 1 << 20);
                ReaderCache readers = tables.readers(cache)) {
            PageSourceFactory sources = tables.sources(cache, readers, io);
            double plainNanos = Double.MAX_VALUE;
            double deletedNanos = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                plainNanos = Math.min(plainNanos, nanos(sources, plain));
                deletedNanos = Math.min(deletedNanos, nanos(sources, deleted));
            }
            out.accept(String.format(
                    Locale.ROOT,
                    "sums of %,d rows, %s in %d deltas deleted: %.2f ns of CPU a stored row, plain %.2f ns: %.2f",
                    rows,
                    share == 0 ? "none" : "1 of " + share,
                    deltas,
                    deletedNanos,
                    plainNanos,
                    deletedNanos / plainNanos));
        }
    }

    private double nanos(PageSourceFactory sources, List<Split> splits) {
        long start = Cpu.threadNanos();
        long sum = 0;
        for (Split split : splits) {
            sum += scan(sources, split);
        }
        double nanos = (double) (Cpu.threadNanos() - start) / rows;
        if (sum == 0) {
            throw new IllegalStateException("nothing was read");
        }
        return nanos;
    }

    /** Reads all columns, with the arrays of a scan whose batches are used at once. */
    private long scan(PageSourceFactory sources, Split split) {
        long sum = 0;
        RecycledArrays arrays = RecycledArrays.untilHandedOut();
        ScanRequest request = new ScanRequest(ScanTables.ORC, ScanTables.ALL, List.of());
        try (PageSource source = sources.open(request, split, memory, arrays)) {
            source.blocked().join();
            for (SourceBatch batch = source.next(); batch != null; batch = source.next()) {
                for (int column = 0; column < ScanTables.ALL.size() && batch.rowCount() > 0; column++) {
                    sum += use(batch.column(column));
                }
                arrays.takeBack();
                source.blocked().join();
            }
        }
        return sum;
    }

    private static long use(Vector vector) {
        long sum = 0;
        if (vector instanceof LongVector longs) {
            for (int i = 0; i < longs.length(); i++) {
                sum += longs.values()[i];
            }
        } else if (vector instanceof DictionaryVector words) {
            for (int i = 0; i < words.length(); i++) {
                sum += words.ids()[i];
            }
        }
        return sum;
    }

    /** Writes a table, and deletes every {@code share}th row in as many transactions. */
    private List<Split> splits(Path table, int share, int deltas) {
        AcidWrite insert = new AcidWrite(AcidWrite.Kind.INSERT, 1, 0);
        if (!Files.exists(table)) {
            PageSink sink = tables.formats.create(ScanTables.ORC, path(table, insert), insert, 0);
            ScanTables.append(sink, rows);
            sink.finish();
            for (int delta = 0; share > 0 && delta < deltas; delta++) {
                delete(table, delta, share, deltas);
            }
        }
        TableSnapshot snapshot = TableSnapshot.of(
                new ValidReadTxnList(new long[0], new BitSet(), 1000, Long.MAX_VALUE),
                new ValidReaderWriteIdList("scan", new long[0], new BitSet(), 1000),
                false);
        return new SplitEnumerator(tables.files, Long.MAX_VALUE >> 1, tables.formats)
                .splits(List.of(new SplitEnumerator.Place(
                        "file:" + table.toAbsolutePath(),
                        ScanTables.ORC.format(),
                        ScanTables.ORC.dataColumns(),
                        List.of(),
                        Optional.of(snapshot))));
    }

    private static String path(Path table, AcidWrite write) {
        return "file:" + table.toAbsolutePath() + "/" + write.folder().name() + "/" + AcidWrite.fileName(0, 0);
    }

    private void delete(Path table, int delta, int share, int deltas) {
        AcidWrite delete = new AcidWrite(AcidWrite.Kind.DELETE, 2L + delta, 0);
        PageSink sink = tables.formats.create(ScanTables.ORC, path(table, delete), delete, 0);
        List<Long> some = new ArrayList<>();
        for (long row = (long) delta * share; row < rows; row += (long) share * deltas) {
            some.add(row);
            if (some.size() == Batch.TARGET_ROWS) {
                sink.append(identifiers(some));
                some.clear();
            }
        }
        sink.append(identifiers(some));
        sink.finish();
    }

    private static Batch identifiers(List<Long> rows) {
        int count = rows.size();
        long[] writeIds = new long[count];
        Arrays.fill(writeIds, 1);
        long[] buckets = new long[count];
        Arrays.fill(buckets, BucketProperty.encode(0, 0));
        long[] rowIds = rows.stream().mapToLong(Long::longValue).toArray();
        StructVector struct = new StructVector(
                List.of(
                        new LongVector(writeIds, null, count),
                        new LongVector(buckets, null, count),
                        new LongVector(rowIds, null, count)),
                null,
                count);
        return new Batch(List.of(struct), count);
    }
}
