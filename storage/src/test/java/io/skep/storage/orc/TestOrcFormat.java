package io.skep.storage.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.DictionaryVector;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.fixture.RandomRows;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestOrcFormat {
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
        "c11 timestamp with local time zone",
        "c12 decimal(10,2)",
        "c13 decimal(38,10)",
        "c14 char(10)",
        "c15 varchar(20)",
        "c16 array<int>",
        "c17 map<string,bigint>",
        "c18 struct<a:int,b:string,c:array<decimal(20,4)>>",
        "c19 uniontype<int,string>",
        "c20 array<map<string,struct<x:double>>>"
    };

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    @Test
    void everyTypeComesBack() {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of("orc.stripe.size", "400000"), ALL_TYPES);
        List<List<Datum>> rows = new RandomRows(1).rows(FormatTables.types(table), 25_000);
        tables.write(table, folder + "/f1", rows);
        assertThat(tables.read(table, folder.toString())).isEqualTo(rows);
        assertThat(tables.splitBytes(100_000).read(table, folder.toString())).isEqualTo(rows);
        assertThat(Files.exists(folder.resolve(".f1.crc"))).isFalse();
    }

    @Test
    void filesDescribeTheirColumns() {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of(), ALL_TYPES);
        tables.write(table, folder + "/f", List.of());
        Split split = tables.splits(table, folder.toString(), List.of()).getFirst();
        try (RowGroupReader reader = tables.formats.open(split.withColumns(List.of()))) {
            assertThat(reader.describedColumns()).isEqualTo(table.dataColumns());
        }
    }

    @Test
    void columnsArePickedByNameAndWidened() {
        TableLayout written = FormatTables.table(FormatTables.ORC, Map.of(), "a int", "b string", "c decimal(8,2)");
        tables.write(written, folder + "/f", List.of(row(1, "x", 150), row(2, "y", 275)));
        TableLayout now = FormatTables.table(FormatTables.ORC, Map.of(), "c decimal(20,4)", "added string", "a bigint");
        assertThat(tables.read(now, folder.toString()))
                .containsExactly(
                        List.of(
                                new Datum.OfDecimal(java.math.BigInteger.valueOf(15000)),
                                Datum.NULL,
                                new Datum.OfLong(1)),
                        List.of(
                                new Datum.OfDecimal(java.math.BigInteger.valueOf(27500)),
                                Datum.NULL,
                                new Datum.OfLong(2)));
    }

    @Test
    void stridesAreSkippedByIndexAndBloomFilter() {
        TableLayout table = FormatTables.table(
                FormatTables.ORC, Map.of("orc.bloom.filter.columns", "b"), "a int", "b string", "c decimal(10,2)");
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            rows.add(row(i, "v" + (i * 7919L % 50_000), i));
        }
        tables.write(table, folder + "/f", rows);
        List<Split> splits = tables.splits(table, folder.toString(), List.of());
        List<ColumnPredicate> range = List.of(new ColumnPredicate.Range(
                0, Optional.of(new Datum.OfLong(12_000)), true, Optional.of(new Datum.OfLong(13_000)), false));
        assertThat(tables.read(table, splits, List.of(0, 1), range))
                .hasSize(10_000)
                .contains(rows.get(12_345).subList(0, 2));
        assertThat(tables.stats.rowGroupsSkipped()).isEqualTo(4);
        List<ColumnPredicate> bloom = List.of(new ColumnPredicate.In(1, List.of(Datum.ofText("v4711"))));
        assertThat(tables.read(table, splits, List.of(1), bloom)).contains(List.of(Datum.ofText("v4711")));
        assertThat(tables.stats.rowGroupsSkipped()).isGreaterThanOrEqualTo(3);
        List<ColumnPredicate> decimal = List.of(new ColumnPredicate.In(2, List.of(new Datum.OfLong(45_000))));
        assertThat(tables.read(table, splits, List.of(2), decimal)).contains(List.of(new Datum.OfLong(45_000)));
        assertThat(tables.stats.rowGroupsSkipped()).isEqualTo(4);
        List<ColumnPredicate> none = List.of(new ColumnPredicate.IsNull(0));
        assertThat(tables.read(table, splits, List.of(0), none)).isEmpty();
    }

    @Test
    void stridesCanBeReadInAnyOrderAndMixed() {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of(), "a int", "b string");
        List<List<Datum>> rows = new RandomRows(7).rows(FormatTables.types(table), 64_000);
        tables.write(table, folder + "/f", rows);
        Split split = tables.splits(table, folder.toString(), List.of()).getFirst();
        try (RowGroupReader reader = tables.formats.open(split)) {
            readAndCheck(table, rows, reader, 6, 0, 1, 2, 3, 5, 4, 5, 6);
        }
    }

    @Test
    void blocksAreSharedByReadersOfOtherStrides() {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of("orc.compress.size", "65536"), ALL_TYPES);
        List<List<Datum>> rows = new RandomRows(8).rows(FormatTables.types(table), 35_000);
        tables.write(table, folder + "/f", rows);
        Split split = tables.splits(table, folder.toString(), List.of()).getFirst();
        KeptBlocks blocks = new KeptBlocks();
        for (int index : new int[] {2, 1, 3, 0, 2, 3, 1}) {
            try (RowGroupReader reader = tables.formats.open(split, blocks)) {
                readAndCheck(table, rows, reader, index);
            }
        }
        assertThat(blocks.kept).isNotEmpty();
        assertThat(blocks.given).isGreaterThan(blocks.kept.size() / 2);
        int before = blocks.kept.size();
        try (RowGroupReader reader = tables.formats.open(split, blocks)) {
            readAndCheck(table, rows, reader, 0, 1, 2, 3);
        }
        assertThat(blocks.kept).as("a scan leaves none").hasSize(before);
    }

    private static final class KeptBlocks implements BlockStore {
        final Map<Long, byte[]> kept = new HashMap<>();
        int given;

        @Override
        public boolean get(FileVersion file, long offset, ByteBuffer into) {
            byte[] block = kept.get(offset);
            if (block == null) {
                return false;
            }
            given++;
            into.put(block);
            return true;
        }

        @Override
        public void put(FileVersion file, long offset, ByteBuffer block) {
            byte[] bytes = new byte[block.remaining()];
            block.get(bytes);
            assertThat(kept.put(offset, bytes)).isNull();
        }
    }

    /** Reads all columns of strides of 10,000 rows, the last one first. */
    private static void readAndCheck(TableLayout table, List<List<Datum>> rows, RowGroupReader reader, int... strides) {
        int columns = table.dataColumns().size();
        List<Integer> reversed =
                IntStream.range(0, columns).mapToObj(i -> columns - 1 - i).toList();
        for (int index : strides) {
            int at = index * 10_000;
            try (BatchIterator batches = reader.read(reader.rowGroups().get(index), reversed)) {
                while (batches.hasNext()) {
                    Batch batch = batches.next();
                    for (int i = 0; i < batch.rowCount(); i++, at++) {
                        List<Datum> expected = rows.get(at);
                        for (int c = 0; c < columns; c++) {
                            int column = reversed.get(c);
                            assertThat(Datum.of(
                                            batch.column(c),
                                            i,
                                            table.column(column).type()))
                                    .isEqualTo(expected.get(column));
                        }
                    }
                }
            }
        }
    }

    @Test
    void dictionariesStay() {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of(), "a int", "b string", "c decimal(10,2)");
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(row(i, "value " + i % 7, 0));
        }
        tables.write(table, folder + "/f", rows);
        Split split = tables.splits(table, folder.toString(), List.of()).getFirst();
        try (RowGroupReader reader = tables.formats.open(split);
                BatchIterator batches = reader.read(reader.rowGroups().get(1), List.of(1))) {
            Batch batch = batches.next();
            assertThat(batch.column(0)).isInstanceOf(DictionaryVector.class);
            assertThat(((DictionaryVector) batch.column(0)).dictionary().length())
                    .isEqualTo(7);
        }
    }

    @Test
    void damageIsReported() throws Exception {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of(), "a int", "b string", "c decimal(10,2)");
        List<List<Datum>> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(row(i * 31 % 1009, "value " + i * 17 % 977, i));
        }
        Path file = folder.resolve("f");
        tables.write(table, file.toString(), rows);
        byte[] good = Files.readAllBytes(file);
        byte[] truncated = java.util.Arrays.copyOf(good, good.length / 2);
        Files.write(file, truncated);
        assertThat(failure(table)).isEqualTo(StandardErrorCode.CORRUPT_FILE);
        byte[] holed = good.clone();
        java.util.Arrays.fill(holed, good.length / 8, good.length / 2, (byte) 0x5A);
        Files.write(file, holed);
        assertThat(failure(table)).isEqualTo(StandardErrorCode.CORRUPT_FILE);
        Files.write(file, "no orc".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(failure(table)).isEqualTo(StandardErrorCode.CORRUPT_FILE);
    }

    @Test
    void missingAndChangedFilesAreReported() throws Exception {
        TableLayout table = FormatTables.table(FormatTables.ORC, Map.of(), "a int", "b string", "c decimal(10,2)");
        tables.write(table, folder + "/f", List.of(row(1, "x", 1)));
        List<Split> splits = tables.splits(table, folder.toString(), List.of());
        Files.delete(folder.resolve("f"));
        assertThat(catchThrowableOfType(SkepException.class, () -> tables.read(table, splits, List.of(0), List.of()))
                        .code())
                .isEqualTo(StandardErrorCode.MISSING_FILE);
        tables.write(table, folder + "/f", List.of(row(1, "x", 1), row(2, "longer", 2)));
        assertThat(catchThrowableOfType(SkepException.class, () -> tables.read(table, splits, List.of(0), List.of()))
                        .code())
                .isEqualTo(StandardErrorCode.FILE_SYSTEM_ERROR);
    }

    private StandardErrorCode failure(TableLayout table) {
        return catchThrowableOfType(SkepException.class, () -> tables.read(table, folder.toString()))
                .code();
    }

    private static List<Datum> row(int a, String b, long c) {
        return List.of(new Datum.OfLong(a), Datum.ofText(b), new Datum.OfLong(c));
    }
}
