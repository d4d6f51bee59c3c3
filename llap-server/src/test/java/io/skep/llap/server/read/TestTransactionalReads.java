package io.skep.llap.server.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.memory.MemoryPool;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.RecycledArrays;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.common.vector.VectorArrays;
import io.skep.llap.server.cache.ChunkCache;
import io.skep.llap.server.cache.ReaderCache;
import io.skep.llap.server.executor.IoPool;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.acid.BucketProperty;
import io.skep.storage.acid.TableSnapshot;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.page.DirectPageSourceFactory;
import io.skep.storage.page.PartitionValues;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.PageSource;
import io.skep.storage.scan.PageSourceFactory;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.scan.ScanStats;
import io.skep.storage.scan.SourceBatch;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import io.skep.storage.write.PageSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.ValidReadTxnList;
import org.apache.hadoop.hive.common.ValidReaderWriteIdList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads transactional tables through the cache, and compares with reads without it. */
class TestTransactionalReads {
    private static final TableFormat ORC = new TableFormat(
            "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            Map.of());
    private static final List<Column> COLUMNS =
            List.of(new Column("id", PrimitiveType.INT), new Column("name", PrimitiveType.STRING));
    private static final TableLayout TABLE = new TableLayout("default.t", ORC, COLUMNS, List.of(), Map.of());
    private static final int ROW_ID = TABLE.ordinal(VirtualColumn.ROW_ID);
    private static final int DELETED = TABLE.ordinal(VirtualColumn.ROW_IS_DELETED);
    private static final int BUCKET = BucketProperty.encode(0, 0);

    @TempDir
    Path folder;

    /** Files are older than this clock, so they are cached. */
    private final InstantSource clock = () -> Instant.now().plusSeconds(60);

    private final HadoopFileSystem files = new HadoopFileSystem(new Configuration());
    private final FormatRegistry formats = new FormatRegistry(files, ZoneOffset.UTC);
    private final PartitionValues values = new PartitionValues(ZoneOffset.UTC);
    private final MemoryPool memory = MemoryPool.root("query", 64 << 20);
    private final MemoryPool cacheMemory = MemoryPool.root("cache", Long.MAX_VALUE);
    private final IoPool io = new IoPool("acid", 2, 1 << 20);
    private final ReaderCache readers = new ReaderCache(formats, 16, clock);
    private final ChunkCache cache = new ChunkCache(cacheMemory, 64 << 20, 256 << 10);
    private final PageSourceFactory direct = new DirectPageSourceFactory(formats, files, values);
    private final PageSourceFactory cached =
            new CachingPageSourceFactory(cache, readers, io, files::verify, values, clock);
    private ScanStats stats = ScanStats.NONE;

    @AfterEach
    void nothingIsLeft() {
        io.whenIdle().join();
        assertThat(readers.leased()).isZero();
        assertThat(cache.snapshot().pins()).isZero();
        assertThat(memory.reservedBytes()).isZero();
        readers.close();
        cache.close();
        io.close();
        assertThat(cacheMemory.reservedBytes()).isZero();
    }

    private static Batch batch(List<SqlType> types, List<List<Datum>> rows) {
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            VectorAppender appender = VectorAppender.of(types.get(i));
            for (List<Datum> row : rows) {
                row.get(i).appendTo(appender, types.get(i));
            }
            columns.add(appender.build());
        }
        return new Batch(columns, rows.size());
    }

    private void write(PageSink sink, List<SqlType> types, List<List<Datum>> rows) {
        for (int from = 0; from < rows.size(); from += 2000) {
            sink.append(batch(types, rows.subList(from, Math.min(rows.size(), from + 2000))));
        }
        sink.finish();
    }

