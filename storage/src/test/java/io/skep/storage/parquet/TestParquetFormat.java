package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.fixture.RandomRows;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TestParquetFormat {
    private static final String[] ALL_TYPES = {
        "c0 boolean",
        "c1 tinyint",
        "c2 smallint",
        "c3 int",
        "c4 bigint",
        "c5 float",
        "c6 double",
        "c7 string",
        "c8 binary",
        "c9 date",
        "c10 timestamp",
        "c12 decimal(10,2)",
        "c13 decimal(38,10)",
        "c14 char(10)",
        "c15 varchar(20)",
        "c16 array<int>",
        "c17 map<string,bigint>",
        "c18 struct<a:int,b:string,c:array<decimal(20,4)>>",
        "c20 array<map<string,struct<x:double>>>"
    };

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    @ParameterizedTest
    @ValueSource(strings = {"uncompressed", "snappy", "gzip", "zstd"})
    void everyTypeComesBack(String codec) {
        TableLayout table = FormatTables.table(
                FormatTables.PARQUET,
                Map.of("parquet.compression", codec, "parquet.block.size", "1500000", "parquet.page.size", "20000"),
                ALL_TYPES);
        List<List<Datum>> rows = new RandomRows(2).rows(FormatTables.types(table), 22_000);
        tables.write(table, folder + "/f", rows);
        assertThat(tables.read(table, folder.toString())).isEqualTo(rows);
        assertThat(tables.splitBytes(500_000).read(table, folder.toString())).isEqualTo(rows);
    }

    @Test
    void columnsArePickedByNameAndConverted() {
        TableLayout written = FormatTables.table(
                FormatTables.PARQUET,
                Map.of(),
                "a int",
                "b string",
                "c decimal(8,2)",
                "i timestamp with local time zone");
        Datum instant = new Datum.OfTimestamp(1_700_000_000L, 123_456_000);
        tables.write(
                written,
                folder + "/f",
                List.of(List.of(new Datum.OfLong(1), Datum.ofText("xyz"), new Datum.OfLong(150), instant)));
        TableLayout now = FormatTables.table(
                FormatTables.PARQUET,
                Map.of(),
                "C decimal(20,4)",
                "added string",
                "a bigint",
                "b varchar(2)",
                "i timestamp with local time zone");
        assertThat(tables.read(now, folder.toString()))
                .containsExactly(List.of(
                        new Datum.OfDecimal(BigInteger.valueOf(15_000)),
                        Datum.NULL,
                        new Datum.OfLong(1),
                        Datum.ofText("xy"),
                        instant));
        TableLayout wrong = FormatTables.table(FormatTables.PARQUET, Map.of(), "b int");
        assertThat(failure(wrong)).isEqualTo(StandardErrorCode.TYPE_MISMATCH);
    }

    @Test
    void rangesAreSkippedByPageIndexDictionaryAndBloomFilter() {
        TableLayout table = FormatTables.table(
                FormatTables.PARQUET,
                Map.of("parquet.bloom.filter.enabled#b", "true"),
                "a int",
                "b string",
                "c string");
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            rows.add(
                    List.of(new Datum.OfLong(i), Datum.ofText("v" + (i * 7919L % 100_000)), Datum.ofText("c" + i % 9)));
        }
        tables.write(table, folder + "/f", rows);
        List<Split> splits = tables.splits(table, folder.toString(), List.of());
        List<ColumnPredicate> range = List.of(new ColumnPredicate.Range(
                0, Optional.of(new Datum.OfLong(22_000)), true, Optional.of(new Datum.OfLong(23_000)), false));
        assertThat(tables.read(table, splits, List.of(0, 1, 2), range)).isEqualTo(rows.subList(20_000, 40_000));
        assertThat(tables.stats.rowGroupsSkipped()).isEqualTo(4);
        List<ColumnPredicate> absent = List.of(new ColumnPredicate.In(2, List.of(Datum.ofText("c3x"))));
        assertThat(tables.read(table, splits, List.of(2), absent)).isEmpty();
        List<ColumnPredicate> bloom = List.of(new ColumnPredicate.In(1, List.of(Datum.ofText("v4711x"))));
        assertThat(tables.read(table, splits, List.of(1), bloom)).isEmpty();
        List<ColumnPredicate> held = List.of(new ColumnPredicate.In(1, List.of(Datum.ofText("v4711"))));
        assertThat(tables.read(table, splits, List.of(1), held)).contains(List.of(Datum.ofText("v4711")));
        assertThat(tables.read(table, splits, List.of(0), List.of(new ColumnPredicate.IsNull(0))))
                .isEmpty();
    }

    @Test
    void dictionariesStay() {
        TableLayout table = FormatTables.table(FormatTables.PARQUET, Map.of(), "b string");
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            rows.add(List.of(i % 8 == 7 ? Datum.NULL : Datum.ofText("value " + i % 8)));
        }
        tables.write(table, folder + "/f", rows);
        Split split = tables.splits(table, folder.toString(), List.of()).getFirst();
        try (RowGroupReader reader = tables.formats.open(split);
                BatchIterator batches = reader.read(reader.rowGroups().getFirst(), List.of(0))) {
            Batch batch = batches.next();
            assertThat(batch.column(0)).isInstanceOf(DictionaryVector.class);
            assertThat(((DictionaryVector) batch.column(0)).dictionary().length())
                    .isEqualTo(7);
        }
    }

    @Test
    void rangesAreDecompressedByManyThreadsAtATime() throws Exception {
        TableLayout table = FormatTables.table(
                FormatTables.PARQUET,
                Map.of("parquet.compression", "snappy", "parquet.page.size", "1000000"),
                "a bigint",
                "b bigint");
        List<List<Datum>> rows = new RandomRows(3).rows(FormatTables.types(table), 100_000);
        tables.write(table, folder + "/f", rows);
        long expected = rows.stream().mapToLong(row -> sum(row.getFirst())).sum();
        Split split = tables.splits(table, folder.toString(), List.of()).getFirst();
        try (RowGroupReader reader = tables.formats.open(split);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            assertThat(reader.rowGroups()).hasSizeGreaterThan(4);
            Callable<Long> task = () -> sum(reader);
            for (Future<Long> sum : threads.invokeAll(Collections.nCopies(16, task))) {
                assertThat(sum.get()).isEqualTo(expected);
            }
        }
    }

    private static long sum(RowGroupReader reader) {
        long sum = 0;
        for (RowGroup rowGroup : reader.rowGroups()) {
            try (BatchIterator batches = reader.read(rowGroup, List.of(0, 1))) {
                while (batches.hasNext()) {
                    Batch batch = batches.next();
                    for (int i = 0; i < batch.rowCount(); i++) {
                        sum += sum(Datum.of(batch.column(0), i, PrimitiveType.BIGINT));
                    }
                }
            }
        }
        return sum;
    }

    private static long sum(Datum value) {
        return value instanceof Datum.OfLong number ? number.value() : 0;
    }

    @Test
    void damageIsReported() throws Exception {
        TableLayout table =
                FormatTables.table(FormatTables.PARQUET, Map.of("parquet.compression", "snappy"), "a int", "b string");
        List<List<Datum>> rows = new RandomRows(5).rows(FormatTables.types(table), 20_000);
        Path file = folder.resolve("f");
        tables.write(table, file.toString(), rows);
        byte[] good = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(good, good.length / 2));
        assertThat(failure(table)).isEqualTo(StandardErrorCode.CORRUPT_FILE);
        byte[] holed = good.clone();
        Arrays.fill(holed, 40, good.length / 2, (byte) 0x5A);
        Files.write(file, holed);
        assertThat(failure(table)).isEqualTo(StandardErrorCode.CORRUPT_FILE);
        Files.write(file, "no parquet".getBytes(StandardCharsets.UTF_8));
        assertThat(failure(table)).isEqualTo(StandardErrorCode.CORRUPT_FILE);
    }

    private StandardErrorCode failure(TableLayout table) {
        return catchThrowableOfType(SkepException.class, () -> tables.read(table, folder.toString()))
                .code();
    }
}
