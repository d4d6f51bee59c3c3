package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.storage.acid.HiveAcidTable.Row;
import io.skep.storage.acid.HiveAcidTable.RowId;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.scan.ColumnPredicate;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads tables that Hive's classes wrote, and compares with what Hive's classes read. */
class TestAcidReads {
    private static final TableLayout TABLE = FormatTables.table(FormatTables.ORC, Map.of(), "id int", "name string");
    private static final ValidTxnList TRANSACTIONS = Snapshots.transactions(100);
    private static final int BUCKET0 = BucketProperty.encode(0, 0);
    private static final int BUCKET1 = BucketProperty.encode(1, 0);

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();
    private long splitBytes = 1L << 40;

    private List<Split> splits(TableLayout table, TableSnapshot snapshot) {
        SplitEnumerator enumerator = new SplitEnumerator(tables.files, splitBytes, tables.formats);
        return enumerator.splits(List.of(new SplitEnumerator.Place(
                folder.toString(), table.format(), table.dataColumns(), List.of(), Optional.of(snapshot))));
    }

    private List<Row> ours(ValidWriteIdList writeIds) {
        List<Integer> columns = List.of(0, 1, TABLE.ordinal(VirtualColumn.ROW_ID));
        List<Split> splits = splits(TABLE, TableSnapshot.of(TRANSACTIONS, writeIds, true));
        List<Row> rows = new ArrayList<>();
        for (List<Datum> row : tables.read(TABLE, splits, columns, List.of())) {
            List<Datum> id = ((Datum.OfList) row.get(2)).values();
            rows.add(new Row(number(id.get(0)), (int) number(id.get(1)), number(id.get(2)), text(row.subList(0, 2))));
        }
        return sorted(rows);
    }

    private static long number(Datum value) {
        return ((Datum.OfLong) value).value();
    }

    /** The form in which Hive prints rows. */
    private static String text(List<Datum> row) {
        return "{" + number(row.get(0)) + ", "
                + (row.get(1).isNull() ? "null" : row.get(1).toString()) + "}";
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream()
                .sorted(Comparator.comparingLong(Row::writeId)
                        .thenComparingInt(Row::bucket)
                        .thenComparingLong(Row::rowId))
                .toList();
    }