    private static List<List<Datum>> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> List.of((Datum) new Datum.OfLong(i), Datum.ofText("name" + i % 100)))
                .toList();
    }

    private String path(AcidWrite write) {
        return folder.resolve(write.folder().name())
                .resolve(AcidWrite.fileName(0, 0))
                .toString();
    }

    private void insert(long writeId, int count) {
        AcidWrite write = new AcidWrite(AcidWrite.Kind.INSERT, writeId, 0);
        write(
                formats.create(TABLE, path(write), write, 0),
                COLUMNS.stream().map(Column::type).toList(),
                rows(count));
    }

    private void delete(long writeId, long owner, LongStream rowIds) {
        AcidWrite write = new AcidWrite(AcidWrite.Kind.DELETE, writeId, 0);
        List<List<Datum>> ids = rowIds.mapToObj(rowId -> List.<Datum>of(new Datum.OfList(
                        List.of(new Datum.OfLong(owner), new Datum.OfLong(BUCKET), new Datum.OfLong(rowId)))))
                .toList();
        write(
                formats.create(TABLE, path(write), write, 0),
                List.of(VirtualColumn.ROW_ID.column().type()),
                ids);
    }

    private List<Split> splits(long last, long splitBytes, boolean withDeleted, long... aborted) {
        BitSet bits = new BitSet();
        bits.set(0, aborted.length);
        TableSnapshot snapshot = new TableSnapshot(
                new ValidReadTxnList(new long[0], new BitSet(), 100, Long.MAX_VALUE),
                new ValidReaderWriteIdList("default.t", aborted, bits, last),
                false,
                true,
                withDeleted);
        return new SplitEnumerator(files, splitBytes, formats)
                .splits(List.of(
                        new SplitEnumerator.Place(folder.toString(), ORC, COLUMNS, List.of(), Optional.of(snapshot))));
    }

    private List<List<Datum>> read(
            PageSourceFactory sources, List<Split> splits, List<Integer> columns, List<ColumnPredicate> predicates) {
        stats = ScanStats.NONE;
        List<List<Datum>> rows = new ArrayList<>();
        RecycledArrays arrays = RecycledArrays.untilHandedOut();
        for (Split split : splits) {
            try (PageSource source = sources.open(new ScanRequest(TABLE, columns, predicates), split, memory, arrays)) {
                while (true) {
                    source.blocked().join();
                    SourceBatch batch = source.next();
                    if (batch == null) {
                        break;
                    }
                    append(batch, columns, rows);
                    arrays.takeBack();
                }
                stats = stats.plus(source.stats());
            }
        }
        return rows;
    }

    /** Reads the last column for every other row, as a scan does behind a filter. */
    private static void append(SourceBatch batch, List<Integer> columns, List<List<Datum>> rows) {
        int[] every = IntStream.range(0, batch.rowCount()).toArray();
        List<Vector> vectors = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            vectors.add(
                    i == columns.size() - 1 && every.length > 0
                            ? batch.column(i, every, every.length)
                            : batch.column(i));
        }
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Datum> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                values.add(Datum.of(
                        vectors.get(i), row, TABLE.column(columns.get(i)).type()));
            }
            rows.add(values);
        }
    }

    /** Reads without the cache, into it and from it. */
    private List<List<Datum>> check(List<Split> splits, List<Integer> columns, List<ColumnPredicate> predicates) {
        List<List<Datum>> expected = read(direct, splits, columns, predicates);
        for (int i = 0; i < 3; i++) {
            assertThat(read(cached, splits, columns, predicates)).isEqualTo(expected);
        }
        return expected;
    }

    @Test
    void deletedRowsAreLeftOut() {
        insert(1, 45_000);
        insert(2, 10);
        delete(3, 1, LongStream.range(0, 45_000).filter(i -> i % 10 == 3));
        delete(4, 2, LongStream.of(9));
        for (long splitBytes : new long[] {1L << 40, 20_000}) {
            List<Split> all = splits(4, splitBytes, false);
            assertThat(check(all, List.of(0, 1), List.of())).hasSize(40_509);
            assertThat(check(all, List.of(1, ROW_ID, 0), List.of())).hasSize(40_509);
            assertThat(check(all, List.of(), List.of())).hasSize(40_509);
            assertThat(check(all, List.of(ROW_ID), List.of())).hasSize(40_509);
            assertThat(check(splits(4, splitBytes, true), List.of(0, DELETED), List.of()))
                    .hasSize(45_010)
                    .filteredOn(row -> row.get(1).equals(new Datum.OfLong(1)))
                    .hasSize(4_501);
            assertThat(check(splits(4, splitBytes, false, 3), List.of(0), List.of()))
                    .hasSize(45_009);
        }
        List<ColumnPredicate> few = List.of(new ColumnPredicate.In(0, List.of(new Datum.OfLong(20_001))));
        assertThat(check(splits(4, 1L << 40, false), List.of(1, 0), few))
                .contains(List.of(Datum.ofText("name1"), new Datum.OfLong(20_001)))
                .doesNotContain(List.of(Datum.ofText("name3"), new Datum.OfLong(20_003)));
        assertThat(stats.rowGroupsSkipped())
                .as("one stride of the first file is read")
                .isEqualTo(5);
    }

    @Test
    void onlyTheColumnsOfTheTableAreCachedWhereIdentifiersAreConsecutive() {
        insert(1, 25_000);
        delete(2, 1, LongStream.range(0, 25_000).filter(i -> i % 2 == 0));
        List<Split> splits = splits(2, 1L << 40, false);
        for (int i = 0; i < 3; i++) {
            assertThat(read(cached, splits, List.of(0), List.of())).hasSize(12_500);
        }
        assertThat(stats.bytesRead()).isZero();
        assertThat(cache.snapshot().chunks()).as("one column of three strides").isEqualTo(3);
    }

    @Test
    void originalFilesAreReadByPosition() {
        for (String name : List.of("000000_0", "000000_0_copy_1")) {
            write(
                    formats.create(TABLE, folder.resolve(name).toString()),
                    COLUMNS.stream().map(Column::type).toList(),
                    rows(15_000));
        }
        delete(1, 0, LongStream.of(0, 14_999, 15_000, 29_999));
        List<Split> splits = splits(1, 30_000, false);
        assertThat(check(splits, List.of(0, ROW_ID), List.of())).hasSize(29_996);
    }

    @Test
    void randomDeletesThroughTheCache() {
        Random random = new Random(11);
        for (long writeId = 1; writeId <= 5; writeId++) {
            insert(writeId, 1 + random.nextInt(30_000));
        }
        for (long writeId = 6; writeId <= 9; writeId++) {
            int step = 1 + random.nextInt(500);
            delete(writeId, writeId - 5, LongStream.range(0, 100).map(i -> i * step));
        }
        for (long last = 5; last <= 9; last++) {
            check(splits(last, 50_000, false), List.of(0, 1, ROW_ID), List.of());
        }
        check(splits(9, 1L << 40, false, 7), List.of(1), List.of());
    }

    @Test
    void aBrokenFileOfDeletesFailsTheScanAndLeavesNothing() throws Exception {
        insert(1, 100);
        delete(2, 1, LongStream.of(1));
        Path broken = folder.resolve("delete_delta_0000002_0000002_0000").resolve("bucket_00000_0");
        byte[] bytes = Files.readAllBytes(broken);
        bytes[bytes.length / 2] ^= 0x5A;
        Files.write(broken, Arrays.copyOf(bytes, bytes.length - 3));
        List<Split> splits = splits(2, 1L << 40, false);
        for (PageSourceFactory sources : List.of(direct, cached, cached)) {
            assertThatThrownBy(() -> read(sources, splits, List.of(0), List.of()))
                    .satisfies(e -> assertThat(e instanceof SkepException known ? known : e.getCause())
                            .isInstanceOfSatisfying(
                                    SkepException.class,
                                    known -> assertThat(known.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE)));
        }
    }

    @Test
    void scansThatAreClosedWhileTheyReadDeletesLeaveNothing() {
        insert(1, 10);
        delete(2, 1, LongStream.range(0, 300_000));
        List<Split> splits = splits(2, 1L << 40, false);
        ScanRequest request = new ScanRequest(TABLE, List.of(0), List.of());
        for (int i = 0; i < 20; i++) {
            PageSource source = cached.open(request, splits.getFirst(), memory, VectorArrays.NEW);
            assertThat(source.blocked()).isNotNull();
            source.close();
        }
        io.whenIdle().join();
        assertThat(memory.reservedBytes()).isZero();
        assertThat(check(splits, List.of(0), List.of())).isEmpty();
    }

    @Test
    void deletesThatNeedTooMuchMemoryFailTheQueryOnly() {
        insert(1, 10);
        delete(2, 1, LongStream.range(0, 300_000));
        List<Split> splits = splits(2, 1L << 40, false);
        MemoryPool small = MemoryPool.root("small", 1 << 20);
        ScanRequest request = new ScanRequest(TABLE, List.of(0), List.of());
        assertThatThrownBy(() -> {
                    try (PageSource source = direct.open(request, splits.getFirst(), small, VectorArrays.NEW)) {
                        source.next();
                    }
                })
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(StandardErrorCode.MEMORY_LIMIT_EXCEEDED));
        assertThat(small.reservedBytes()).isZero();
        assertThat(check(splits, List.of(0), List.of())).isEmpty();
    }
}
