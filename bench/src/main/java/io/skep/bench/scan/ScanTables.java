package io.skep.bench.scan;

import io.skep.common.memory.MemoryPool;
import io.skep.common.type.TypeParser;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import io.skep.llap.server.cache.CachedBlocks;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.llap.server.read.CachingPageSourceFactory;
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
import io.skep.storage.write.PageSink;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Files of four columns and their scans. The columns are a sorted key, a number of 20 bits, a price, and one of eight
 * words.
 */
final class ScanTables {
    static final TableLayout ORC = table(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde");
    static final TableLayout PARQUET = table(
            "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
            "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
            "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe");
    static final List<Integer> ALL = List.of(0, 1, 2, 3);

    private static final String[] WORDS = {"air", "rail", "ship", "truck", "mail", "fob", "reg air", "barge"};

    final HadoopFileSystem files = new HadoopFileSystem(new Configuration());
    final FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);

    /** Returns the layout of ORC files with a codec. */
    static TableLayout orc(String codec) {
        return new TableLayout(
                ORC.name(), ORC.format(), ORC.dataColumns(), ORC.partitionColumns(), Map.of("orc.compress", codec));
    }

    private static TableLayout table(String input, String output, String serde) {
        List<Column> columns = List.of(
                new Column("id", TypeParser.parse("bigint")),
                new Column("amount", TypeParser.parse("bigint")),
                new Column("price", TypeParser.parse("decimal(12,2)")),
                new Column("mode", TypeParser.parse("string")));
        return new TableLayout("scan", new TableFormat(input, output, serde, Map.of()), columns, List.of(), Map.of());
    }

    /** Returns a cache of open files as a daemon has it. */
    ReaderCache readers(ChunkCache cache) {
        CachedBlocks blocks = new CachedBlocks(cache, InstantSource.system());
        return new ReaderCache(split -> formats.open(split, blocks), 64, InstantSource.system());
    }

    /** Returns page sources as a daemon's scans use them. */
    PageSourceFactory sources(ChunkCache cache, ReaderCache readers, IoPool io) {
        return new CachingPageSourceFactory(
                cache, readers, io, files::verify, new PartitionValues(ZoneOffset.UTC), InstantSource.system());
    }

    /** Writes a file if it does not exist. Returns its URI. */
    String file(Path path, TableLayout table, long rows) {
        // The same form of URI as for tables in a warehouse.
        String uri = "file:" + path.toAbsolutePath();
        if (Files.exists(path)) {
            return uri;
        }
        PageSink sink = formats.create(table, uri);
        append(sink, rows);
        sink.finish();
        return uri;
    }

    /** Appends the rows of every file. */
    static void append(PageSink sink, long rows) {
        for (long from = 0; from < rows; from += Batch.TARGET_ROWS) {
            sink.append(batch(from, (int) Math.min(Batch.TARGET_ROWS, rows - from)));
        }
    }

    private static Batch batch(long from, int count) {
        long[] ids = new long[count];
        long[] amounts = new long[count];
        long[] prices = new long[count];
        byte[][] words = new byte[count][];
        for (int i = 0; i < count; i++) {
            ids[i] = (from + i) * 3;
            amounts[i] = SyntheticFiles.value(from + i);
            prices[i] = SyntheticFiles.value(from + i + 7) * 37 % 10_000_000;
            words[i] = WORDS[(int) (SyntheticFiles.value(from + i + 13) & 7)].getBytes(StandardCharsets.UTF_8);
        }
        List<Vector> vectors = List.of(
                new LongVector(ids, null, count),
                new LongVector(amounts, null, count),
                new LongVector(prices, null, count),
                bytes(words, count));
        return new Batch(vectors, count);
    }

    private static Vector bytes(byte[][] values, int count) {
        int total = 0;
        for (byte[] value : values) {
            total += value.length;
        }
        byte[] data = new byte[total];
        int[] offsets = new int[count];
        int[] lengths = new int[count];
        int at = 0;
        for (int i = 0; i < count; i++) {
            System.arraycopy(values[i], 0, data, at, values[i].length);
            offsets[i] = at;
            lengths[i] = values[i].length;
            at += lengths[i];
        }
        return new BytesVector(data, offsets, lengths, null, count);
    }

    /** Returns the whole file as one split. */
    Split split(TableLayout table, String uri) {
        return new SplitEnumerator(files, Long.MAX_VALUE >> 1)
                .splits(List.of(new SplitEnumerator.Place(uri, table.format(), table.dataColumns(), List.of())))
                .getFirst();
    }

    /** Reads all columns of a split to its end. Returns the number of rows. */
    static long scan(PageSourceFactory sources, TableLayout table, Split split, MemoryPool memory) {
        long rows = 0;
        try (PageSource source = sources.open(new ScanRequest(table, ALL, List.of()), split, memory)) {
            source.blocked().join();
            for (SourceBatch batch = source.next(); batch != null; batch = source.next()) {
                rows += batch.rowCount();
                for (int column = 0; column < ALL.size() && batch.rowCount() > 0; column++) {
                    batch.column(column);
                }
                source.blocked().join();
            }
        }
        return rows;
    }
}