    /** Compares the rows with identifiers, and the rows that a scan without identifiers returns. */
    private List<Row> check(HiveAcidTable table, ValidWriteIdList writeIds) {
        List<Row> expected = sorted(table.read(TRANSACTIONS, writeIds));
        assertThat(ours(writeIds)).isEqualTo(expected);
        List<Split> splits = splits(TABLE, TableSnapshot.of(TRANSACTIONS, writeIds, false));
        assertThat(tables.read(TABLE, splits, List.of(0, 1), List.of()).stream().map(TestAcidReads::text))
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().map(Row::values).toList());
        assertThat(tables.read(TABLE, splits, List.of(), List.of())).hasSize(expected.size());
        return expected;
    }

    @Test
    void updatesAndDeletesOfSeveralBuckets() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> {
            for (int i = 0; i < 25_000; i++) {
                to.insert(i, "a" + i);
            }
        });
        table.write(1, 0, 1, to -> {
            for (int i = 0; i < 100; i++) {
                to.insert(i, "b" + i);
            }
        });
        table.write(2, 0, 0, to -> {
            for (int i = 0; i < 25_000; i += 10) {
                to.delete(new RowId(1, BUCKET0, i));
            }
        });
        table.write(3, 0, 1, to -> {
            to.update(new RowId(1, BUCKET1, 7), 1007, "changed");
            to.insert(2000, null);
        });
        table.write(4, 0, 1, to -> to.delete(new RowId(3, BUCKET1, 0)));
        for (long last = 0; last <= 4; last++) {
            check(table, Snapshots.upTo(last));
        }
        assertThat(check(table, Snapshots.writeIds(4, new long[] {4}, 2))).hasSize(25_101);
        splitBytes = 10_000;
        check(table, Snapshots.upTo(4));
    }

    /**
     * The second of two transactions that change a row may have got its write id first. Hive returns the row twice, and
     * its writers can write so.
     */
    @Test
    void deletesOfEarlierWriteIds() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> to.insert(1, "first"));
        table.write(3, 0, 0, to -> to.update(new RowId(1, BUCKET0, 0), 1, "second"));
        table.write(2, 0, 0, to -> to.update(new RowId(3, BUCKET0, 0), 1, "third"));
        assertThat(ours(Snapshots.upTo(3)).stream().map(Row::values)).containsExactly("{1, third}");
        assertThat(check(table, Snapshots.writeIds(3, new long[] {2}))).hasSize(1);
    }

    @Test
    void compactedDeltasWithOpenAndAbortedWrites() {
        HiveAcidTable table = new HiveAcidTable(folder);
        for (int writeId = 1; writeId <= 3; writeId++) {
            String name = "w" + writeId;
            int bucket = writeId - 1;
            table.write(
                    table.options(bucket).minimumWriteId(1).maximumWriteId(3).statementId(-1), writeId, to -> {
                        for (int i = 0; i < 50; i++) {
                            to.insert(i, name);
                        }
                    });
        }
        assertThat(folder.resolve("delta_0000001_0000003/bucket_00002")).exists();
        table.write(5, 0, 1, to -> to.delete(new RowId(2, BUCKET1, 3)));
        assertThat(check(table, Snapshots.upTo(5))).hasSize(149);
        assertThat(check(table, Snapshots.writeIds(5, new long[] {5}, 2))).hasSize(100);
        assertThat(check(table, Snapshots.writeIds(5, new long[] {2}, 1, 3))).isEmpty();
        assertThat(check(table, Snapshots.writeIds(5, new long[] {3}, 1))).hasSize(49);
    }

    @Test
    void originalFilesAreNumberedByBucket() {
        for (String name : List.of("000000_0", "000000_0_copy_1", "000000_0_copy_2", "000001_0")) {
            List<List<Datum>> rows = IntStream.range(0, 11_000)
                    .mapToObj(i -> List.of((Datum) new Datum.OfLong(i), Datum.ofText(name)))
                    .toList();
            tables.write(TABLE, folder + "/" + name, rows);
        }
        HiveAcidTable table = new HiveAcidTable(folder);
        check(table, Snapshots.upTo(0));
        table.write(1, 0, 0, to -> {
            for (int i = 10_990; i < 11_010; i++) {
                to.delete(new RowId(0, BUCKET0, i));
            }
            to.delete(new RowId(0, BUCKET0, 32_999));
            to.insert(1, "new");
        });
        assertThat(check(table, Snapshots.upTo(1))).hasSize(44_000 - 21 + 1);
        splitBytes = 5_000;
        check(table, Snapshots.upTo(1));
    }

    @Test
    void filesLoadedIntoADeltaOrABase() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> to.insert(1, "a"));
        for (String name : List.of("000000_0", "000000_0_copy_1", "000001_0")) {
            tables.write(
                    TABLE,
                    folder + "/delta_0000002_0000002_0003/" + name,
                    List.of(
                            List.of(new Datum.OfLong(2), Datum.ofText(name)),
                            List.of(new Datum.OfLong(3), Datum.NULL)));
        }
        table.write(3, 0, 0, to -> to.delete(new RowId(2, BucketProperty.encode(0, 3), 2)));
        assertThat(check(table, Snapshots.upTo(3))).hasSize(6);
        assertThat(check(table, Snapshots.writeIds(3, new long[0], 2))).hasSize(1);
        tables.write(
                TABLE,
                folder + "/base_0000004/000000_0",
                List.of(List.of(new Datum.OfLong(2), Datum.ofText("base")), List.of(new Datum.OfLong(3), Datum.NULL)));
        table.write(5, 0, 0, to -> to.delete(new RowId(4, BUCKET0, 1)));
        assertThat(check(table, Snapshots.upTo(5))).hasSize(1);
    }

    @Test
    void randomHistories() {
        for (int seed = 0; seed < 6; seed++) {
            Random random = new Random(seed);
            Path table = folder.resolve("t" + seed);
            HiveAcidTable hive = new HiveAcidTable(table);
            List<RowId> rows = new ArrayList<>();
            int writes = 3 + random.nextInt(6);
            for (long writeId = 1; writeId <= writes; writeId++) {
                for (int bucket = 0; bucket < 2; bucket++) {
                    write(hive, random, writeId, bucket, rows);
                }
            }
            Path before = folder;
            folder = table;
            for (long last = 1; last <= writes; last++) {
                long open = 1L + random.nextInt((int) last);
                check(hive, Snapshots.writeIds(last, new long[] {open}));
                check(hive, Snapshots.writeIds(last, new long[0], open));
                check(hive, Snapshots.upTo(last));
            }
            folder = before;
        }
    }

    private static void write(HiveAcidTable hive, Random random, long writeId, int bucket, List<RowId> rows) {
        int property = BucketProperty.encode(bucket, 0);
        List<RowId> deleted = rows.stream()
                .filter(row -> row.bucket() == property && random.nextInt(4) == 0)
                .sorted(Comparator.comparingLong(RowId::writeId).thenComparingLong(RowId::rowId))
                .toList();
        int inserts = random.nextInt(300);
        hive.write(writeId, 0, bucket, to -> {
            for (RowId row : deleted) {
                to.delete(row);
            }
            for (int i = 0; i < inserts; i++) {
                to.insert(i, random.nextInt(10) == 0 ? null : "w" + writeId);
            }
        });
        rows.removeAll(deleted);
        for (int i = 0; i < inserts; i++) {
            rows.add(new RowId(writeId, property, i));
        }
    }

    @Test
    void predicatesSkipRowGroupsOfNestedColumns() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> {
            for (int i = 0; i < 50_000; i++) {
                to.insert(i, "v" + i);
            }
        });
        table.write(2, 0, 0, to -> to.delete(new RowId(1, BUCKET0, 12_345)));
        List<Split> splits = splits(TABLE, TableSnapshot.of(TRANSACTIONS, Snapshots.upTo(2), false));
        List<ColumnPredicate> range = List.of(new ColumnPredicate.Range(
                0, Optional.of(new Datum.OfLong(12_000)), true, Optional.of(new Datum.OfLong(13_000)), false));
        assertThat(tables.read(TABLE, splits, List.of(1, 0), range))
                .hasSize(9_999)
                .contains(List.of(Datum.ofText("v12344"), new Datum.OfLong(12_344)))
                .doesNotContain(List.of(Datum.ofText("v12345"), new Datum.OfLong(12_345)));
        assertThat(tables.stats.rowGroupsSkipped()).isEqualTo(4);
    }

    @Test
    void filesOfEarlierWriteIdsAreLeftOut() {
        HiveAcidTable table = new HiveAcidTable(folder);
        for (int writeId = 1; writeId <= 4; writeId++) {
            int value = writeId;
            table.write(writeId, 0, 0, to -> to.insert(value, "a"));
        }
        table.write(5, 0, 0, to -> to.delete(new RowId(3, BUCKET0, 0)));
        TableSnapshot all = TableSnapshot.of(TRANSACTIONS, Snapshots.upTo(5), true);
        assertThat(splits(TABLE, all)).hasSize(4);
        List<Split> later = splits(TABLE, all.from(3));
        assertThat(later).hasSize(2);
        assertThat(tables.read(TABLE, later, List.of(0), List.of())).containsExactly(List.of(new Datum.OfLong(4)));
        assertThat(splits(TABLE, all.from(6))).isEmpty();
    }

    @Test
    void laterColumnsAreNullAndTypesWiden() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> {
            to.insert(1, "a");
            to.insert(2, "b");
        });
        table.write(2, 0, 0, to -> to.delete(new RowId(1, BUCKET0, 0)));
        TableLayout now =
                FormatTables.table(FormatTables.ORC, Map.of(), "id bigint", "name string", "added array<int>");
        List<Split> splits = splits(now, TableSnapshot.of(TRANSACTIONS, Snapshots.upTo(2), false));
        assertThat(tables.read(now, splits, List.of(0, 1, 2), List.of()))
                .containsExactly(List.of(new Datum.OfLong(2), Datum.ofText("b"), Datum.NULL));
    }

    /** As in Hive 4.0.1, after CHANGE COLUMN and ADD COLUMNS with a name that was free again. */
    @Test
    void columnsAreFoundByPosition() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> to.insert(1, "a"));
        TableLayout now = FormatTables.table(FormatTables.ORC, Map.of(), "x int", "name string", "id int");
        List<Split> splits = splits(now, TableSnapshot.of(TRANSACTIONS, Snapshots.upTo(1), false));
        assertThat(tables.read(now, splits, List.of(0, 1, 2), List.of()))
                .containsExactly(List.of(new Datum.OfLong(1), Datum.ofText("a"), Datum.NULL));
    }

    @Test
    void deletedRowsAreReturnedOnRequest() {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> {
            for (int i = 0; i < 4; i++) {
                to.insert(i, "a");
            }
        });
        table.write(2, 0, 0, to -> to.delete(new RowId(1, BUCKET0, 2)));
        TableSnapshot snapshot = new TableSnapshot(TRANSACTIONS, Snapshots.upTo(2), false, false, true);
        List<Integer> columns = List.of(0, TABLE.ordinal(VirtualColumn.ROW_IS_DELETED));
        assertThat(tables.read(TABLE, splits(TABLE, snapshot), columns, List.of()))
                .containsExactly(row(0, 0), row(1, 0), row(2, 1), row(3, 0));
        TableSnapshot usual = TableSnapshot.of(TRANSACTIONS, Snapshots.upTo(2), false);
        assertThat(tables.read(TABLE, splits(TABLE, usual), columns, List.of()))
                .containsExactly(row(0, 0), row(1, 0), row(3, 0));
    }

    private static List<Datum> row(long first, long second) {
        return List.of(new Datum.OfLong(first), new Datum.OfLong(second));
    }

    @Test
    void insertOnlyTablesHaveFilesOfAnyFormat() {
        for (String format : List.of("textfile", "parquet", "orc", "avro")) {
            Path before = folder;
            folder = folder.resolve(format);
            TableLayout table =
                    FormatTables.table(FormatTables.format(format, Map.of()), Map.of(), "id int", "name string");
            tables.write(table, folder + "/000000_0", List.of(List.of(new Datum.OfLong(0), Datum.ofText("old"))));
            for (int writeId = 1; writeId <= 3; writeId++) {
                tables.write(
                        table,
                        folder + "/delta_000000" + writeId + "_000000" + writeId + "_0000/000000_0",
                        List.of(List.of(new Datum.OfLong(writeId), Datum.ofText(format))));
            }
            ValidWriteIdList writeIds = Snapshots.writeIds(3, new long[] {3}, 1);
            List<Split> splits = splits(table, TableSnapshot.ofInsertOnly(TRANSACTIONS, writeIds));
            assertThat(tables.read(table, splits, List.of(0, table.ordinal(VirtualColumn.ROW_ID)), List.of()))
                    .as(format)
                    .containsExactly(
                            List.of(new Datum.OfLong(0), Datum.NULL), List.of(new Datum.OfLong(2), Datum.NULL));
            folder = before;
        }
    }

    @Test
    void filesOfTheWrongKindAreErrors() throws IOException {
        HiveAcidTable table = new HiveAcidTable(folder);
        table.write(1, 0, 0, to -> to.insert(1, "a"));
        Path delta = folder.resolve("delta_0000001_0000001_0000");
        Files.copy(delta.resolve("bucket_00000"), folder.resolve("000000_0"));
        corrupt("a file with identifiers that is named as one without");
        Files.delete(folder.resolve("000000_0"));
        tables.write(TABLE, delta + "/bucket_00001", List.of(List.of(new Datum.OfLong(2), Datum.NULL)));
        corrupt("a file without identifiers that is named as one with them");
        Files.delete(delta.resolve("bucket_00001"));
        Files.createDirectories(folder.resolve("delete_delta_0000002_0000002_0000"));
        Files.write(folder.resolve("delete_delta_0000002_0000002_0000/bucket_00000"), new byte[] {'O', 'R', 'C', 3});
        corrupt("a broken file with delete events");
    }

    private void corrupt(String what) {
        assertThatThrownBy(() -> ours(Snapshots.upTo(2)))
                .as(what)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.CORRUPT_FILE));
    }
}
